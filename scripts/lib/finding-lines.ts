// How a finding reads in a terminal, in every command.

import type { Finding } from '../../src/skills/skill.ts'
import { harmlessLine, paint } from './terminal.ts'

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/**
 * Of each finding `file:line: severity rule: message` and, in the same text on a line of its own, how to fix it, or why
 * it was accepted. `notes`: those too. `at`: where a file of the skill lies, for people.
 */
export function findingLines(
  findings: readonly Finding[],
  notes: boolean,
  indent = '',
  at: (file: string) => string = (file) => file,
): string[] {
  return findings
    .filter(({ severity }) => notes || severity !== 'note')
    .map(({ file, line, severity, rule, message, fix, accepted }) => {
      const place = harmlessLine(`${at(file)}${line === null ? '' : `:${line}`}`)
      const said = `${indent}${place}: ${paint(COLORS[severity], severity)} ${rule}: ${harmlessLine(message)}`
      const below = accepted ? `Accepted: ${accepted.reason}` : fix
      return `${said}\n${indent}    ${paint('dim', harmlessLine(below))}`
    })
}
