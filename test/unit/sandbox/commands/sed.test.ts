// Guards that `sed` gives the results of GNU sed 4.9.

import { describe, expect, it } from 'vitest'
import { sed } from '../../../../src/sandbox/commands/sed/sed.ts'
import { ran } from './in-memory.ts'

const FILES = { one: 'foo\nbar\n', two: 'x\nfoobar' }

const CASES: readonly (readonly [
  args: readonly string[],
  input: string,
  output: string,
  exitCode: number,
])[] = [
  [['p'], 'a', 'a\na', 0],
  [['G'], 'a', 'a\n\n', 0],
  [['x;G'], 'b\nc', '\nb\nb\nc', 0],
  [['-n', '2,3p;/c/='], 'a\nb\nc\n', 'b\nc\n3\n', 0],
  [['0,/a/d'], 'a\na\nb\n', 'a\nb\n', 0],
  [['2,~4d'], '1\n2\n3\n4\n5\n', '1\n5\n', 0],
  [['-n', '/b/,+1p'], 'a\nb\nc\n', 'b\nc\n', 0],
  [['-n', '1~2p'], 'a\nb\nc\n', 'a\nc\n', 0],
  [['3,1d'], 'a\nb\nc\n', 'a\nb\n', 0],
  // Lines that other commands take never begin a range of numbers that ends before the line.
  [['2,3d;2,3d'], '1\n2\n3\n4\n5\n', '1\n4\n5\n', 0],
  [['2,4d;3,5s/^/x/'], '1\n2\n3\n4\n5\n', '1\nx5\n', 0],
  [['$!N;s/\\n/ /'], 'a\nb\nc\n', 'a b\nc\n', 0],
  [['$!N;P;D'], 'a\nb\nc\n', 'a\nb\nc\n', 0],
  [['n;d'], 'a\nb\nc\n', 'a\nc\n', 0],
  [['2q5'], 'a\nb\nc\n', 'a\nb\n', 5],
  [['2Q7'], 'a\nb\nc\n', 'a\n', 7],
  [['2,3c\\x'], 'a\nb\nc\n', 'a\nx\n', 0],
  [['2!c x'], 'a\nb\nc\n', 'x\nb\nx\n', 0],
  [['1i\\  in\\\nmore'], 'a\nb\nc\n', '  in\nmore\na\nb\nc\n', 0],
  [['-e', '1a\\', '-e', '  t'], 'a\nb\nc\n', 'a\n  t\nb\nc\n', 0],
  [['$a\\'], 'a', 'a\n', 0],
  [['s/b*/x/g'], 'abcb\n', 'xaxcx\n', 0],
  [['s/a*/x/2'], 'baaac\n', 'bxc\n', 0],
  [['s/./x/2g'], 'abc\n', 'axx\n', 0],
  [['-E', 's/(\\w+) (\\w+)/\\2 \\1/'], 'ab cd\n', 'cd ab\n', 0],
  [['s/\\w\\+/\\u&/g;s/c/\\U&d\\Ee/'], 'ab ca\n', 'Ab Ca\n', 0],
  [['s/\\(abc\\)\\1/[\\1]/'], 'abcabc\n', '[abc]\n', 0],
  [['-E', 's/(a|ab)(c|bcd)(d*)/[\\1][\\2][\\3]/'], 'abcd\n', '[a][bcd][]\n', 0],
  [['-E', 's/foo|foobar/<&>/'], 'foobar\n', '<foobar>\n', 0],
  [['s/a\\|ab/<&>/'], 'ab\n', '<ab>\n', 0],
  [['-z', 's/\\n/,/g'], 'a\nb\nc\n', 'a,b,c,', 0],
  [[':a;N;$!ba;s/\\n/,/g'], 'a\nb\nc\n', 'a,b,c\n', 0],
  [['N;N;s/^b/X/M'], 'a\nb\nc\n', 'a\nX\nc\n', 0],
  [['y/abc/x\\ny/'], 'abc\n', 'x\ny\n', 0],
  [['-n', 'l'], 'a\t\u0001é\\\n', 'a\\t\\001\\303\\251\\\\$\n', 0],
  [['-n', 'l 5'], 'abcdefgh\n', 'abcd\\\nefgh$\n', 0],
  [['s|a\\|b|x|'], 'a|b\n', 'x\n', 0],
  [['s/[/]/-/'], 'a/b\n', 'a-b\n', 0],
  [['s/[][]/-/g'], 'a]b[\n', 'a-b-\n', 0],
  [['s/*/x/'], '*a\n', 'xa\n', 0],
  [['s/é/e/;s/./X/g'], 'éà\n', 'XX\n', 0],
  [['-s', '-n', 'F;$p', 'one', 'two'], '', 'one\none\nbar\ntwo\ntwo\nfoobar', 0],
  [['r one', 'two'], '', 'x\nfoo\nbar\nfoobar\nfoo\nbar\n', 0],
  [['R two', 'one'], '', 'foo\nx\nbar\nfoobar', 0],
  [['-n', '$p', 'one', 'nosuch'], '', 'bar\n', 2],
  [['s/a'], 'a\nb\nc\n', '', 1],
  [['k'], 'a\nb\nc\n', '', 1],
  [['s/a/\\1/'], 'a\nb\nc\n', '', 1],
  [['-E', 's/(/x/'], 'a\nb\nc\n', '', 1],
  [['#n\np'], 'a\nb\nc\n', 'a\nb\nc\n', 0],
  [['/b/{s//X/;n;s/c/Y/}'], 'a\nb\nc\n', 'a\nX\nY\n', 0],
  [['s/a/b/;ta;s/b/c/;:a s/b/d/'], 'a\n', 'd\n', 0],
  [['s/\\bb/X/;s/a\\>/Y/'], 'a b\n', 'Y X\n', 0],
  [['-n', '/B/Ip'], 'a\nb\nc\n', 'b\n', 0],
  [['$!d;w /dev/stdout'], 'a\nb\nc\n', 'c\nc\n', 0],
  [['s/x\\{2,\\}/-/g'], 'xxaxxx\n', '-a-\n', 0],
  [['-f', 'nosuch'], '', '', 4],
  [['z;s/^$/e/'], 'a\n', 'e\n', 0],
  [['s/a/\\x41\\x26/'], 'a\n', 'A&\n', 0],
  [['s/^a/X/;$!b;tx;s/$/-no/;:x'], 'a\nb\n', 'X\nb-no\n', 0],
  [['-n', 's/a/X/;N;tx;s/$/-no/;:x;p'], 'a\nb\n', 'X\nb-no\n', 0],
  [['-n', '1{N;s/a/X/;P;D};tx;s/$/-no/;:x;p'], 'a\nb\n', 'X\nb\n', 0],
]

