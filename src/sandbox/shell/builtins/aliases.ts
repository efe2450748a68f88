// `alias` and `unalias`. As in bash, a script can define and print aliases but does not expand them.

import { Unsupported } from '../../commands/command.ts'
import { expandText } from '../expand/words.ts'
import { CommandError } from '../state/flow.ts'
import {
  parseLetters,
  print,
  report,
  type Builtin,
  type BuiltinCall,
  type DeclareArgument,
} from './builtin.ts'

/** Characters that a name must not contain: `$`, `/`, and those that end a word. */
const NOT_IN_NAME = /[$/`'"\\<>|&;()\s]/

export const alias: Builtin = async (call) => {
  const { shell } = call
  const texts: string[] = []
  for (const argument of call.declared) texts.push(await textOf(call, argument))
  const { letters, operands } = parseLetters(texts, 'p')
  if (operands.length === 0 || letters.has('p')) await show(call, [...shell.aliases.keys()].sort())
  let status = 0
  for (const operand of operands) {
    const end = operand.indexOf('=', 1)
    const name = end === -1 ? operand : operand.slice(0, end)
    if (end !== -1 && NOT_IN_NAME.test(name)) status = await report(call, `\`${name}': invalid alias name`)
    else if (end !== -1) shell.aliases.set(name, operand.slice(end + 1))
    else if (shell.aliases.has(name)) await show(call, [name])
    else status = await report(call, `${name}: not found`)
  }
  return status
}

/** The text of `a=b` after expansion, without field splitting or file names. */
async function textOf({ shell }: BuiltinCall, argument: DeclareArgument): Promise<string> {
  if (typeof argument === 'string') return argument
  const { name, subscript, appends, value } = argument
  // A list has no parts, in contrast to other values.
  if (subscript || !('parts' in value))
    throw new Unsupported(`alias ${name} with an array`, "alias NAME='TEXT'")
  return `${name}${appends ? '+' : ''}=${await expandText(shell, value, true)}`
}

export const unalias: Builtin = async (call) => {
  const { aliases } = call.shell
  const { letters, operands } = parseLetters(call.args, 'a')
  if (letters.has('a')) aliases.clear()
  else if (operands.length === 0) throw new CommandError('usage: unalias [-a] name [name ...]', 2)
  let status = 0
  for (const name of letters.has('a') ? [] : operands)
    if (!aliases.delete(name)) status = await report(call, `${name}: not found`)
  return status
}

async function show(call: BuiltinCall, names: readonly string[]): Promise<void> {
  const quoted = (name: string): string =>
    (call.shell.aliases.get(name) ?? '').replaceAll("'", String.raw`'\''`)
  await print(call, names.map((name) => `alias ${name}='${quoted(name)}'\n`).join(''))
}
