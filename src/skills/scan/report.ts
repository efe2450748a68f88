// Gathers what the rules saw: once per rule, file and line, a bounded number of each, sorted. Decides no rule.

import { SCAN_COUNTED_MAX, SCAN_FINDINGS_MAX, SCAN_MATCHES_MAX } from '../../limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import type { Finding } from '../skill.ts'

/** `why` says what it means that this was seen; `mend` what to do. */
export interface Rule {
  readonly id: string
  readonly severity: Finding['severity']
  readonly why: string
  readonly mend: string
}

export interface Report {
  /** `line` is 1-based, null for the file as a whole. `seen` opens the message; never the text of a secret. */
  add(rule: Rule, file: string, line: number | null, seen: string): void
  /** True when so many were counted that nobody needs to count on. */
  isFull(rule: Rule, file: string): boolean
  /** By file, then line, then rule. */
  findings(): readonly Finding[]
}

export function startReport(): Report {
  // No more of a severity than can be shown: a hostile skill must not fill the memory with findings.
  const kept: Record<Finding['severity'], Finding[]> = { error: [], warning: [], note: [] }
  const dropped = { error: 0, warning: 0, note: 0 }
  const seenAt = new Set<string>()
  const counts = new Map<string, { readonly rule: Rule; readonly file: string; matches: number }>()
  function keep(found: Finding): void {
    const list = kept[found.severity]
    if (list.length < SCAN_FINDINGS_MAX) list.push(found)
    else dropped[found.severity]++
  }
  return {
    add(rule, file, line, seen) {
      const group = groupOf(rule, file)
      const count = counts.get(group) ?? { rule, file, matches: 0 }
      counts.set(group, count)
      if (count.matches < SCAN_MATCHES_MAX) {
        const place = `${line} ${group}`
        if (seenAt.has(place)) return
        if (kept[rule.severity].length < SCAN_FINDINGS_MAX) seenAt.add(place)
        keep(finding(rule, file, line, `${seen}: ${rule.why}`))
      }
      count.matches++
    },
    isFull: (rule, file) => (counts.get(groupOf(rule, file))?.matches ?? 0) >= SCAN_COUNTED_MAX,
    findings() {
      for (const { rule, file, matches } of counts.values())
        if (matches > SCAN_MATCHES_MAX)
          keep(
            finding(
              rule,
              file,
              null,
              `${matches < SCAN_COUNTED_MAX ? '' : 'At least '}${matches - SCAN_MATCHES_MAX} more of these: ${rule.why}`,
            ),
          )
      counts.clear()
      return bounded([...kept.error, ...kept.warning, ...kept.note], dropped)
    },
  }
}

function groupOf(rule: Rule, file: string): string {
  return `${rule.id} ${rule.severity} ${file}`
}

function finding(rule: Rule, file: string, line: number | null, message: string): Finding {
  return { rule: rule.id, severity: rule.severity, file, line, message, mend: rule.mend }
}

/** `worstFirst` comes in the order of severity. */
function bounded(worstFirst: readonly Finding[], dropped: Record<Finding['severity'], number>): Finding[] {
  const shown = worstFirst.slice(0, SCAN_FINDINGS_MAX)
  const left = worstFirst.length - shown.length + dropped.error + dropped.warning + dropped.note
  if (left === 0) return shown.toSorted(byPlace)
  const rule: Rule = {
    id: 'scan-more-findings',
    severity: 'note',
    why: 'the gravest are listed first.',
    mend: 'Mend the listed ones and scan again.',
  }
  return [...shown, finding(rule, SKILL_FILE, null, `${left} more findings: ${rule.why}`)].toSorted(byPlace)
}

function byPlace(a: Finding, b: Finding): number {
  return (
    compare(a.file, b.file) ||
    (a.line ?? Infinity) - (b.line ?? Infinity) ||
    compare(a.rule, b.rule) ||
    compare(a.message, b.message)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
