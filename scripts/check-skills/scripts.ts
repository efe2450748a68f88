// Reports which scripts would run in the sandbox: totals, a row for each skill with scripts that would not run or only
// in part, and what these scripts lack.

import { counted } from '../../src/lib/counted.ts'
import { SHOWN_LACKS_MAX, SHOWN_SCRIPTS_MAX } from './limits.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { CheckedSkill } from './check.ts'
import { shownPath } from '../lib/shown-path.ts'

/**
 * The report; empty if no skill has scripts. With `all`, it lists every script that would not run, and also skills
 * whose scripts would all run.
 */
export function scriptLines(skills: readonly CheckedSkill[], cwd: string, all: boolean): string[] {
  const withScripts = skills.filter(({ scripts }) => scripts.length > 0)
  if (withScripts.length === 0) return []
  const rows = withScripts.map((skill) => ({ ...countsOf(skill), name: nameOf(skill, cwd) }))
  const width = Math.max(...rows.map(({ summary }) => summary.length))
  const lines = rows.flatMap(({ summary, name, incompatible }) => {
    if (incompatible.length === 0 && !all) return []
    const shown = all ? incompatible : incompatible.slice(0, SHOWN_SCRIPTS_MAX)
    const more = incompatible.length - shown.length
    return [
      `  ${summary.padEnd(width)}  ${harmlessLine(name)}`,
      ...shown.map(
        (script) => `    ${harmlessLine(script.path)}: ${paint('dim', harmlessLine(explanationOf(script)))}`,
      ),
      ...(more > 0 ? [`    ${paint('dim', `and ${more} more (--notes shows them)`)}`] : []),
    ]
  })
  const count = withScripts.reduce((sum, { scripts }) => sum + scripts.length, 0)
  const startableCount = rows.reduce((sum, { startable }) => sum + startable, 0)
  const title = `Scripts that would run in the sandbox: ${startableCount} of ${count}, in ${counted(withScripts.length, 'skill')}`
  return [paint('bold', title), ...lines, '']
}

function countsOf({ scripts }: CheckedSkill): {
  readonly summary: string
  readonly startable: number
  readonly incompatible: CheckedSkill['scripts']
} {
  const startable = scripts.filter(({ lacks }) => lacks.length === 0).length
  const incompatible = scripts.filter(({ lacks, partly }) => lacks.length > 0 || partly.length > 0)
  return { summary: `${startable} of ${scripts.length}`, startable, incompatible }
}

function nameOf({ name, location }: CheckedSkill, cwd: string): string {
  const path = shownPath(location, cwd)
  return name === null ? path : `${name} (${path})`
}

function explanationOf({ lacks, partly }: CheckedSkill['scripts'][number]): string {
  if (lacks.length === 0) return `starts; parts of it lack ${listLacks(partly)}`
  return listLacks([...lacks, ...partly])
}

function listLacks(lacks: readonly string[]): string {
  const more = lacks.length - SHOWN_LACKS_MAX
  return lacks.slice(0, SHOWN_LACKS_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
