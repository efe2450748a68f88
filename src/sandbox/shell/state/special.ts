// Variables that the shell computes: `RANDOM`, `LINENO`, `FUNCNAME` and others.

import { Unsupported } from '../../commands/command.ts'
import { IndexedList } from './indexed-list.ts'
import type { Shell } from './shell.ts'
import type { Value } from './variables.ts'

const BASH_VERSINFO = ['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu']

type Compute = (shell: Shell) => Value | null

const DYNAMIC: Readonly<Record<string, Compute>> = {
  RANDOM: (shell) => String(nextRandom(shell)),
  SRANDOM: (shell) => String(shell.host.random(2 ** 32)),
  SECONDS: (shell) => String(Math.floor((shell.host.now() - shell.secondsFromMs) / 1_000)),
  EPOCHSECONDS: (shell) => String(Math.floor(shell.host.now() / 1_000)),
  EPOCHREALTIME: (shell) => (shell.host.now() / 1_000).toFixed(6),
  LINENO: (shell) => String(shell.line),
  BASHPID: (shell) => String(shell.id),
  BASH_SUBSHELL: (shell) => String(shell.level),
  BASH_COMMAND: (shell) => shell.command(),
  FUNCNAME: (shell) =>
    shell.frames.some(({ kind }) => kind === 'function')
      ? names(shell, ({ name }) => name, shell.script === null ? [] : ['main'])
      : null,
  BASH_SOURCE: (shell) => names(shell, ({ file }) => file, shell.script === null ? [] : [shell.script]),
  BASH_LINENO: (shell) => names(shell, ({ line }) => String(line), shell.script === null ? [] : ['0']),
  PIPESTATUS: (shell) => new IndexedList(shell.pipeStatus.map(String)),
  DIRSTACK: (shell) => new IndexedList([shell.cwd, ...shell.directories]),
  BASH_VERSINFO: () => new IndexedList(BASH_VERSINFO),
  GROUPS: () => new IndexedList(['1000']),
  SHELLOPTS: ({ options }) => options.namesOn('set').join(':'),
  BASHOPTS: ({ options }) => options.namesOn('shopt').join(':'),
  BASH_ARGV0: (shell) => shell.name,
  BASH_ARGV: refused('BASH_ARGV', '"$@"'),
  BASH_ARGC: refused('BASH_ARGC', '$#'),
  BASH_CMDS: refused('BASH_CMDS', 'type -P NAME'),
  BASH_ALIASES: refused('BASH_ALIASES', 'alias'),
}

function refused(name: string, instead: string): Compute {
  return () => {
    throw new Unsupported(`bash: ${name}`, instead)
  }
}

/** Variables to which assignments have no effect. */
const FIXED = new Set([
  'FUNCNAME',
  'BASH_LINENO',
  'BASHPID',
  'GROUPS',
  'DIRSTACK',
  'BASH_SUBSHELL',
  'SHELLOPTS',
  'BASHOPTS',
])

/** Returns undefined if the variable is not special. */
export function dynamicValue(shell: Shell, name: string): Value | null | undefined {
  return Object.hasOwn(DYNAMIC, name) && !shell.unsetDynamic.has(name) ? DYNAMIC[name]?.(shell) : undefined
}

/** Assigns to a special variable. Returns false if it is not one. */
export function setDynamic(shell: Shell, name: string, text: string): boolean {
  if (shell.unsetDynamic.has(name)) return false
  if (name === 'RANDOM') shell.randomSeed = Number.parseInt(text, 10) || 0
  else if (name === 'BASH_ARGV0') shell.name = text
  else if (name === 'SECONDS')
    shell.secondsFromMs = shell.host.now() - (Number.parseInt(text, 10) || 0) * 1_000
  else if (!FIXED.has(name)) return false
  return true
}

function names(
  shell: Shell,
  of: (frame: Shell['frames'][number]) => string,
  main: readonly string[],
): IndexedList {
  return new IndexedList([
    ...shell.frames.map(of).reverse(),
    ...(shell.frames.length > 0 || main.length > 0 ? main : []),
  ])
}

/** bash's generator: Park-Miller, with the halves of its state combined. */
function nextRandom(shell: Shell): number {
  let seed = shell.randomSeed ?? shell.host.random(2 ** 31)
  if (seed === 0) seed = 123_459_876
  const high = Math.trunc(seed / 127_773)
  const low = seed % 127_773
  seed = 16_807 * low - 2_836 * high
  if (seed < 0) seed += 0x7f_ff_ff_ff
  shell.randomSeed = seed
  return ((seed >>> 16) ^ (seed & 0xff_ff)) & 0x7f_ff
}
