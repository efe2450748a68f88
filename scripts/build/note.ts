// How the reading of a skill's folder says what it finds. Knows no rule.

import type { Mode } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'

export type Note = (
  rule: string,
  severity: Finding['severity'],
  file: string,
  message: string,
  mend: string,
) => void

/** Of what a build leaves out: publishing sends all of a skill or nothing. */
export function gradeOf(mode: Mode): 'error' | 'warning' {
  return mode === 'strict' ? 'error' : 'warning'
}

/** Says so. The error's code alone: its message would carry the path of this machine into the index. */
export function unreadable(error: unknown, path: string, severity: 'error' | 'warning', note: Note): null {
  const message = `The file cannot be read (${codeOf(error)}).`
  note('file-unreadable', severity, path, message, 'Check its permissions.')
  return null
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
