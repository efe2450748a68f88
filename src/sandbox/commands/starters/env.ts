// `env`: prints the environment, or runs a command with a changed one. `printenv`: prints variables.

import { Failed, type Command, type CommandIo } from '../command.ts'
import { parseOptions } from '../options.ts'

const ASSIGNMENT = /^([^=]+)=(.*)$/s

export const env: Command = {
  starts: true,
  async run(io) {
    const parsed = parseOptions(
      'env',
      io.args,
      [
        { flags: '-i --ignore-environment' },
        { flags: '-0 --null' },
        { flags: '-u --unset', value: 'required' },
        { flags: '-C --chdir', value: 'required' },
        { flags: '-S --split-string', value: 'required', refused: 'the words as arguments of their own' },
        { flags: '-v --debug', refused: 'env without it' },
      ],
      { usageExit: 125, operandsLast: true },
    )
    let { operands } = parsed
    let empty = parsed.has('-i')
    if (operands[0] === '-') {
      empty = true
      operands = operands.slice(1)
    }
    const variables = new Map(empty ? [] : Object.entries(io.env))
    for (const name of parsed.values('-u')) variables.delete(name)
    let index = 0
    for (; index < operands.length; index++) {
      const [, name, value = ''] = ASSIGNMENT.exec(operands[index] ?? '') ?? []
      if (name === undefined) break
      variables.set(name, value)
    }
    const command = operands.slice(index)
    const directory = parsed.value('-C')
    if (command.length === 0) {
      if (directory !== undefined) throw new Failed('must specify command with --chdir (-C)', 125)
      return print(io, variables, parsed.has('-0') ? '\0' : '\n')
    }
    if (parsed.has('-0')) throw new Failed('cannot specify --null (-0) with command', 125)
    if (directory !== undefined && (await io.files.stat(directory))?.kind !== 'directory')
      throw new Failed(`cannot change directory to '${directory}': No such file or directory`, 125)
    return io.exec(command, {
      stdin: 'inherited',
      env: Object.fromEntries(variables),
      replacesEnv: true,
      ...(directory !== undefined && { cwd: directory }),
    })
  },
}

async function print(io: CommandIo, variables: ReadonlyMap<string, string>, end: string): Promise<number> {
  for (const [name, value] of variables) await io.stdout.write(`${name}=${value}${end}`)
  return 0
}

export const printenv: Command = {
  async run(io) {
    const parsed = parseOptions('printenv', io.args, [{ flags: '-0 --null' }], { usageExit: 2 })
    const end = parsed.has('-0') ? '\0' : '\n'
    if (parsed.operands.length === 0) return print(io, new Map(Object.entries(io.env)), end)
    let exitCode = 0
    for (const name of parsed.operands) {
      const value = Object.hasOwn(io.env, name) ? io.env[name] : undefined
      if (value === undefined) exitCode = 1
      else await io.stdout.write(value + end)
    }
    return exitCode
  },
}
