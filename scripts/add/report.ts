// What a person reads of a skill that is about to be kept: where it is from, what it carries, what is doubtful.

import { oneLine, paint } from '../lib/terminal.ts'
import { counted, findingLines } from '../publish/report.ts'
import { inspect, type Inspection } from './inspect.ts'
import type { Item } from './item.ts'

const PROGRAMS_SHOWN = 8

/** Says it, and answers why the skill may not be taken; null when nothing speaks against it. */
export function show(
  item: Item,
  word: string,
  { force, notes }: { readonly force: boolean; readonly notes: boolean },
  say: (line: string) => void,
): string | null {
  const seen = inspect(item.files, item.folder)
  for (const line of itemLines(item, word, seen, notes)) say(line)
  const errors = seen.findings.filter(({ severity }) => severity === 'error').length
  if (errors === 0 || force) return null
  return `${item.folder} has ${counted(errors, 'error')} (above); --force takes it all the same.`
}

function itemLines(
  item: Item,
  word: string,
  { findings, programs, license }: Inspection,
  notes: boolean,
): string[] {
  const bytes = Array.from(item.files.values()).reduce((sum, { length }) => sum + length, 0)
  const from = item.entry.path === '' ? item.entry.source : `${item.entry.source}, ${item.entry.path}`
  const facts = [
    `${item.files.size} files, ${bytes.toLocaleString('en-US')} bytes`,
    license === null ? 'no licence stated' : `licence ${license}`,
    from,
  ]
  return [
    `${paint('green', word.padEnd(8))} ${oneLine(item.folder)}  ${paint('dim', oneLine(facts.join('; ')))}`,
    ...(programs.length === 0 ? [] : [`    ${programsLine(programs)}`]),
    ...findingLines(findings, notes),
  ]
}

function programsLine(programs: readonly string[]): string {
  const shown = programs.slice(0, PROGRAMS_SHOWN).map(oneLine).join(', ')
  const more = programs.length > PROGRAMS_SHOWN ? ` and ${programs.length - PROGRAMS_SHOWN} more` : ''
  return `carries ${counted(programs.length, 'program')} (none was run): ${shown}${more}`
}
