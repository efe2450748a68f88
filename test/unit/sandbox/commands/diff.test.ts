// Guards that `diff` shows the same differences as GNU diff, in the same formats.

import { describe, expect, it } from 'vitest'

import { diff } from '../../../../src/sandbox/commands/diff/diff.ts'
import { ran } from './in-memory.ts'

const FILES = {
  a: 'a\nb\nc\nd\ne\nf\ng\n',
  b: 'a\nx\nc\nd\ne\nf\nz\ng\n',
  open: 'a\nb',
  openb: 'a\nb\n',
  empty: '',
  sp: 'a  b\nc \n\nd\n',
  sq: 'a b\nc\nd\n',
  up: 'A\n',
  low: 'a\n',
  crlf: 'a\r\n',
  'd1/f': 'x\n',
  'd1/only': '1\n',
  'd2/f': 'y\n',
  'd2/new': '2\n',
  bin: 'a\u0000b',
  bin2: 'a\u0000c',
  rep: 'x\nx\nx\n',
  rep2: 'x\nx\nx\nx\n',
  t1: 'a\tb\n',
  t2: 'a\tc\n',
  p1: '{\n1\n}\n{\n2\n}\n',
  p2: '{\n1\n}\n{\n3\n}\n{\n2\n}\n',
}

/** A null exit code: refused. */
const CASES: readonly (readonly [
  args: readonly string[],
  stdin: string,
  exitCode: number | null,
  stdout: string,
])[] = [
  [['a', 'b'], '', 1, '2c2\n< b\n---\n> x\n6a7\n> z\n'],
  [['b', 'a'], '', 1, '2c2\n< x\n---\n> b\n7d6\n< z\n'],
  [['a', 'a'], '', 0, ''],
  [['-s', 'a', 'a'], '', 0, 'Files a and a are identical\n'],
  [['-q', 'a', 'b'], '', 1, 'Files a and b differ\n'],
  [
    ['-u', '--label', 'A', '--label', 'B', 'a', 'b'],
    '',
    1,
    '--- A\n+++ B\n@@ -1,7 +1,8 @@\n a\n-b\n+x\n c\n d\n e\n f\n+z\n g\n',
  ],
  [
    ['-U0', '--label', 'A', '--label', 'B', 'a', 'b'],
    '',
    1,
    '--- A\n+++ B\n@@ -2 +2 @@\n-b\n+x\n@@ -6,0 +7 @@\n+z\n',
  ],
  [
    ['-u1', '--label', 'A', '--label', 'B', 'a', 'b'],
    '',
    1,
    '--- A\n+++ B\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n@@ -6,2 +6,3 @@\n f\n+z\n g\n',
  ],
  [
    ['-c', '--label', 'A', '--label', 'B', 'a', 'b'],
    '',
    1,
    '*** A\n--- B\n***************\n*** 1,7 ****\n  a\n! b\n  c\n  d\n  e\n  f\n  g\n--- 1,8 ----\n  a\n! x\n  c\n  d\n  e\n  f\n+ z\n  g\n',
  ],
  [
    ['-C1', '--label', 'A', '--label', 'B', 'a', 'b'],
    '',
    1,
    '*** A\n--- B\n***************\n*** 1,3 ****\n  a\n! b\n  c\n--- 1,3 ----\n  a\n! x\n  c\n***************\n*** 6,7 ****\n--- 6,8 ----\n  f\n+ z\n  g\n',
  ],
  [['-e', 'a', 'b'], '', 1, '6a\nz\n.\n2c\nx\n.\n'],
  [['-n', 'a', 'b'], '', 1, 'd2 1\na2 1\nx\na6 1\nz\n'],
  [
    ['-y', '-W', '30', 'a', 'b'],
    '',
    1,
    'a\t\ta\nb\t      |\tx\nc\t\tc\nd\t\td\ne\t\te\nf\t\tf\n\t      >\tz\ng\t\tg\n',
  ],
  [['-y', '-W', '30', '--suppress-common-lines', 'a', 'b'], '', 1, 'b\t      |\tx\n\t      >\tz\n'],
  [
    ['-y', '-W', '40', '--left-column', 'a', 'b'],
    '',
    1,
    'a\t\t   (\nb\t\t   |\tx\nc\t\t   (\nd\t\t   (\ne\t\t   (\nf\t\t   (\n\t\t   >\tz\ng\t\t   (\n',
  ],
  [['open', 'openb'], '', 1, '2c2\n< b\n\\ No newline at end of file\n---\n> b\n'],
  [
    ['-u', '--label', 'A', '--label', 'B', 'open', 'openb'],
    '',
    1,
    '--- A\n+++ B\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
  ],
  [
    ['-c', '--label', 'A', '--label', 'B', 'openb', 'open'],
    '',
    1,
    '*** A\n--- B\n***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! b\n\\ No newline at end of file\n',
  ],
  [['-y', '-W', '20', 'open', 'openb'], '', 1, 'a\ta\nb     \\\tb\n'],
  [['-e', 'open', 'openb'], '', 2, ''],
  [['-w', 'open', 'openb'], '', 0, ''],
  [['empty', 'a'], '', 1, '0a1,7\n> a\n> b\n> c\n> d\n> e\n> f\n> g\n'],
  [['a', 'empty'], '', 1, '1,7d0\n< a\n< b\n< c\n< d\n< e\n< f\n< g\n'],
  [
    ['-u', '--label', 'A', '--label', 'B', 'empty', 'a'],
    '',
    1,
    '--- A\n+++ B\n@@ -0,0 +1,7 @@\n+a\n+b\n+c\n+d\n+e\n+f\n+g\n',
  ],
  [
    ['-c', '--label', 'A', '--label', 'B', 'a', 'empty'],
    '',
    1,
    '*** A\n--- B\n***************\n*** 1,7 ****\n- a\n- b\n- c\n- d\n- e\n- f\n- g\n--- 0 ----\n',
  ],
  [['-w', 'sp', 'sq'], '', 1, '3d2\n< \n'],
  [['-b', 'sp', 'sq'], '', 1, '3d2\n< \n'],
  [['-bB', 'sp', 'sq'], '', 0, ''],
  [['-wB', 'sp', 'sq'], '', 0, ''],
  [['-Z', 'sp', 'sq'], '', 1, '1c1\n< a  b\n---\n> a b\n3d2\n< \n'],
  [['-i', 'up', 'low'], '', 0, ''],
  [['-i', '-y', '-W', '20', 'up', 'low'], '', 0, 'A\ta\n'],
  [['crlf', 'low'], '', 1, '1c1\n< a\r\n---\n> a\n'],
  [['--strip-trailing-cr', 'crlf', 'low'], '', 0, ''],
  [['d1', 'd2'], '', 1, 'diff d1/f d2/f\n1c1\n< x\n---\n> y\nOnly in d2: new\nOnly in d1: only\n'],
  [['-r', 'd1', 'd2'], '', 1, 'diff -r d1/f d2/f\n1c1\n< x\n---\n> y\nOnly in d2: new\nOnly in d1: only\n'],
  [['-rq', 'd1', 'd2'], '', 1, 'Files d1/f and d2/f differ\nOnly in d2: new\nOnly in d1: only\n'],
  [
    ['-rN', 'd1', 'd2'],
    '',
    1,
    'diff -rN d1/f d2/f\n1c1\n< x\n---\n> y\ndiff -rN d1/new d2/new\n0a1\n> 2\ndiff -rN d1/only d2/only\n1d0\n< 1\n',
  ],
  [
    ['-r', '-x', 'only', 'd1', 'd2'],
    '',
    1,
    'diff -r -x only d1/f d2/f\n1c1\n< x\n---\n> y\nOnly in d2: new\n',
  ],
  [
    ['-ru', '--label', 'A', '--label', 'B', 'd1', 'd2'],
    '',
    1,
    'diff -ru --label A --label B A B\n--- A\n+++ B\n@@ -1 +1 @@\n-x\n+y\nOnly in d2: new\nOnly in d1: only\n',
  ],
  [['a', 'd1'], '', 2, ''],
  [['d1/f', 'd2'], '', 1, '1c1\n< x\n---\n> y\n'],
  [['bin', 'bin2'], '', 1, 'Binary files bin and bin2 differ\n'],
  [
    ['-a', 'bin', 'bin2'],
    '',
    1,
    '1c1\n< a\u0000b\n\\ No newline at end of file\n---\n> a\u0000c\n\\ No newline at end of file\n',
  ],
  [['-q', 'bin', 'bin2'], '', 1, 'Files bin and bin2 differ\n'],
  [['rep', 'rep2'], '', 1, '3a4\n> x\n'],
  [
    ['-u', '--label', 'A', '--label', 'B', 'rep', 'rep2'],
    '',
    1,
    '--- A\n+++ B\n@@ -1,3 +1,4 @@\n x\n x\n x\n+x\n',
  ],
  [['rep2', 'rep'], '', 1, '4d3\n< x\n'],
  [['-y', '-W', '40', 't1', 't2'], '', 1, 'a\tb\t   |\ta\tc\n'],
  [['p1', 'p2'], '', 1, '4a5,7\n> 3\n> }\n> {\n'],
  [
    ['-u', '--label', 'A', '--label', 'B', 'p1', 'p2'],
    '',
    1,
    '--- A\n+++ B\n@@ -2,5 +2,8 @@\n 1\n }\n {\n+3\n+}\n+{\n 2\n }\n',
  ],
  [['-d', 'p1', 'p2'], '', 1, '4a5,7\n> 3\n> }\n> {\n'],
  [['a', 'none'], '', 2, ''],
  [['a'], '', 2, ''],
  [[], '', 2, ''],
  [['a', 'b', 'c'], '', 2, ''],
  [['-U', 'x', 'a', 'b'], '', 2, ''],
  [['-u', '-c', 'a', 'b'], '', 2, ''],
  [['--color=never', 'a', 'b'], '', 1, '2c2\n< b\n---\n> x\n6a7\n> z\n'],
  [['--normal', 'a', 'b'], '', 1, '2c2\n< b\n---\n> x\n6a7\n> z\n'],
  [
    ['--old-line-format=-%L', '--new-line-format=+%L', '--unchanged-line-format=', 'a', 'b'],
    '',
    1,
    '-b\n+x\n+z\n',
  ],
  [['--line-format=%dn:%l|', 'a', 'b'], '', 1, '1:a|2:b|2:x|3:c|4:d|5:e|6:f|7:z|7:g|'],
  [['-', 'low'], 'b\n', 1, '1c1\n< b\n---\n> a\n'],
  [['-p', 'a', 'b'], '', null, ''],
  [['-I', 'x', 'a', 'b'], '', null, ''],
  [['--color=always', 'a', 'b'], '', null, ''],
  [['-l', 'a', 'b'], '', null, ''],
  [['-D', 'X', 'a', 'b'], '', null, ''],
  [['-E', 'a', 'b'], '', null, ''],
]

describe('diff', () => {
  it.each(CASES)('handles %j with input %j like the real one', async (args, stdin, exitCode, stdout) => {
    const result = await ran(diff, 'diff', args, stdin, FILES)
    if (exitCode === null) expect(result.refused).toContain('is not supported here. Instead: ')
    else
      expect({ exitCode: result.exitCode, stdout: result.stdout, refused: result.refused }).toEqual({
        exitCode,
        stdout,
        refused: null,
      })
  })

  it('compares a folder that only one side has with an empty one with -N', async () => {
    const files = { 'x/d/f': '1\n', 'y/e f/g': '2\n' }
    const recursive = await ran(diff, 'diff', ['-rN', 'x', 'y'], '', files)
    expect(recursive.stdout).toBe('diff -rN x/d/f y/d/f\n1d0\n< 1\ndiff -rN "x/e f/g" "y/e f/g"\n0a1\n> 2\n')
    const flat = await ran(diff, 'diff', ['-N', 'x', 'y'], '', files)
    expect(flat.stdout).toBe('Common subdirectories: x/d and y/d\nCommon subdirectories: x/e f and y/e f\n')
  })
})
