// The findings for a person: under each skill its findings by file and line, then how many there are.

import { join } from 'node:path'
import type { Finding } from '../../src/skills/skill.ts'
import { oneLine, paint } from '../lib/terminal.ts'
import type { CheckedSkill, Totals } from './check.ts'
import { shownPath } from './places.ts'

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/** `notes`: show them too. Skills without anything to show are left out. */
export function humanLines(skills: readonly CheckedSkill[], cwd: string, notes: boolean): string[] {
  const lines: string[] = []
  for (const skill of skills) {
    const shown = skill.findings.filter(({ severity }) => notes || severity !== 'note')
    if (shown.length === 0) continue
    const place = shownPath(skill.source.place, cwd)
    lines.push(paint('bold', oneLine(skill.name === null ? place : `${skill.name} (${place})`)))
    for (const finding of shown) lines.push(...findingLines(skill, place, finding))
    lines.push('')
  }
  return lines
}

function findingLines({ source }: CheckedSkill, place: string, finding: Finding): string[] {
  const { file, line, severity, rule, message, mend } = finding
  const where = `${join(place, source.onDisk(file))}${line === null ? '' : `:${line}`}`
  return [
    `  ${oneLine(where)}: ${paint(COLORS[severity], severity)} ${rule}: ${oneLine(message)}`,
    `      ${paint('dim', oneLine(mend))}`,
  ]
}

/** `12 skills: 1 error, 3 warnings, 8 notes (--notes shows them)`. */
export function totalsLine(skills: number, totals: Totals, notes: boolean): string {
  const hint = totals.note > 0 && !notes ? ' (--notes shows them)' : ''
  const counts = (['error', 'warning', 'note'] as const).map((kind) => counted(totals[kind], kind))
  return `${counted(skills, 'skill')}: ${counts.join(', ')}${hint}`
}

/** `1 skill`, `3 skills`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
}
