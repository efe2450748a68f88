// Formats findings, for all commands that print them.

import type { Finding } from '../../src/skills/skill.ts'
import { harmlessLine, paint } from './terminal.ts'

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/**
 * For each finding, a line `file:line: severity rule: message`, and a second one that says how to fix it or why it was
 * accepted. Includes notes only if `showNotes` is true. `pathOf` returns the path to display for a file of the skill.
 */
export function findingLines(
  findings: readonly Finding[],
  showNotes: boolean,
  indent = '',
  pathOf: (file: string) => string = (file) => file,
): string[] {
  return findings
    .filter(({ severity }) => showNotes || severity !== 'note')
    .map(({ file, line, severity, rule, message, fix, accepted }) => {
      const position = harmlessLine(`${pathOf(file)}${line === null ? '' : `:${line}`}`)
      const heading = `${indent}${position}: ${paint(COLORS[severity], severity)} ${rule}: ${harmlessLine(message)}`
      const detail = accepted ? `Accepted: ${accepted.reason}` : fix
      return `${heading}\n${indent}    ${paint('dim', harmlessLine(detail))}`
    })
}