describe('sed', () => {
  it.each(CASES)(
    'given %j and the input %j, prints %j and exits with %i',
    async (args, input, output, exitCode) => {
      const result = await ran(sed, 'sed', args, input, FILES)
      expect(result.refused).toBeNull()
      expect({ stdout: result.stdout, exitCode: result.exitCode }).toEqual({ stdout: output, exitCode })
    },
  )

  it('edits files in place, each separately, and keeps copies', async () => {
    const { files } = await ran(sed, 'sed', ['-i.bak', '-e', '1d', 'one', 'two'], '', FILES)
    expect(Object.fromEntries(files)).toEqual({
      one: 'bar\n',
      two: 'foobar',
      'one.bak': FILES.one,
      'two.bak': FILES.two,
    })
  })

  it('keeps bytes that are not UTF-8, and no pattern matches them', async () => {
    expect((await ran(sed, 'sed', ['s/./x/g'], 'a\udcffb\n')).stdout).toBe('x\udcffx\n')
  })

  it.each([
    [['--debug', 'p']],
    [['s/a/b/e']],
    [['e']],
    [['-z', 's/^/x/M']],
    [[String.raw`s/\xc3/x/`]],
    [['s/[[.space.]]/x/']],
  ])('refuses %j', async (args) => {
    expect((await ran(sed, 'sed', args, 'a\n')).refused).toMatch(/not supported here\. Instead: /)
  })

  it('ends a search with too many steps with an error', async () => {
    const result = await ran(sed, 'sed', ['-E', String.raw`s/((a*)*)*\2\1b/x/`], `${'a'.repeat(200)}\n`)
    expect(result.refused).toContain('this many steps')
  })
})
