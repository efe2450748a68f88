// Commands for the working directory: `cd`, `pwd`, `pushd` and similar.

import { shownText } from '../syntax/quoting.ts'
import { FileError } from '../../commands/io/files.ts'
import { assign, variableText } from '../state/assign.ts'
import { CommandError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import { parseLetters, print, type Builtin, type BuiltinCall } from './builtin.ts'

export const cd: Builtin = async (call) => {
  const { shell } = call
  const { letters, operands } = parseLetters(call.args, 'LPe@')
  if (operands.length > 1) throw new CommandError('too many arguments')
  let [target] = operands
  let shows = false
  if (target === undefined) {
    target = variableText(shell, 'HOME') ?? ''
    if (target === '') throw new CommandError('HOME not set')
  } else if (target === '-') {
    target = variableText(shell, 'OLDPWD') ?? ''
    if (target === '') throw new CommandError('OLDPWD not set')
    shows = true
  }
  if (target === '') return 0
  const found = await searched(shell, target)
  if (found !== null && found !== target) shows = true
  await enter(shell, found ?? target, letters.has('P'))
  return shows ? print(call, `${shell.cwd}\n`) : 0
}

/** Looks a relative path up in `CDPATH`. */
async function searched(shell: Shell, target: string): Promise<string | null> {
  const path = variableText(shell, 'CDPATH')
  if (!path || /^\.{0,2}\//.test(target) || target === '.' || target === '..') return null
  for (const folder of path.split(':')) {
    const candidate = folder === '' ? target : `${folder}/${target}`
    if ((await statusOf(shell, candidate)) === 'directory') return candidate
  }
  return null
}

async function enter(shell: Shell, target: string, physical: boolean): Promise<void> {
  const kind = await statusOf(shell, target)
  if (kind === null) throw new CommandError(`${shownText(target)}: No such file or directory`)
  if (kind !== 'directory') throw new CommandError(`${shownText(target)}: Not a directory`)
  const files = shell.host.files(shell.cwd, shell.umask)
  assign(shell, 'OLDPWD', shell.cwd)
  shell.cwd = physical ? await files.realPath(target) : files.resolve(target)
  assign(shell, 'PWD', shell.cwd)
}

async function statusOf(shell: Shell, path: string): Promise<string | null> {
  try {
    return (await shell.host.files(shell.cwd, shell.umask).stat(path))?.kind ?? null
  } catch (error) {
    if (error instanceof FileError) throw new CommandError(`${path}: ${error.message}`)
    throw error
  }
}

export const pwd: Builtin = async (call) => {
  const { letters } = parseLetters(call.args, 'LP')
  const { shell } = call
  return print(
    call,
    `${letters.has('P') ? await shell.host.files(shell.cwd, shell.umask).realPath('.') : shell.cwd}\n`,
  )
}

export const pushd: Builtin = async (call) => {
  const { shell, args } = call
  const [target] = args
  const before = shell.cwd
  if (target === undefined) {
    const [top] = shell.directories
    if (top === undefined) throw new CommandError('no other directory')
    await enter(shell, top, false)
    shell.directories[0] = before
  } else if (/^[-+]\d+$/.test(target)) {
    const stack = [shell.cwd, ...shell.directories]
    const index = indexIn(stack, target)
    const rotated = [...stack.slice(index), ...stack.slice(0, index)]
    await enter(shell, rotated[0] ?? '', false)
    shell.directories = rotated.slice(1)
  } else {
    await enter(shell, target, false)
    shell.directories.unshift(before)
  }
  return printStack(call)
}

export const popd: Builtin = async (call) => {
  const { shell, args } = call
  if (shell.directories.length === 0) throw new CommandError('directory stack empty')
  const [target] = args
  const index = target === undefined ? 0 : indexIn([shell.cwd, ...shell.directories], target)
  if (index === 0) {
    const [top = ''] = shell.directories.splice(0, 1)
    await enter(shell, top, false)
  } else shell.directories.splice(index - 1, 1)
  return printStack(call)
}

function indexIn(stack: readonly string[], target: string): number {
  const number = Number(target.slice(1))
  const index = target.startsWith('+') ? number : stack.length - 1 - number
  if (!/^[-+]\d+$/.test(target)) throw new CommandError(`${target}: invalid argument`)
  if (index < 0 || index >= stack.length)
    throw new CommandError(`${target}: directory stack index out of range`)
  return index
}

export const dirs: Builtin = async (call) => {
  const { letters } = parseLetters(call.args, 'clpv')
  if (letters.has('c')) call.shell.directories = []
  if (letters.has('c')) return 0
  if (letters.has('v')) {
    const lines = stackOf(call, letters.has('l')).map(
      (path, index) => `${String(index).padStart(2)}  ${path}\n`,
    )
    return print(call, lines.join(''))
  }
  return print(call, `${stackOf(call, letters.has('l')).join(letters.has('p') ? '\n' : ' ')}\n`)
}

function stackOf({ shell }: BuiltinCall, long: boolean): string[] {
  const home = variableText(shell, 'HOME') ?? ''
  const short = (path: string): string =>
    !long && home !== '' && (path === home || path.startsWith(`${home}/`))
      ? `~${path.slice(home.length)}`
      : path
  return [shell.cwd, ...shell.directories].map(short)
}

async function printStack(call: BuiltinCall): Promise<number> {
  return print(call, `${stackOf(call, false).join(' ')}\n`)
}
