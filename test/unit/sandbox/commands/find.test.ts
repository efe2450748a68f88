// Guards that `find` selects files and prints them as findutils does, sorted by name.

import { describe, expect, it } from 'vitest'

import { find } from '../../../../src/sandbox/commands/find/find.ts'
import { ran } from './in-memory.ts'

const FILES = {
  't/a.c': 'int\n',
  't/sub/b.h': '',
  't/sub/C.TXT':
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  't/sub/deep/d.c': 'dd',
}

/** A null exit code: refused. */
const CASES: readonly (readonly [
  args: readonly string[],
  stdin: string,
  exitCode: number | null,
  stdout: string,
])[] = [
  [['t', '-name', '*.h'], '', 0, 't/sub/b.h\n'],
  [['t', '-iname', '*.txt'], '', 0, 't/sub/C.TXT\n'],
  [['t', '-type', 'd', '-name', 's*'], '', 0, 't/sub\n'],
  [['t', '-type', 'f', '-size', '+1k'], '', 0, 't/sub/C.TXT\n'],
  [['t', '-size', '-1k', '-type', 'f'], '', 0, 't/sub/b.h\n'],
  [['t', '-empty'], '', 0, 't/sub/b.h\n'],
  [['t', '-path', '*/sub/*.h'], '', 0, 't/sub/b.h\n'],
  [['t', '-regex', '.*\\.h'], '', 0, 't/sub/b.h\n'],
  [['t', '-regextype', 'posix-extended', '-regex', '.*/(b|x)\\.h'], '', 0, 't/sub/b.h\n'],
  [['t', '-maxdepth', '0'], '', 0, 't\n'],
  [['t', '-mindepth', '3'], '', 0, 't/sub/deep/d.c\n'],
  [['t', '-name', 'sub', '-prune', '-o', '-type', 'f', '-print'], '', 0, 't/a.c\n'],
  [['t', '-type', 'f', '!', '-name', '*.c', '!', '-name', '*.h'], '', 0, 't/sub/C.TXT\n'],
  [['t', '-name', 'nope', '-o', '-name', 'b.h'], '', 0, 't/sub/b.h\n'],
  [['t', '(', '-name', 'a.c', '-o', '-name', 'b.h', ')', '-size', '+0'], '', 0, 't/a.c\n'],
  [['t/a.c', '-printf', '%p|%f|%h|%s|%y|%m|%d|%P|%H\\n'], '', 0, 't/a.c|a.c|t|4|f|644|0||t/a.c\n'],
  [['t/a.c', '-printf', '%5s|%-5s|%.1f|%%|%k|%b\\t\\101\\n'], '', 0, '    4|4    |a|%|4|8\tA\n'],
  [
    ['t/a.c', '-printf', '%TY-%Tm-%Td|%T@|%T+\\n'],
    '',
    0,
    '1970-01-01|0.0000000000|1970-01-01+00:00:00.0000000000\n',
  ],
  [['t/a.c', '-print0'], '', 0, 't/a.c\u0000'],
  [['t', '-name', 'deep', '-depth'], '', 0, 't/sub/deep\n'],
  [['t', '-newermt', '1990-01-01', '-name', 'a.c'], '', 0, ''],
  [['t', '-name', 'a.c', '-quit'], '', 0, ''],
  [['t', '-name', 'a.c', '-print', '-quit'], '', 0, 't/a.c\n'],
  [['nope'], '', 1, ''],
  [['t', '-foo'], '', 1, ''],
  [['t', '-name'], '', 1, ''],
  [['t', '-type', 'q'], '', 1, ''],
  [['t', '-size', '1q'], '', 1, ''],
  [['t', '(', '-name', 'a'], '', 1, ''],
  [['t', '-name', 'a', ')'], '', 1, ''],
  [['t', '-o', '-name', 'a'], '', 1, ''],
  [['t', '-name', 'a', '-o'], '', 1, ''],
  [['t', '!'], '', 1, ''],
  [['t', '-exec', 'echo', '{}'], '', 1, ''],
  [['t', '-maxdepth', 'x'], '', 1, ''],
  [['t', '-true', '-name', 'a.c'], '', 0, 't/a.c\n'],
  [['t', '-false'], '', 0, ''],
  [['t', '-name', '[ab].?'], '', 0, 't/a.c\nt/sub/b.h\n'],
  [['t', '-wholename', 't/a.c'], '', 0, 't/a.c\n'],
  [['t', '-perm', '644', '-name', 'a.c'], '', 0, 't/a.c\n'],
  [['t', '-name', 'a.c', ',', '-name', 'b.h'], '', 0, 't/sub/b.h\n'],
  [['t', '-not', '-type', 'd', '-name', 'd.c', '-a', '-path', '*deep*'], '', 0, 't/sub/deep/d.c\n'],
  [['t/sub', '-name', 'b.h', '-delete'], '', 0, ''],
  [['t', '-ls'], '', null, ''],
  [['t', '-user', 'x'], '', null, ''],
  [['t', '-fprint', 'f'], '', null, ''],
  [['-L', 't'], '', null, ''],
  [['t', '-printf', '%u'], '', null, ''],
  [['t', '-regextype', 'awk', '-regex', 'x'], '', null, ''],
  [['t', '-samefile', 't'], '', null, ''],
  [['t', '-ok', 'ls', ';'], '', null, ''],
]

describe('find', () => {
  it.each(CASES)('handles %j with input %j like the real one', async (args, stdin, exitCode, stdout) => {
    const result = await ran(find, 'find', args, stdin, FILES)
    if (exitCode === null) expect(result.refused).toContain('is not supported here. Instead: ')
    else
      expect({ exitCode: result.exitCode, stdout: result.stdout, refused: result.refused }).toEqual({
        exitCode,
        stdout,
        refused: null,
      })
  })
})
