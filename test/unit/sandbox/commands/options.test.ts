// Guards invalid options: one that the real tool does not have fails as it does there, so that a script can continue
// with another form; only one that the real tool has and the command here lacks is refused.

import { describe, expect, it } from 'vitest'

import { OWN_COMMANDS } from '../../../../src/sandbox/bash/command-table.ts'
import { ran, type Ran } from './in-memory.ts'

async function run(line: string): Promise<Ran> {
  const [name = '', ...args] = line.split(' ')
  const command = OWN_COMMANDS[name]
  if (!command) throw new Error(`there is no command ${name}`)
  return ran(command, name, args)
}

const TRY = (name: string): string => `Try '${name} --help' for more information.\n`

/** The line, the exit code and the standard error of the real tool. */
const FAILING: readonly (readonly [string, number, string])[] = [
  ['date -v-7d +%s', 1, `date: invalid option -- 'v'\n${TRY('date')}`],
  ['date -j -f %Y 2024 +%s', 1, `date: invalid option -- 'j'\n${TRY('date')}`],
  ['base64 -D', 1, `base64: invalid option -- 'D'\n${TRY('base64')}`],
  ['ls --nosuch=3', 2, `ls: unrecognized option '--nosuch=3'\n${TRY('ls')}`],
  ['sort -Q', 2, `sort: invalid option -- 'Q'\n${TRY('sort')}`],
  ['env --nosuch', 125, `env: unrecognized option '--nosuch'\n${TRY('env')}`],
  ['timeout -q 1 true', 125, `timeout: invalid option -- 'q'\n${TRY('timeout')}`],
  ['head -n', 1, `head: option requires an argument -- 'n'\n${TRY('head')}`],
  ['tail --li', 1, `tail: option '--lines' requires an argument\n${TRY('tail')}`],
  ['date --utc=3', 1, `date: option '--utc' doesn't allow an argument\n${TRY('date')}`],
  ['date --r', 1, "date: option '--r' is ambiguous; possibilities: '--reference' '--"],
  ['wc --m=3', 1, `wc: option '--max-line-length' doesn't allow an argument\n${TRY('wc')}`],
  ['patch --nosuch', 2, `patch: unrecognized option '--nosuch'\npatch: ${TRY('patch')}`],
  ['iconv -Q', 64, "iconv: invalid option -- 'Q'\nTry `iconv --help' or"],
  ['cmp --nosuch', 2, `cmp: unrecognized option '--nosuch'\ncmp: ${TRY('cmp')}`],
  ['gzip -y', 1, "gzip: invalid option -- 'y'\nTry `gzip --help' for more information.\n"],
  ['grep -Y x', 2, `grep: invalid option -- 'Y'\nUsage: grep [OPTION]... PATTERNS [FILE]...\n${TRY('grep')}`],
  [
    'tar --disable-copyfile -cf x y',
    64,
    "tar: unrecognized option '--disable-copyfile'\nTry 'tar --help' or",
  ],
  ['dd foo=3', 1, `dd: unrecognized operand ‘foo=3’\n${TRY('dd')}`],
  ['dd conv=zz', 1, `dd: invalid conversion: ‘zz’\n${TRY('dd')}`],
]

/** Options that the real tool has and the command here lacks. */
const REFUSED: readonly string[] = [
  'date --help',
  'date --rfc-822',
  'sort --compress-program=gzip',
  'tail --pid=3',
  'tail --pi=3',
  'awk --lint x',
  'cksum -w',
  'dd conv=ascii',
  'xxd -n x',
  'hostname -I',
]

/** What refusals of options suggest. */
const SUGGESTED: readonly string[] = [
  'realpath -s a',
  'du -b -k -m a',
  'du -h a',
  'find . -printf %s',
  'find . -print0',
  'stat -c %s a',
  'ls -t -a -L -I x',
  'ls -l -h -F -p',
  'cp -R a b',
  'cp --preserve a b',
  'mkdir -p a/b',
  'md5sum -c a',
  'sha256sum -c a',
  'column -t -N A,B a',
  'jq -R . a',
  'tac -s : a',
  'od -t x1 -j 2 a',
  'strings -a a',
  'readlink -f a',
  'date -d 2024-01-31',
  'grep -r --exclude=x y',
  'patch -b -z .o -B x a b',
  'unzip -l a',
  'unzip -o a',
  'gzip -c a',
  'xargs -0 echo',
  'diff -b -N -x c -u a b',
  'diff -e a b',
  'diff -r a b',
  'diff -y a b',
  'diff --old-line-format=x --new-line-format=y --unchanged-line-format=z a b',
]

describe('an invalid option', () => {
  for (const line of SUGGESTED)
    it(`is not one that a refusal suggests: ${line}`, async () => {
      const result = await run(line)
      expect(result.refused).toBeNull()
      expect(result.stderr).not.toMatch(/option|usage/i)
    })

  for (const [line, exitCode, stderr] of FAILING)
    it(`fails as the real tool does: ${line}`, async () => {
      const result = await run(line)
      expect(result).toMatchObject({ exitCode, refused: null, stdout: '' })
      expect(result.stderr).toContain(stderr)
    })

  for (const line of REFUSED)
    it(`is refused if only the real tool has it: ${line}`, async () => {
      expect((await run(line)).refused).toContain('is not supported here')
    })
})
