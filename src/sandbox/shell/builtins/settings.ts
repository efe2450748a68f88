// `set`, `shopt`, `shift`, `umask`, `ulimit` and other settings of the shell.

import { Unsupported } from '../../commands/command.ts'
import { modeChange } from '../../commands/file/mode.ts'
import { CommandError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import { parseLetters, parseWhole, print, report, type Builtin } from './builtin.ts'

export const set: Builtin = async (call) => {
  const { shell, args } = call
  if (args.length === 0) throw new Unsupported('set without arguments', 'declare -p NAME, or env')
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      shell.positional = args.slice(index + 1)
      return 0
    }
    if (arg === '-') {
      shell.options.turn('x', false)
      if (index + 1 < args.length) shell.positional = args.slice(index + 1)
      return 0
    }
    if (!/^[-+]./.test(arg)) break
    const on = arg.startsWith('-')
    for (const letter of arg.slice(1)) {
      if (letter !== 'o') {
        change(shell, `set ${arg[0] ?? ''}${letter}`, letter, on)
        continue
      }
      const name = args[++index]
      if (name === undefined) return printOptions(on)
      change(shell, `set ${arg[0] ?? ''}o ${name}`, name, on)
    }
  }
  if (index < args.length) shell.positional = args.slice(index)
  return 0
}

function change(shell: Shell, written: string, name: string, on: boolean): void {
  const verdict = shell.options.turn(name, on)
  if (verdict === 'unsupported') throw new Unsupported(written, 'the script without it')
  if (verdict === 'set') return
  throw new CommandError(name.length === 1 ? `-${name}: invalid option` : `${name}: invalid option name`, 2)
}

function printOptions(table: boolean): never {
  throw new Unsupported(`set ${table ? '-' : '+'}o without a name`, '[[ -o NAME ]]')
}

export const shopt: Builtin = async (call) => {
  const { shell } = call
  const { letters, operands } = parseLetters(call.args, 'supqo')
  if (operands.length === 0) throw new Unsupported('shopt without names', 'shopt NAME')
  const on = letters.has('s')
  let status = 0
  for (const name of operands) {
    const known = letters.has('o') ? shell.options.isSet(name) : shell.options.isShopt(name)
    if (on || letters.has('u')) {
      const verdict = letters.has('o') ? shell.options.turn(name, on) : shell.options.shopt(name, on)
      if (verdict === 'unsupported') {
        const instead =
          name === 'expand_aliases' ? 'functions: ll() { ls -l "$@"; }' : 'the script without it'
        throw new Unsupported(`shopt -s ${name}`, instead)
      }
      if (verdict === 'unknown') status = await report(call, `${name}: invalid shell option name`)
      continue
    }
    if (!known) {
      status = await report(call, `${name}: invalid shell option name`)
      continue
    }
    const value = shell.options.isOn(name)
    if (!value) status = 1
    if (letters.has('q')) continue
    await print(
      call,
      letters.has('p')
        ? `shopt ${value ? '-s' : '-u'} ${name}\n`
        : `${name.padEnd(15)}\t${value ? 'on' : 'off'}\n`,
    )
  }
  return status
}

export const shift: Builtin = async ({ shell, args }) => {
  const count = parseWhole(args[0] ?? '1')
  if (count === null) throw new CommandError(`${args[0] ?? ''}: numeric argument required`)
  if (count < 0) throw new CommandError(`${count}: shift count out of range`)
  if (count > shell.positional.length) return 1
  shell.positional = shell.positional.slice(count)
  return 0
}

export const umask: Builtin = async (call) => {
  const { shell } = call
  const { letters, operands } = parseLetters(call.args, 'pS')
  const [mask] = operands
  if (mask !== undefined) {
    if (/^\d/.test(mask)) {
      if (!/^0*[0-7]{1,4}$/.test(mask)) throw new CommandError(`${mask}: octal number out of range`)
      shell.umask = Number.parseInt(mask, 8) & 0o777
    } else {
      // Symbolic modes state the permissions to allow.
      const change = modeChange(mask, 0)
      if (!change) throw new Unsupported(`umask ${mask}`, 'an octal mask, such as umask 027')
      shell.umask = 0o777 & ~change(0o777 & ~shell.umask, false)
    }
    if (!letters.has('S')) return 0
  }
  if (letters.has('S')) {
    const parts = ['u', 'g', 'o'].map((who, index) => `${who}=${permissions(shell.umask >> (6 - 3 * index))}`)
    return print(call, `${parts.join(',')}\n`)
  }
  return print(call, `${letters.has('p') ? 'umask ' : ''}${shell.umask.toString(8).padStart(4, '0')}\n`)
}

/** The permissions that three bits of a mask allow. */
function permissions(mask: number): string {
  return ['r', 'w', 'x'].filter((_, index) => (mask & (4 >> index)) === 0).join('')
}

export const ulimit: Builtin = async (call) => {
  const { operands } = parseLetters(call.args, 'SHacdefilmnpqrstuvxPTbk')
  return operands.length > 0 ? 0 : print(call, 'unlimited\n')
}
