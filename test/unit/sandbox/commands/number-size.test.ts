// Guards "no single operation of a command takes long or fills the memory": huge numbers and huge fields are refused, because
// nothing can interrupt them.

import { expect, test } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { runShellScript } from '../shell/run-script.ts'
import { ran } from './in-memory.ts'

const nines = (count: number): string => '9'.repeat(count)

test.each([
  ['expr', [nines(60_000), '*', nines(60_000)]],
  ['expr', [nines(200_000), '+', '1']],
  ['expr', [nines(200_000), '<', '1']],
  ['expr', ['substr', 'a', nines(200_000), '1']],
  ['factor', [nines(200_000)]],
  ['seq', [nines(200_000), nines(200_000)]],
  ['seq', ['-f', '%100000000g', '1']],
  ['numfmt', ['--padding=100000000', '1']],
  ['numfmt', ['--format=%.100000000f', '1']],
  ['nl', ['-w', '100000000']],
  ['expand', ['-t', '100000000']],
  ['date', ['+%100000000N']],
  ['tr', ['a', '[b*100000000]']],
  ['od', ['-w100000000']],
  ['awk', ['BEGIN { printf "%500000d", 1 }']],
  ['awk', ['BEGIN { printf "%.500000f", 1 }']],
  ['awk', ['BEGIN { printf "%.500000d", 1 }']],
  ['awk', ['BEGIN { printf "%500000s", 1 }']],
] as const)('%s refuses a size of %.30s', async (name, args) => {
  const command = OWN_COMMANDS[name]
  if (!command) throw new Error(`there is no command ${name}`)
  const { refused, stdout } = await ran(command, name, args, 'a\tb\n')
  expect(refused).toContain('is not supported here. Instead: ')
  expect(stdout).toBe('')
})

test.each(['%100000000d', '%-100000000s', '%.100000000d', '%.100000000f', '%100000000e'])(
  'printf refuses a size of %s',
  async (format) => {
    const { refused, stdout } = await runShellScript(`printf '${format}' 1`)
    expect(refused).toContain('is not supported here. Instead: ')
    expect(stdout).toBe('')
  },
)

test.each([`printf %d ${nines(200_000)}`, `[ ${nines(200_000)} -eq 1 ]`, `printf %f ${nines(200_000)}`])(
  '%.20s is refused with a long number',
  async (script) => {
    expect((await runShellScript(script)).refused).toContain('a number of ')
  },
)
