// Guards that commands that write files write the same files as the real ones.

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { ran } from './in-memory.ts'

async function filesOf(
  line: string,
  files: Readonly<Record<string, string>>,
  stdin = '',
): Promise<Readonly<Record<string, string>>> {
  const [name = '', ...args] = line.split(' ')
  const command = OWN_COMMANDS[name]
  if (!command) throw new Error(`there is no command ${name}`)
  const result = await ran(command, name, args, stdin, files)
  return Object.fromEntries([...result.files].filter(([path]) => !Object.hasOwn(files, path) || path === 'f'))
}

const LINES = '1\n2\n3\n4\n5\n'

describe('a command that writes files', () => {
  it('splits by lines', async () => {
    expect(await filesOf('split -l 2 n', { n: LINES })).toEqual({ xaa: '1\n2\n', xab: '3\n4\n', xac: '5\n' })
  })

  it('splits into parts of whole lines', async () => {
    expect(await filesOf('split -n l/2 -d n p', { n: LINES })).toEqual({ p00: '1\n2\n3\n', p01: '4\n5\n' })
  })

  it('splits by bytes into equal parts, and the last has the rest', async () => {
    expect(await filesOf('split -n 3 n', { n: 'abcdefgh' })).toEqual({ xaa: 'ab', xab: 'cd', xac: 'efgh' })
  })

  it('splits at a pattern', async () => {
    expect(await filesOf('csplit -s n /3/', { n: LINES })).toEqual({ xx00: '1\n2\n', xx01: '3\n4\n5\n' })
  })

  it('removes the parts if a pattern is missing', async () => {
    expect(await filesOf('csplit -s n /3/ /9/', { n: LINES })).toEqual({})
  })

  it('extends a file with NUL bytes, or shortens it', async () => {
    expect(await filesOf('truncate -s 4 f', { f: 'ab' })).toEqual({ f: 'ab\0\0' })
    expect(await filesOf('truncate -s -1 f', { f: 'abc' })).toEqual({ f: 'ab' })
  })

  it('writes blocks into a file without shortening it', async () => {
    const line = 'dd of=f bs=1 seek=1 conv=notrunc status=none'
    expect(await filesOf(line, { f: 'abcd' }, 'XY')).toEqual({ f: 'aXYd' })
  })

  it('copies its input to several files', async () => {
    expect(await filesOf('tee o1 o2', {}, 'x\n')).toEqual({ o1: 'x\n', o2: 'x\n' })
  })
})
