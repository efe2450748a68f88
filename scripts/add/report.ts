// Summarises a skill before it is added: its origin, contents and findings. Runs none of its programs.

import { KNOWN_TOOLS } from '../../src/tools/builtins.ts'
import { fromUtf8 } from '../../src/lib/bytes.ts'
import { judgeSkill } from '../../src/skills/check/judge.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { counted } from '../../src/lib/counted.ts'
import { findingLines } from '../lib/finding-lines.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import type { SourceSkill } from './item.ts'

const PROGRAMS_SHOWN_MAX = 8
const PROGRAM_FILE = /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|php|lua|ps1|bat|cmd|go|rs|java|swift|r)$/i

/** Prints the summary, which begins with `label`. Returns the number of findings that are errors. */
export function printSummary(
  { files, folder, entry }: SourceSkill,
  label: string,
  notes: boolean,
  say: (line: string) => void,
): number {
  const { skill, findings, refusing } = judgeSkill(files, folder, 'lenient', KNOWN_TOOLS)
  const bytes = Array.from(files.values()).reduce((sum, { length }) => sum + length, 0)
  const license = skill?.meta.license ?? null
  const facts = [
    `${counted(files.size, 'file')}, ${counted(bytes, 'byte')}`,
    license === null ? 'no licence stated' : `licence ${license}`,
    entry.path === '' ? entry.source : `${entry.source}, ${entry.path}`,
  ]
  say(
    `${paint('green', label.padEnd(8))} ${harmlessLine(folder)}  ${paint('dim', harmlessLine(facts.join('; ')))}`,
  )
  const programs = programsIn(files)
  if (programs.length > 0) say(`    ${programsLine(programs)}`)
  for (const line of findingLines(findings, notes, '    ')) say(line)
  return refusing.length
}

function programsIn(files: FileMap): readonly string[] {
  return Array.from(files)
    .filter(([path, bytes]) => PROGRAM_FILE.test(path) || fromUtf8(bytes.subarray(0, 2)) === '#!')
    .map(([path]) => path)
}

function programsLine(programs: readonly string[]): string {
  const shownNames = programs.slice(0, PROGRAMS_SHOWN_MAX).map(harmlessLine).join(', ')
  const omittedText =
    programs.length > PROGRAMS_SHOWN_MAX ? ` and ${programs.length - PROGRAMS_SHOWN_MAX} more` : ''
  return `contains ${counted(programs.length, 'program')} (none was run): ${shownNames}${omittedText}`
}
