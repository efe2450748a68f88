// Reports which scripts would run in the sandbox: totals, a row for each skill with scripts that would not run or only
// in part, and what these scripts lack.

import { counted } from '../../src/lib/counted.ts'
import { CHECK_LACKS_SHOWN, CHECK_SCRIPTS_SHOWN } from './limits.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { CheckedSkill } from './check.ts'
import { shownPath } from '../lib/shown-path.ts'

/**
 * The report; empty if no skill has scripts. With `all`, it lists every script that would not run, and also skills
 * whose scripts would all run.
 */
export function scriptLines(skills: readonly CheckedSkill[], cwd: string, all: boolean): string[] {
  const having = skills.filter(({ scripts }) => scripts.length > 0)
  if (having.length === 0) return []
  const rows = having.map((skill) => ({ ...countsOf(skill), name: nameOf(skill, cwd) }))
  const width = Math.max(...rows.map(({ summary }) => summary.length))
  const lines = rows.flatMap(({ summary, name, not }) => {
    if (not.length === 0 && !all) return []
    const shown = all ? not : not.slice(0, CHECK_SCRIPTS_SHOWN)
    const more = not.length - shown.length
    return [
      `  ${summary.padEnd(width)}  ${harmlessLine(name)}`,
      ...shown.map(
        (script) => `    ${harmlessLine(script.path)}: ${paint('dim', harmlessLine(explanationOf(script)))}`,
      ),
      ...(more > 0 ? [`    ${paint('dim', `and ${more} more (--notes shows them)`)}`] : []),
    ]
  })
  const count = having.reduce((sum, { scripts }) => sum + scripts.length, 0)
  const run = rows.reduce((sum, { starts }) => sum + starts, 0)
  const title = `Scripts that would run in the sandbox: ${run} of ${count}, in ${counted(having.length, 'skill')}`
  return [paint('bold', title), ...lines, '']
}

function countsOf({ scripts }: CheckedSkill): {
  readonly summary: string
  readonly starts: number
  readonly not: CheckedSkill['scripts']
} {
  const starts = scripts.filter(({ lacks }) => lacks.length === 0).length
  const not = scripts.filter(({ lacks, partly }) => lacks.length > 0 || partly.length > 0)
  return { summary: `${starts} of ${scripts.length}`, starts, not }
}

function nameOf({ name, location }: CheckedSkill, cwd: string): string {
  const path = shownPath(location, cwd)
  return name === null ? path : `${name} (${path})`
}

function explanationOf({ lacks, partly }: CheckedSkill['scripts'][number]): string {
  if (lacks.length === 0) return `starts; parts of it lack ${lackMessage(partly)}`
  return lackMessage([...lacks, ...partly])
}

function lackMessage(lacks: readonly string[]): string {
  const more = lacks.length - CHECK_LACKS_SHOWN
  return lacks.slice(0, CHECK_LACKS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
