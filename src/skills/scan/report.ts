// Collects the findings of the rules: one per danger, file and line, a limited number of each, sorted.

import { SCAN_COUNTED_MATCHES_MAX, SCAN_FINDINGS_MAX, SCAN_LISTED_MATCHES_MAX } from './base/limits.ts'
import { SKILL_FILE } from '../format/finding.ts'
import type { Finding } from '../skill.ts'
import { NEVER_ACCEPTED, RULES } from './rules/rules.ts'
import type { RuleId } from './rules/rules.ts'

export interface ScanReport {
  /**
   * `line` is 1-based, and null for the whole file. The message begins with `summary`, which must not quote a
   * secret.
   */
  add(rule: RuleId, file: string, line: number | null, summary: string): void
  /**
   * For a match in an example: a warning becomes a note with its own rule ID
   * (`shell-curl-pipe-shell-example`). An error remains an error, because an attacker controls the text
   * around it.
   */
  addExample(rule: RuleId, file: string, line: number | null, summary: string): void
  /**
   * For a match in a string of a script that cannot run it: an error becomes a warning with its own rule ID.
   */
  addData(rule: RuleId, file: string, line: number | null, summary: string): void
  /** True if there are so many matches that counting can stop. */
  isFull(rule: RuleId, file: string): boolean
  /** The findings, sorted by file, line and rule. */
  findings(): readonly Finding[]
}

type Severity = Finding['severity']

export function startScanReport(): ScanReport {
  // Keeps no more findings of a severity than can be listed, so that a hostile skill cannot exhaust memory.
  const keptFindings: Record<Severity, Finding[]> = { error: [], warning: [], note: [] }
  const droppedCounts = { error: 0, warning: 0, note: 0 }
  const reportedAt = new Set<string>()
  const counts = new Map<string, { first: Finding; why: string; matches: number }>()
  function keepFinding(finding: Finding): void {
    const list = keptFindings[finding.severity]
    if (list.length < SCAN_FINDINGS_MAX) list.push(finding)
    else droppedCounts[finding.severity]++
  }
  function countMatch(finding: Finding, why: string): void {
    const groupKey = `${finding.rule} ${finding.file}`
    const group = counts.get(groupKey) ?? { first: finding, why, matches: 0 }
    counts.set(groupKey, group)
    if (group.matches < SCAN_LISTED_MATCHES_MAX) {
      const key = `${finding.line} ${groupKey}`
      if (reportedAt.has(key)) return
      if (keptFindings[finding.severity].length < SCAN_FINDINGS_MAX) reportedAt.add(key)
      keepFinding(finding)
    }
    group.matches++
  }
  const add: ScanReport['add'] = (rule, file, line, summary) => {
    const { severity, why, fix } = RULES[rule]
    countMatch({ rule, severity, file, line, message: `${summary}: ${why}`, fix }, why)
  }
  return {
    add,
    addExample(rule, file, line, summary) {
      const { severity, why, fix } = RULES[rule]
      if (severity === 'error') return add(rule, file, line, summary)
      const downgraded = { rule: severity === 'note' ? rule : `${rule}-example`, severity: 'note' } as const
      countMatch({ ...downgraded, file, line, message: `${summary} in an example: ${why}`, fix }, why)
    },
    addData(rule, file, line, summary) {
      const { severity, why, fix } = RULES[rule]
      if (severity !== 'error') return add(rule, file, line, summary)
      const downgraded = { rule: `${rule}-data`, severity: 'warning' } as const
      countMatch(
        {
          ...downgraded,
          file,
          line,
          message: `${summary} in a string that this script does not run: ${why}`,
          fix,
        },
        why,
      )
    },
    isFull: (rule, file) => (counts.get(`${rule} ${file}`)?.matches ?? 0) >= SCAN_COUNTED_MATCHES_MAX,
    findings() {
      for (const { first, why, matches } of counts.values()) {
        const message = `${matches < SCAN_COUNTED_MATCHES_MAX ? '' : 'At least '}${matches - SCAN_LISTED_MATCHES_MAX} more of these findings: ${why}`
        if (matches > SCAN_LISTED_MATCHES_MAX) keepFinding({ ...first, line: null, message })
      }
      counts.clear()
      // Errors that can never be accepted come first, so that other errors cannot displace them.
      const errors = keptFindings.error.toSorted((a, b) => acceptanceRank(b) - acceptanceRank(a))
      return limitFindings(
        keepMostSeverePerDanger([...errors, ...keptFindings.warning, ...keptFindings.note]),
        droppedCounts,
      )
    },
  }
}

/** The rules about one danger, one pattern for each danger. For a line, only the most severe is reported. */
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

function acceptanceRank({ rule }: Finding): number {
  return Number(NEVER_ACCEPTED.has(rule))
}

/** Keeps the most severe finding for each danger and line. `worstFirst` is sorted by severity. */
function keepMostSeverePerDanger(worstFirst: readonly Finding[]): readonly Finding[] {
  const reported = new Set<string>()
  return worstFirst.filter(({ rule, file, line }) => {
    const danger = DANGERS.findIndex((pattern) => pattern.test(rule))
    if (danger < 0 || line === null) return true
    const key = `${danger} ${line} ${file}`
    if (reported.has(key)) return false
    reported.add(key)
    return true
  })
}

function limitFindings(worstFirst: readonly Finding[], droppedCounts: Record<Severity, number>): Finding[] {
  const listed = worstFirst.slice(0, SCAN_FINDINGS_MAX)
  const omitted =
    worstFirst.length - listed.length + droppedCounts.error + droppedCounts.warning + droppedCounts.note
  if (omitted === 0) return listed.toSorted(byLocation)
  const id = droppedCounts.error > 0 ? 'scan-more-errors' : 'scan-more-findings'
  const { why, ...rule } = RULES[id]
  const location = { file: SKILL_FILE, line: null, message: `${omitted} more findings: ${why}` }
  const omittedFinding: Finding = { rule: id, ...rule, ...location }
  return [...listed, omittedFinding].toSorted(byLocation)
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
