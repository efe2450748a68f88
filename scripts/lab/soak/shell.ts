// Runs generated scripts in Satchel's shell and on this machine, which needs bash 5.2, GNU's commands and gawk.

import { shellHere, type HereOutcome } from '../shell/here.ts'
import { commandLine } from '../shell/grammar/commands.ts'
import { filesLine } from '../shell/grammar/files.ts'
import { INPUT } from '../shell/grammar/input.ts'
import { languageLine } from '../shell/grammar/language.ts'
import { Picker } from '../shell/grammar/pick.ts'
import { runThere } from '../shell/there.ts'
import { difference, verdictOf, type ShellVerdict } from '../shell/verdict.ts'
import { seededChance } from '../rig/random.ts'

/** Number of times that a script is repeated if its results differ. */
const TRIES = 20
/** Number of attempts for a script that was stopped. */
const HERE_TRIES = 3

/**
 * Whether this machine sometimes has the same result: it depends on timing which part of a pipe ends first, whether
 * another part gets SIGPIPE (141), and how much of its output is read.
 */
function isChance(here: HereOutcome, line: string): boolean {
  return Array.from({ length: TRIES }).some(() => verdictOf(here, runThere(line, INPUT)) === 'equal')
}

/** Resolves to the number of scripts that silently had a different output. */
export async function soakShell({
  seed,
  scripts,
}: {
  readonly seed: number
  readonly scripts: number
}): Promise<number> {
  console.log(`shell: ${scripts} generated scripts, seed ${seed}`)
  const run = await shellHere(process.cwd())
  // A stopped shell may leave a promise that nobody awaits.
  process.on('unhandledRejection', () => {})
  const hereOf = async (line: string): Promise<HereOutcome> => {
    let here = await run(line, INPUT)
    // On a busy machine, a short command may take too long.
    for (let again = 1; again < HERE_TRIES && here.stopped === 'stall'; again++) here = await run(line, INPUT)
    return here
  }
  const pick = new Picker(seededChance(seed))
  const counts: Record<ShellVerdict, number> = { equal: 0, refused: 0, aloud: 0, silent: 0 }
  for (let index = 0; index < scripts; index++) {
    const make = index % 2 === 0 ? languageLine : index % 8 === 1 ? filesLine : commandLine
    const line = make(pick)
    const there = runThere(line, INPUT)
    const here = await hereOf(line)
    const first = verdictOf(here, there)
    const varies = (first === 'silent' || first === 'aloud') && isChance(here, line)
    const verdict = varies ? 'equal' : first
    if (varies) console.log(`varies on this machine: ${line}`)
    counts[verdict]++
    if (verdict === 'silent' || verdict === 'aloud')
      console.log(`${verdict}: ${line}\n${difference(here, there)}`)
    if ((index + 1) % 1_000 === 0) console.log(`shell: ${index + 1} of ${scripts}: ${JSON.stringify(counts)}`)
  }
  console.log(`shell: ${JSON.stringify(counts)}`)
  return counts.silent
}
