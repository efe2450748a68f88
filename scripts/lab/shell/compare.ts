// Compares one-liners in Satchel's shell and on this machine. The results are equal, refused with a message, or
// silently different.
// node scripts/lab/shell/compare.ts LINES INPUT [--grep TEXT] [--show N]

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { filesBelow, shellHere } from './here.ts'
import { runThere } from './there.ts'
import { difference, verdictOf, type ShellVerdict } from './verdict.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, all: { type: 'boolean' }, quiet: { type: 'boolean' } },
})
const [lines = '', input = ''] = positionals
const files = input === '' ? new Map<string, Uint8Array>() : filesBelow(input)
const run = await shellHere(process.cwd())
// Work that a stopped shell left behind fails with an error that nobody awaits.
process.on('unhandledRejection', () => {})
const counts: Record<ShellVerdict, number> = { equal: 0, refused: 0, aloud: 0, silent: 0 }
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
