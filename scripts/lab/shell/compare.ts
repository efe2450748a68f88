// Compares one-liners in Satchel's shell and on this machine: equal, refused aloud, or different without a word.
// node scripts/lab/shell/compare.ts LINES INPUT [--grep TEXT] [--show N]

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { filesBelow, shellHere, type HereOutcome } from './here.ts'
import { runThere, type ThereOutcome } from './there.ts'

type Verdict = 'equal' | 'refused' | 'aloud' | 'silent'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, all: { type: 'boolean' }, quiet: { type: 'boolean' } },
})
const [lines = '', input = ''] = positionals
const files = input === '' ? new Map<string, Uint8Array>() : filesBelow(input)
const run = await shellHere(process.cwd())
// What a stopped shell left behind ends with an error that nobody awaits.
process.on('unhandledRejection', () => {})
const counts: Record<Verdict, number> = { equal: 0, refused: 0, aloud: 0, silent: 0 }
let number = 0
for (const line of readFileSync(lines, 'utf8').split('\n')) {
  number++
  if (line === '' || (values.grep !== undefined && !new RegExp(values.grep).test(line))) continue
  const there = runThere(line, files)
  const here = await run(line, files)
  const verdict = verdictOf(here, there)
  counts[verdict]++
  if (values.quiet || (verdict === 'equal' && !values.all)) continue
  console.log(`${verdict.toUpperCase()} ${number}: ${line}`)
  if (verdict !== 'equal') console.log(difference(here, there))
}
console.log(JSON.stringify(counts))
process.exit(0)

/** `aloud`: different, with a failure that the machine does not have. */
function verdictOf(here: HereOutcome, there: ThereOutcome): Verdict {
  if (here.stopped === 'refused') return 'refused'
  const same = here.exitCode === there.exitCode && equal(here.stdout, there.stdout) && sameFiles(here, there)
  if (same) return 'equal'
  return here.exitCode !== 0 && there.exitCode === 0 ? 'aloud' : 'silent'
}

function sameFiles(here: HereOutcome, there: ThereOutcome): boolean {
  const names = new Set([...here.files.keys(), ...there.files.keys()])
  return [...names].every((name) => {
    const [one, other] = [here.files.get(name), there.files.get(name)]
    return one !== undefined && other !== undefined && equal(one, other)
  })
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

function difference(here: HereOutcome, there: ThereOutcome): string {
  const [ours, theirs] = [here.stdout, there.stdout].map((bytes) => Buffer.from(bytes).toString().split('\n'))
  const at = (ours ?? []).findIndex((line, index) => line !== theirs?.[index])
  const from = at === -1 ? (ours?.length ?? 0) : at
  const changed = [...new Set([...here.files.keys(), ...there.files.keys()])].filter((name) => {
    const [one, other] = [here.files.get(name), there.files.get(name)]
    return !one || !other || !equal(one, other)
  })
  const shown = (lines: readonly string[] | undefined): string =>
    JSON.stringify((lines ?? []).slice(from, from + 2).join('\n')).slice(0, 160)
  return [
    `   here:  exit ${here.exitCode} line ${from + 1}: ${shown(ours)} ${here.stderr.trim().slice(0, 200)}`,
    `   there: exit ${there.exitCode} line ${from + 1}: ${shown(theirs)} ${there.stderr.trim().slice(0, 120)}`,
    ...(changed.length > 0 ? [`   files: ${changed.join(', ')}`] : []),
  ].join('\n')
}
