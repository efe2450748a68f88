// Collects findings while a skill's folder is read, with a severity that depends on the mode.

import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'

export interface Notes {
  readonly mode: Mode
  readonly findings: readonly Finding[]
  add(rule: string, severity: Finding['severity'], file: string, message: string, fix: string): void
  /** Reports a file that is left out: a warning in a build, but an error in strict mode, which needs all files. */
  leaveOut(rule: string, file: string, message: string, fix: string): void
  /**
   * Reports a file that cannot be read. Contains only the error's code, because its message may contain a local path.
   */
  unreadable(error: unknown, file: string): void
}

export function createNotes(mode: Mode): Notes {
  const findings: Finding[] = []
  const notes: Notes = {
    mode,
    findings,
    // Only findings about SKILL.md have a line.
    add: (rule, severity, file, message, fix) =>
      findings.push({ rule, severity, file, line: file === SKILL_FILE ? 1 : null, message, fix }),
    leaveOut(rule, file, message, fix) {
      if (mode === 'strict') notes.add(rule, 'error', file, message, fix)
      else notes.add(rule, 'warning', file, `${message} It is left out.`, fix)
    },
    unreadable(error, file) {
      const message = `The file cannot be read (${errorCode(error)}).`
      if (file === SKILL_FILE) notes.add('file-unreadable', 'error', file, message, 'Check its permissions.')
      else notes.leaveOut('file-unreadable', file, message, 'Check its permissions.')
    },
  }
  return notes
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
