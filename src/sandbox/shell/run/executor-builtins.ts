// Built-in commands that run other commands: `eval`, `source`, `command`, `exec`, `type`.

import { Unsupported } from '../../commands/command.ts'
import { decode } from '../../commands/io/text.ts'
import { FileError } from '../../commands/io/files.ts'
import { messagePrefix, parseLetters, print, type Builtin } from '../builtins/builtin.ts'
import { compgenBuiltin } from '../builtins/compgen.ts'
import { describeCommands, hashBuiltin, typeBuiltin } from '../builtins/names.ts'
import { BUILTINS } from '../builtins/table.ts'
import { writeText } from '../state/descriptors.ts'
import { CommandError, ExitFlow, ReturnFlow } from '../state/flow.ts'
import type { Execution } from './execution.ts'
import { findFile, meaningsOf } from './lookup.ts'
import { runBuiltin } from './builtin-call.ts'
import { shellFiles } from './files.ts'

let table: { readonly execution: Execution; readonly builtins: Readonly<Record<string, Builtin>> } | null =
  null

export function executorBuiltins(execution: Execution): Readonly<Record<string, Builtin>> {
  if (table?.execution !== execution) table = { execution, builtins: create(execution) }
  return table.builtins
}

function create(execution: Execution): Readonly<Record<string, Builtin>> {
  const source = sourceBuiltin(execution)
  const names = (): ReadonlySet<string> =>
    new Set([...Object.keys(BUILTINS), ...Object.keys(executorBuiltins(execution))])
  const find = meaningsOf(names)
  const refused =
    (instead: string): Builtin =>
    ({ name }) => {
      throw new Unsupported(`bash: ${name}`, instead)
    }
  return {
    '.': source,
    source,
    async eval({ shell, args }) {
      const words = args[0] === '--' ? args.slice(1) : args
      shell.traceDepth++
      try {
        return await execution.text(shell, words.join(' '), shell.line)
      } finally {
        shell.traceDepth--
      }
    },
    async builtin({ shell, args }) {
      const [name, ...rest] = args[0] === '--' ? args.slice(1) : args
      if (name === undefined) return 0
      const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : executorBuiltins(execution)[name]
      if (!builtin) throw new CommandError(`${name}: not a shell builtin`)
      return runBuiltin(shell, builtin, name, rest)
    },
    async command(call) {
      const { letters, operands } = parseLetters(call.args, 'pvV')
      const [name, ...rest] = operands
      if (letters.has('v') || letters.has('V'))
        return describeCommands(call, find, letters.has('V') ? 'V' : 'v', operands)
      if (name === undefined) return 0
      const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : executorBuiltins(execution)[name]
      if (builtin) return runBuiltin(call.shell, builtin, name, rest)
      return execution.external(call.shell, name, rest, call.shell.variables.exported())
    },
    async exec({ shell, args }) {
      if (args.length === 0) return 0
      const { letters, operands } = parseLetters(args, 'cla:')
      if (letters.size > 0) throw new Unsupported('exec with options', 'env')
      const [name = '', ...rest] = operands
      const status = await execution.external(shell, name, rest, shell.variables.exported())
      // The program replaces the shell, so the EXIT trap does not run.
      shell.traps.set('EXIT', null)
      throw new ExitFlow(status)
    },
    type: typeBuiltin(find),
    hash: hashBuiltin(find),
    bind: refused('nothing; there is no terminal'),
    compgen: compgenBuiltin(names),
    complete: () => 0,
    compopt: () => 0,
    enable: refused('builtin NAME, or command NAME'),
    fc: refused('nothing; there is no history'),
    bg: refused('wait'),
    fg: refused('wait'),
    history: () => 0,
    logout: () => {
      throw new CommandError("not login shell: use `exit'")
    },
    suspend: refused('wait'),
    help: async (call) => {
      if (call.args.length > 0) throw new Unsupported('help with a name', 'help, which lists the commands')
      return print(
        call,
        `Built-in commands: ${[...Object.keys(BUILTINS), ...Object.keys(executorBuiltins(execution))].toSorted().join(' ')}\nOther commands: ls /usr/bin\n`,
      )
    },
  }
}

function sourceBuiltin(execution: Execution): Builtin {
  return async ({ shell, name, args }) => {
    const [path, ...given] = args[0] === '--' ? args.slice(1) : args
    const usage = `${name}: usage: ${name} filename [arguments]`
    const option = args[0] === path ? /^-./.exec(path ?? '')?.[0] : undefined
    if (option !== undefined) throw new CommandError(`${option}: invalid option\n${usage}`, 2)
    if (path === undefined) throw new CommandError(`filename argument required\n${usage}`, 2)
    const found = path.includes('/') ? path : ((await findFile(shell, path, false)) ?? path)
    let text: string
    try {
      text = decode(await shellFiles(shell).read(found))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      if (error.message === 'Is a directory') throw new CommandError(`${path}: is a directory`)
      await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${path}: ${error.message}\n`)
      return 1
    }
    const { positional, line, script, loops } = shell
    shell.frames.push({ name: 'source', kind: 'source', line, file: found })
    if (given.length > 0) shell.positional = given
    shell.traceDepth++
    try {
      return await execution.text(shell, text, 1)
    } catch (error) {
      if (error instanceof ReturnFlow) return error.status
      throw error
    } finally {
      shell.traceDepth--
      shell.frames.pop()
      if (given.length > 0) shell.positional = positional
      Object.assign(shell, { line, script, loops })
    }
  }
}
