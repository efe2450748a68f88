// Guards "a command reads a file of 100 MB in parts": it reads only the parts that it needs, each small enough for the
// Worker that passes it on. A command that must hold a whole file states its limit.

import { describe, expect, it } from 'vitest'

import { patternOf, sh, type Reported } from './bash-fixture.ts'

const BYTES = 100_000_000
const FILE = '/mnt/user-data/workspace/large'
const MIB = 1_048_576

const onLarge = async (script: string): Promise<Reported> => sh(script, { patterns: { [FILE]: BYTES } })

/** The lengths of the ranges that were read. */
function lengthsOf({ read }: Reported): readonly number[] {
  return read.map((one) => Number(/\+(\d+)$/.exec(one)?.[1]))
}

function expectParts(ran: Reported, bytes: number): void {
  expect(Math.max(...lengthsOf(ran))).toBeLessThanOrEqual(2 * MIB)
  expect(sum(lengthsOf(ran))).toBe(bytes)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const textAt = (offset: number, length: number): string => new TextDecoder().decode(patternOf(offset, length))

describe('a file of 100,000,000 bytes', () => {
  it.each([
    ['head -n 2 large', textAt(0, 40)],
    ['tail -n 2 large', textAt(BYTES - 40, 40)],
    ['tail -c 25 large', textAt(BYTES - 25, 25)],
    ['tail -c +99999990 large', textAt(BYTES - 11, 11)],
    ['wc -c large', `${BYTES} large\n`],
    ['test -s large && stat -c %s large', `${BYTES}\n`],
    ["sed -n '3p;3q' large", textAt(40, 20)],
    ['read -r line < large; echo "$line"', textAt(0, 20)],
  ])('is read only as far as needed: %s', async (script, out) => {
    const ran = await onLarge(script)
    expect(ran).toMatchObject({ out, exitCode: 0, err: '' })
    expect(sum(lengthsOf(ran))).toBeLessThan(MIB)
  })

  it('is read once, in parts of at most two mebibytes', async () => {
    const ran = await onLarge('cat large | wc -l')
    expect(ran).toMatchObject({ out: '5000000\n', exitCode: 0, err: '' })
    expectParts(ran, BYTES)
  })

  it('is refused by a command that would hold all of it', async () => {
    const ran = await onLarge('shuf large | wc -l')
    expect(ran.err).toContain('File too large')
    expect(ran.err).toContain('25165824')
    expect(ran.read).toEqual([])
  })
})

describe('a file of 10 MB', () => {
  const bytes = 10_000_000
  it.each([
    ['wc -l large', '500000 large\n'],
    ['cut -c 6-19 < large | tail -n 1', '00000000499999\n'],
    ["grep -c '7$' large", '50000\n'],
    ["awk '{ sum += $2 } END { print sum, NR }' large", '124999750000 500000\n'],
    ['tail -n +499999 large', textAt(bytes - 40, 40)],
  ])('is read once, in parts of at most two mebibytes: %s', async (script, out) => {
    const ran = await sh(script, { patterns: { [FILE]: bytes } })
    expect(ran).toMatchObject({ out, exitCode: 0, err: '' })
    expectParts(ran, bytes)
  })
})

// The bench sorts and shuffles such files: on a busy machine, one command may compute for longer than it may without a pause.
it('a file of 20 MB can be held as a whole', async () => {
  const ran = await sh('tac large | head -n 1', { patterns: { [FILE]: 20_000_000 } })
  const last = textAt(20_000_000 - 20, 20)
  expect(ran).toMatchObject({ out: last, err: '', exitCode: 0 })
})
