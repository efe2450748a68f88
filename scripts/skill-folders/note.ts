// Collects findings while a skill's folder is read, in both modes. Decides no rule itself.

import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'

export interface Notes {
  readonly mode: Mode
  readonly findings: readonly Finding[]
  add(rule: string, severity: Finding['severity'], file: string, message: string, fix: string): void
  /** For a file that is left out: a build warns; publishing sends all of a skill or nothing. */
  leave(rule: string, file: string, message: string, fix: string): void
  /** Uses only the error's code: its message would put a local path into the index. */
  unreadable(error: unknown, file: string): void
}

export function startNotes(mode: Mode): Notes {
  const findings: Finding[] = []
  const notes: Notes = {
    mode,
    findings,
    // Findings in SKILL.md have lines; those of other files concern the whole file.
    add: (rule, severity, file, message, fix) =>
      findings.push({ rule, severity, file, line: file === SKILL_FILE ? 1 : null, message, fix }),
    leave(rule, file, message, fix) {
      if (mode === 'strict') notes.add(rule, 'error', file, message, fix)
      else notes.add(rule, 'warning', file, `${message} It is left out.`, fix)
    },
    unreadable(error, file) {
      const message = `The file cannot be read (${errorCode(error)}).`
      if (file === SKILL_FILE) notes.add('file-unreadable', 'error', file, message, 'Check its permissions.')
      else notes.leave('file-unreadable', file, message, 'Check its permissions.')
    },
  }
  return notes
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
