// Formats findings for people: grouped by skill, file and line, followed by totals.

import { counted } from '../../src/lib/counted.ts'
import { formatColumns } from '../lib/columns.ts'
import { countsLine, countFindings } from '../lib/finding-counts.ts'
import type { FindingTotals } from '../lib/finding-counts.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { CheckedSkill } from './check.ts'
import { shownPath } from '../lib/shown-path.ts'

/** The findings of all skills that have any to show. Includes notes only if `notes` is true. */
export function humanLines(skills: readonly CheckedSkill[], cwd: string, notes: boolean): string[] {
  return skills.flatMap(({ name, location, fileLocation, findings }) => {
    const lines = findingLines(findings, notes, '  ', (file) => shownPath(fileLocation(file), cwd))
    if (lines.length === 0) return []
    const path = shownPath(location, cwd)
    return [paint('bold', harmlessLine(name === null ? path : `${name} (${path})`)), ...lines, '']
  })
}

/** A line such as `12 skills: 1 error, 3 warnings, 8 notes (--notes shows them)`. */
export function totalsLine(skills: number, totals: FindingTotals, notes: boolean): string {
  return `${counted(skills, 'skill')}: ${countsLine(totals, notes)}`
}

const HEADINGS = ['name', 'errors', 'warnings', 'notes', 'scripts', 'run here', '']

/** A table with a row for each skill. The last column is its location. */
export function checkTable(skills: readonly CheckedSkill[], cwd: string): string[] {
  const rows = skills.map((skill) => {
    const { error, warning, note } = countFindings([skill])
    const scripts = skill.scripts.length
    const run = skill.scripts.filter(({ lacks }) => lacks.length === 0).length
    const numbers = [error, warning, note, scripts, run].map((number) => number.toLocaleString('en-US'))
    return [harmlessLine(skill.name ?? ''), ...numbers, shownPath(skill.location, cwd)].map(harmlessLine)
  })
  return formatColumns([HEADINGS, ...rows], new Set([1, 2, 3, 4, 5]))
}
