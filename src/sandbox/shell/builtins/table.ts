// The built-in commands by name. Those that run other commands are in the executor.

import { alias, unalias } from './aliases.ts'
import type { Builtin } from './builtin.ts'
import { arithmetic } from '../state/assign.ts'
import { CommandError } from '../state/flow.ts'
import { declare, exports, local, readonly, unset } from './declare.ts'
import { cd, dirs, popd, pushd, pwd } from './directories.ts'
import { breaks, continues, exit, returns } from './flow.ts'
import { mapfile, read } from './input.ts'
import { getopts } from './options.ts'
import { echo, printf } from './printing.ts'
import { set, shift, shopt, ulimit, umask } from './settings.ts'
import { jobs, kill, trap, wait } from './signals.ts'
import { bracket, test } from './test.ts'
import { print } from './builtin.ts'

const letBuiltin: Builtin = ({ shell, args }) => {
  if (args.length === 0) throw new CommandError('expression expected')
  let value = 0n
  for (const text of args) value = arithmetic(shell, text)
  return value === 0n ? 1 : 0
}

const caller: Builtin = async (call) => {
  const { frames, script } = call.shell
  const main = script === null ? [] : [{ name: 'main', line: 0, file: script }]
  const stack = [...frames.toReversed(), ...main]
  const level = Number(call.args[0] ?? 0)
  const from = stack[level + 1]
  const line = stack[level]?.line
  if (line === undefined || (!from && call.args.length > 0)) return 1
  if (call.args.length === 0) return print(call, `${line} ${from?.file ?? 'NULL'}\n`)
  return print(call, `${line} ${from?.name ?? ''} ${from?.file ?? ''}\n`)
}

export const BUILTINS: Readonly<Record<string, Builtin>> = {
  ':': () => 0,
  '[': bracket,
  alias,
  break: breaks,
  caller,
  cd,
  continue: continues,
  declare,
  dirs,
  disown: () => 0,
  echo,
  exit,
  export: exports,
  false: () => 1,
  getopts,
  jobs,
  kill,
  let: letBuiltin,
  local,
  mapfile,
  popd,
  printf,
  pushd,
  pwd,
  read,
  readarray: mapfile,
  readonly,
  return: returns,
  set,
  shift,
  shopt,
  test,
  times: async (call) => print(call, '0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n'),
  trap,
  true: () => 0,
  typeset: declare,
  ulimit,
  umask,
  unalias,
  unset,
  wait,
}

/** Commands whose arguments may be assignments of lists. */
export const DECLARING: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'alias',
])
