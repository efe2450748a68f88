// Guards that `xargs` splits its input and runs commands as findutils does.

import { describe, expect, it } from 'vitest'

import { xargs } from '../../../../src/sandbox/commands/xargs/xargs.ts'
import { ran } from './in-memory.ts'

const FILES = {
  list: 'x y\nz\n',
}

/** A null exit code: refused. */
const CASES: readonly (readonly [
  args: readonly string[],
  stdin: string,
  exitCode: number | null,
  stdout: string,
])[] = [
  [[], 'a b c\n', 0, 'a b c\n'],
  [['echo', 'x'], 'a b c\n', 0, 'x a b c\n'],
  [['-n2', 'echo'], 'a b c\n', 0, 'a b\nc\n'],
  [[], '', 0, '\n'],
  [['-r', 'echo', 'x'], '', 0, ''],
  [['echo', 'x'], '\n\n', 0, 'x\n'],
  [['-I{}', 'echo', '[{}]'], '  a b  \n\nc d\n', 0, '[a b  ]\n[c d]\n'],
  [['-I', '%', 'echo', '%', '%', 'x%y'], 'a\nb\n', 0, 'a a xay\nb b xby\n'],
  [['-i', 'echo', '{}', '{}'], 'a\n', 0, 'a a\n'],
  [['--replace=X', 'echo', 'X'], 'a\n', 0, 'a\n'],
  [['-L1', 'echo'], 'a b\nc d\ne\n', 0, 'a b\nc d\ne\n'],
  [['-L', '2', 'echo'], 'a b\nc d\ne\n', 0, 'a b c d\ne\n'],
  [['-L', '1', 'echo'], 'a b \nc d\ne\n', 0, 'a b c d\ne\n'],
  [['-L', '1', 'echo'], 'a \n\nb\n', 0, 'a b\n'],
  [['-l', 'echo', 'x'], 'a b\nc d\n', 0, 'x a b\nx c d\n'],
  [['-0', '-n1', 'echo'], 'a\u0000b c\u0000', 0, 'a\nb c\n'],
  [['-0', '-I{}', 'echo', '<{}>'], 'a\u0000b c', 0, '<a>\n<b c>\n'],
  [['-d,', '-n1', 'echo'], 'a,b,c', 0, 'a\nb\nc\n'],
  [['-d', ',', 'echo'], 'a,b,c\n', 0, 'a b c\n\n'],
  [['-d', '\\n', '-n1', 'echo'], 'a\n\nb\n', 0, 'a\n\nb\n'],
  [['-n1', 'echo'], '"a b" c\n', 0, 'a b\nc\n'],
  [['-n1'], `'a b' c\\ d\n`, 0, 'a b\nc d\n'],
  [['echo'], `it's\n`, 1, ''],
  [['-n1', 'echo'], 'a b "c\n', 1, 'a\nb\n'],
  [['echo'], 'a "c\n', 1, 'a\n'],
  [['false'], 'a\n', 123, ''],
  [['-n1', 'none'], 'a\nb\n', 127, ''],
  [['-E', '2', 'echo'], '1 2 3\n', 0, '1\n'],
  [['-a', 'list', '-n', '2', 'echo'], '', 0, 'x y\nz\n'],
  [['-a', 'missing', 'echo'], '', 1, ''],
  [['-n0'], 'a b\n', 1, ''],
  [['-nx'], 'a b\n', 1, ''],
  [['-n1', '-I{}', 'echo', '<{}>'], 'a b\n', 0, '<a b>\n'],
  [['-I{}', '-n1', 'echo', '<{}>'], 'a b\n', 0, '<a b>\n'],
  [['-I{}', '-n2', 'echo', '<{}>'], 'a b\n', 0, '<{}> a b\n'],
  [['-n2', '-I{}', 'echo', '<{}>'], 'a b\n', 0, '<a b>\n'],
  [['-s', '12', 'echo'], '1 2 3 4 5 6 7\n', 0, '1 2 3\n4 5 6\n7\n'],
  [['-s', '12', 'echo'], 'aaaaaaaaaaaaaa\n', 1, ''],
  [['-d', '\\x3a', 'echo'], 'a:b\n', 0, 'a b\n\n'],
  [['-d', '\\q', 'echo'], 'a\n', 1, ''],
  [['-d', 'ab', 'echo'], 'a\n', 1, ''],
  [['-n1', 'echo'], 'é\tü\n', 0, 'é\nü\n'],
  [['-P4', '-n1', 'echo'], 'a b\n', 0, 'a\nb\n'],
  [['--', 'echo', 'x'], 'a b\n', 0, 'x a b\n'],
  [['-p'], 'a', null, ''],
  [['-o'], 'a', null, ''],
  [['--show-limits'], 'a', null, ''],
  [[], 'a\u0000b', null, ''],
]

describe('xargs', () => {
  it.each(CASES)('handles %j with input %j like the real one', async (args, stdin, exitCode, stdout) => {
    const result = await ran(xargs, 'xargs', args, stdin, FILES)
    if (exitCode === null) expect(result.refused).toContain('is not supported here. Instead: ')
    else
      expect({ exitCode: result.exitCode, stdout: result.stdout, refused: result.refused }).toEqual({
        exitCode,
        stdout,
        refused: null,
      })
  })
})
