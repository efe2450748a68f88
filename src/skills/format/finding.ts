// Collects the findings of parsing SKILL.md. Knows the two modes; decides no rule itself.

import { cutText, stripInvisible } from '../../lib/text.ts'
import { FINDING_MESSAGE_MAX, SKILL_FINDINGS_MAX } from './limits.ts'
import type { Finding } from '../skill.ts'

/** The only file name of a skill's text. */
export const SKILL_FILE = 'SKILL.md'

/** `strict` is for publishing: refuses what the standard refuses. `lenient` is for loading: keeps what is usable. */
export type Mode = 'lenient' | 'strict'

/** `graded`: an error when strict, a warning when lenient. */
type Grade = Finding['severity'] | 'graded'

export interface Report {
  readonly mode: Mode
  readonly findings: readonly Finding[]
  /** `line` is 1-based in SKILL.md, null for the whole file. Beyond the limit only errors are kept. */
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
      findings.push({ rule, severity, file: SKILL_FILE, line, message: shown(message), fix })
    },
  }
}

/** A library's message may quote its input: reduced to one line of visible characters, with a limit. */
function shown(message: string): string {
  return cutText(stripInvisible(message.toWellFormed()).replace(/\s+/g, ' ').trim(), FINDING_MESSAGE_MAX)
}

/** The display order of findings: by file (SKILL.md first) and line. */
export function byLocation(a: Finding, b: Finding): number {
  if (a.file === b.file) return (a.line ?? 0) - (b.line ?? 0)
  if (a.file === SKILL_FILE || b.file === SKILL_FILE) return a.file === SKILL_FILE ? -1 : 1
  return a.file < b.file ? -1 : 1
}

/** Untrusted text inside a message: one line, visible characters, short. */
export function quoted(text: string): string {
  return `'${cutText(stripInvisible(text.toWellFormed()).replace(/\s+/g, ' ').trim(), 80)}'`
}
