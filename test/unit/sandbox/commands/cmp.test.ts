// Guards that `cmp` finds the bytes in which files differ, as GNU cmp does.

import { describe, expect, it } from 'vitest'

import { cmp } from '../../../../src/sandbox/commands/diff/cmp.ts'
import { ran } from './in-memory.ts'

const FILES = {
  a: 'abc\ndef\n',
  b: 'abc\ndxf\n',
  s: 'abc\n',
  p: 'abc',
  e: '',
  x: '\u0001é',
}

/** A null exit code: refused. */
const CASES: readonly (readonly [
  args: readonly string[],
  stdin: string,
  exitCode: number | null,
  stdout: string,
])[] = [
  [['a', 'a'], '', 0, ''],
  [['a', 'b'], '', 1, 'a b differ: byte 6, line 2\n'],
  [['-s', 'a', 'b'], '', 1, ''],
  [['-l', 'a', 'b'], '', 1, '6 145 170\n'],
  [['-b', 'a', 'b'], '', 1, 'a b differ: byte 6, line 2 is 145 e 170 x\n'],
  [['-bl', 'a', 'b'], '', 1, '6 145 e    170 x\n'],
  [['a', 's'], '', 1, ''],
  [['a', 'p'], '', 1, ''],
  [['p', 's'], '', 1, ''],
  [['a', 'e'], '', 1, ''],
  [['-n', '4', 'a', 'b'], '', 0, ''],
  [['-n', '3', 'a', 'p'], '', 0, ''],
  [['-i', '4', 'a', 'b'], '', 1, 'a b differ: byte 2, line 1\n'],
  [['-i', '1:2', 'a', 'b'], '', 1, 'a b differ: byte 1, line 1\n'],
  [['a', 'b', '5', '5'], '', 1, 'a b differ: byte 1, line 1\n'],
  [['a', 'none'], '', 2, ''],
  [['none', 'a'], '', 2, ''],
  [['-s', 'a', 'none'], '', 2, ''],
  [[], '', 2, ''],
  [['-l', '-s', 'a', 'b'], '', 2, ''],
  [['-bl', 'a', 'x'], '', 1, '1 141 a      1 ^A\n2 142 b    303 M-C\n3 143 c    251 M-)\n'],
  [['a'], 'abc\ndxf\n', 1, 'a - differ: byte 6, line 2\n'],
  [['a', '-'], 'abc\ndef\n', 0, ''],
  [['-l', '-', 'a'], 'abX\n', 1, '3 130 143\n'],
  [['-v'], '', null, ''],
]

describe('cmp', () => {
  it.each(CASES)('handles %j with input %j like the real one', async (args, stdin, exitCode, stdout) => {
    const result = await ran(cmp, 'cmp', args, stdin, FILES)
    if (exitCode === null) expect(result.refused).toContain('is not supported here. Instead: ')
    else
      expect({ exitCode: result.exitCode, stdout: result.stdout, refused: result.refused }).toEqual({
        exitCode,
        stdout,
        refused: null,
      })
  })
})
