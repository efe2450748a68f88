// Collects the findings of parsing SKILL.md and sets their severity by mode.

import { cutText, plainLine } from '../../lib/text.ts'
import { FINDING_MESSAGE_MAX_CHARS, SKILL_FINDINGS_MAX } from './limits.ts'
import type { Finding } from '../skill.ts'

/** The name of the file that contains a skill's metadata and instructions. */
export const SKILL_FILE = 'SKILL.md'

/** `strict`, for publishing, refuses what the standard refuses. `lenient`, for loading, keeps whatever is usable. */
export type Mode = 'lenient' | 'strict'

/** `graded` is an error in strict mode and a warning in lenient mode. */
type Grade = Finding['severity'] | 'graded'

export interface Report {
  readonly mode: Mode
  readonly findings: readonly Finding[]
  /** Adds a finding at this 1-based line, or null for the file. Beyond SKILL_FINDINGS_MAX, only errors are kept. */
  add(rule: string, grade: Grade, line: number | null, message: string, fix: string): void
}

export function startReport(mode: Mode): Report {
  const findings: Finding[] = []
  return {
    mode,
    findings,
    add(rule, grade, line, message, fix) {
      const severity = grade !== 'graded' ? grade : mode === 'strict' ? 'error' : 'warning'
      if (severity !== 'error' && findings.length >= SKILL_FINDINGS_MAX) return
      findings.push({ rule, severity, file: SKILL_FILE, line, message: oneVisibleLine(message), fix })
    },
  }
}

/** The message on one line, without invisible characters, cut to a limit: a library's message may quote its input. */
function oneVisibleLine(message: string): string {
  return cutText(plainLine(message.toWellFormed()), FINDING_MESSAGE_MAX_CHARS)
}

/** Compares findings for display: by file, SKILL.md first, then by line. */
export function byLocation(a: Finding, b: Finding): number {
  if (a.file === b.file) return (a.line ?? 0) - (b.line ?? 0)
  if (a.file === SKILL_FILE || b.file === SKILL_FILE) return a.file === SKILL_FILE ? -1 : 1
  return a.file < b.file ? -1 : 1
}

/** Quotes untrusted text inside a message: on one line, without invisible characters, cut to 80 characters. */
export function quoted(text: string): string {
  return `'${cutText(plainLine(text.toWellFormed()), 80)}'`
}
