// How the reading of a skill's folder says what it finds. Knows the two ways of reading; decides no rule itself.

import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import type { Mode } from '../../src/skills/format/finding.ts'
import type { Finding } from '../../src/skills/skill.ts'

export interface Notes {
  readonly mode: Mode
  readonly findings: readonly Finding[]
  add(rule: string, severity: Finding['severity'], file: string, message: string, fix: string): void
  /** Of what does not travel: a build leaves it out and says so; publishing sends all of a skill or nothing. */
  leave(rule: string, file: string, message: string, fix: string): void
  /** By the error's code alone: its message would carry the path of this machine into the index. */
  unreadable(error: unknown, file: string): void
}

export function startNotes(mode: Mode): Notes {
  const findings: Finding[] = []
  const notes: Notes = {
    mode,
    findings,
    // SKILL.md has lines to show; of other files the finding is about the whole.
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
