// How all commands print a finding.

import type { Finding } from '../../src/skills/skill.ts'
import { harmlessLine, paint } from './terminal.ts'

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/**
 * For each finding `file:line: severity rule: message`, and on a second line how to fix it, or why it was accepted.
 * `notes`: include notes. `at`: the displayed path of a skill's file.
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
      const position = harmlessLine(`${at(file)}${line === null ? '' : `:${line}`}`)
      const heading = `${indent}${position}: ${paint(COLORS[severity], severity)} ${rule}: ${harmlessLine(message)}`
      const below = accepted ? `Accepted: ${accepted.reason}` : fix
      return `${heading}\n${indent}    ${paint('dim', harmlessLine(below))}`
    })
}
