// Collects the findings of the rules: one per danger, file and line, a limited number of each, sorted.

import { SCAN_COUNTED_MAX, SCAN_FINDINGS_MAX, SCAN_MATCHES_MAX } from './base/limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import type { Finding } from '../skill.ts'
import { NEVER_ACCEPTED, RULES } from './rules/rules.ts'
import type { RuleId } from './rules/rules.ts'

export interface ScanReport {
  /**
   * `line` is 1-based, and null for the whole file. `seen` begins the message; it must not quote a secret.
   */
  add(rule: RuleId, file: string, line: number | null, seen: string): void
  /**
   * For a match in an example: a warning becomes a note with its own rule ID
   * (`shell-curl-pipe-shell-example`). An error remains an error, because an attacker controls the text
   * around it.
   */
  addExample(rule: RuleId, file: string, line: number | null, seen: string): void
  /**
   * For a match in a string of a script that cannot run it: an error becomes a warning with its own rule ID.
   */
  addData(rule: RuleId, file: string, line: number | null, seen: string): void
  /** True if there are so many matches that counting can stop. */
  isFull(rule: RuleId, file: string): boolean
  /** The findings, sorted by file, line and rule. */
  findings(): readonly Finding[]
}

type Severity = Finding['severity']

export function startScanReport(): ScanReport {
  // No more findings of a severity are kept than can be shown, so that a hostile skill cannot exhaust memory.
  const kept: Record<Severity, Finding[]> = { error: [], warning: [], note: [] }
  const dropped = { error: 0, warning: 0, note: 0 }
  const seenAt = new Set<string>()
  const counts = new Map<string, { first: Finding; why: string; matches: number }>()
  function keep(found: Finding): void {
    const list = kept[found.severity]
    if (list.length < SCAN_FINDINGS_MAX) list.push(found)
    else dropped[found.severity]++
  }
  function count(found: Finding, why: string): void {
    const group = `${found.rule} ${found.file}`
    const counted = counts.get(group) ?? { first: found, why, matches: 0 }
    counts.set(group, counted)
    if (counted.matches < SCAN_MATCHES_MAX) {
      const key = `${found.line} ${group}`
      if (seenAt.has(key)) return
      if (kept[found.severity].length < SCAN_FINDINGS_MAX) seenAt.add(key)
      keep(found)
    }
    counted.matches++
  }
  const add: ScanReport['add'] = (rule, file, line, seen) => {
    const { severity, why, fix } = RULES[rule]
    count({ rule, severity, file, line, message: `${seen}: ${why}`, fix }, why)
  }
  return {
    add,
    addExample(rule, file, line, seen) {
      const { severity, why, fix } = RULES[rule]
      if (severity === 'error') return add(rule, file, line, seen)
      const milder = { rule: severity === 'note' ? rule : `${rule}-example`, severity: 'note' } as const
      count({ ...milder, file, line, message: `${seen} in an example: ${why}`, fix }, why)
    },
    addData(rule, file, line, seen) {
      const { severity, why, fix } = RULES[rule]
      if (severity !== 'error') return add(rule, file, line, seen)
      const milder = { rule: `${rule}-data`, severity: 'warning' } as const
      count(
        { ...milder, file, line, message: `${seen} in a string that this script does not run: ${why}`, fix },
        why,
      )
    },
    isFull: (rule, file) => (counts.get(`${rule} ${file}`)?.matches ?? 0) >= SCAN_COUNTED_MAX,
    findings() {
      for (const { first, why, matches } of counts.values()) {
        const more = `${matches < SCAN_COUNTED_MAX ? '' : 'At least '}${matches - SCAN_MATCHES_MAX} more of these findings: ${why}`
        if (matches > SCAN_MATCHES_MAX) keep({ ...first, line: null, message: more })
      }
      counts.clear()
      // Errors that can never be accepted come first, so that others cannot push them out.
      const errors = kept.error.toSorted((a, b) => weight(b) - weight(a))
      return bounded(gravest([...errors, ...kept.warning, ...kept.note]), dropped)
    },
  }
}

/** Of several rules about one danger, only the most severe is reported for a location. */
const DANGERS: readonly RegExp[] = [
  /^secret-/,
  /-reverse-shell|^shell-connection$/,
  /-(?:dynamic|fetched|received|untrusted)-code$/,
  /-sensitive-(?:exfil|path)|-env-dump|-keys-sent$/,
  /^shell-(?:untrusted-index|unnamed-package)$/,
  /^shell-(?:persistence|persistent-access)$/,
  /^shell-(?:guard-off|hidden-download)$/,
  /^declaration-(?:secrecy|hidden-orders|remote-orders|standing-orders)$/,
  /-pipe-shell|-decoded-|-fetched-command|-prerequisite|^network-(?:cleartext|local)|-external-endpoint/,
]

function weight({ rule }: Finding): number {
  return Number(NEVER_ACCEPTED.has(rule))
}

/** Keeps the most severe finding for each danger and line. `worstFirst` is sorted by severity. */
function gravest(worstFirst: readonly Finding[]): readonly Finding[] {
  const reported = new Set<string>()
  return worstFirst.filter(({ rule, file, line }) => {
    const danger = DANGERS.findIndex((rules) => rules.test(rule))
    if (danger < 0 || line === null) return true
    const key = `${danger} ${line} ${file}`
    if (reported.has(key)) return false
    reported.add(key)
    return true
  })
}

function bounded(worstFirst: readonly Finding[], dropped: Record<Severity, number>): Finding[] {
  const shown = worstFirst.slice(0, SCAN_FINDINGS_MAX)
  const left = worstFirst.length - shown.length + dropped.error + dropped.warning + dropped.note
  if (left === 0) return shown.toSorted(byLocation)
  const id = dropped.error > 0 ? 'scan-more-errors' : 'scan-more-findings'
  const { why, ...rule } = RULES[id]
  const location = { file: SKILL_FILE, line: null, message: `${left} more findings: ${why}` }
  const more: Finding = { rule: id, ...rule, ...location }
  return [...shown, more].toSorted(byLocation)
}

function byLocation(a: Finding, b: Finding): number {
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
