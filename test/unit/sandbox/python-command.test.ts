// Guards that the command line of python3 is parsed as by CPython.

import { expect, test } from 'vitest'

import { readCommand } from '../../../src/sandbox/python/command.ts'

/** The mode, its argument, and `sys.argv`; or the exit code and the message. */
function read(...args: readonly string[]): unknown {
  const command = readCommand(['python3', ...args])
  if (!('order' in command)) return [command.exitCode, command.stdout + command.stderr]
  const { mode, what, argv } = command.order
  return [mode, what, argv]
}

test.each([
  [
    ['a.py', 'x', '-c'],
    ['script', 'a.py', ['a.py', 'x', '-c']],
  ],
  [
    ['-c', 'print(1)', '-v'],
    ['code', 'print(1)', ['-c', '-v']],
  ],
  [['-cpass'], ['code', 'pass', ['-c']]],
  [
    ['-m', 'json.tool', 'a'],
    ['module', 'json.tool', ['-m', 'a']],
  ],
  [
    ['-um', 'json.tool'],
    ['module', 'json.tool', ['-m']],
  ],
  [
    ['-', 'x'],
    ['stdin', '', ['-', 'x']],
  ],
  [[], ['stdin', '', ['']]],
  [
    ['--', '-odd.py'],
    ['script', '-odd.py', ['-odd.py']],
  ],
  [
    ['-B', '-X', 'utf8', '-Werror', 'a.py'],
    ['script', 'a.py', ['a.py']],
  ],
])('%j', (args, wanted) => {
  expect(read(...args)).toEqual(wanted)
})

test('options that matter are kept', () => {
  const command = readCommand([
    'python3',
    '-uIOO',
    '-W',
    'error',
    '-Xdev',
    '--check-hash-based-pycs',
    'a',
    'a.py',
  ])
  expect(command).toMatchObject({
    order: {
      what: 'a.py',
      unbuffered: true,
      flags: { isolated: 1, ignore_environment: 1, no_user_site: 1, safe_path: true, optimize: 2 },
      warnings: ['error'],
      options: ['dev'],
    },
  })
})

test.each([
  [['--version'], 0, /^Python 3\.13\.\d+\n$/],
  [['-V'], 0, /^Python 3\.13\.\d+\n$/],
  [['-h'], 0, /^usage: /],
  [['-c'], 2, /^Argument expected for the -c option/],
  [['-Z'], 2, /^unknown option -Z/],
  [['--nope'], 2, /^unknown option --nope/],
  [['-i', 'a.py'], 2, /interactive mode \(-i\)/],
  [['-b', 'a.py'], 2, /-b\) are not supported/],
  [['-Iv', 'a.py'], 2, /-v\) is not supported: use importlib/],
  [['-X', 'importtime', 'a.py'], 2, /-X importtime is not supported/],
])('%j is answered at once', (args, exitCode, output) => {
  const [code, text] = read(...args) as [number, string] // the cast is safe: `read` returns this pair for an error
  expect(code).toBe(exitCode)
  expect(text).toMatch(output)
})
