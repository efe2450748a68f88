// The findings for a person: under each skill its findings by file and line, then how many there are.

import { counted } from '../lib/counted.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { oneLine, paint } from '../lib/terminal.ts'
import type { CheckedSkill, Totals } from './check.ts'
import { shownPath } from './places.ts'

/** `notes`: show them too. Skills without anything to show are left out. */
export function humanLines(skills: readonly CheckedSkill[], cwd: string, notes: boolean): string[] {
  return skills.flatMap(({ name, place, at, findings }) => {
    const lines = findingLines(findings, notes, '  ', (file) => shownPath(at(file), cwd))
    if (lines.length === 0) return []
    const path = shownPath(place, cwd)
    return [paint('bold', oneLine(name === null ? path : `${name} (${path})`)), ...lines, '']
  })
}

/** `12 skills: 1 error, 3 warnings, 8 notes (--notes shows them)`. */
export function totalsLine(skills: number, totals: Totals, notes: boolean): string {
  const hint = totals.note > 0 && !notes ? ' (--notes shows them)' : ''
  const counts = (['error', 'warning', 'note'] as const).map((kind) => counted(totals[kind], kind))
  return `${counted(skills, 'skill')}: ${counts.join(', ')}${hint}`
}
