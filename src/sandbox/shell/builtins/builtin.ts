// What a built-in command is, and what several of them share.

import type { Assignment } from '../syntax/tree.ts'
import { CommandError } from '../state/flow.ts'
import { writeText } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'

/** An argument of `declare` and similar commands: a text, or an assignment whose value is not expanded yet. */
export type DeclareArgument = string | Assignment

export interface BuiltinCall {
  readonly shell: Shell
  readonly name: string
  readonly args: readonly string[]
  /** For commands that declare: the arguments as they are written. */
  readonly declared: readonly DeclareArgument[]
}

/** Resolves to the exit code. May throw a `CommandError`, whose message gets the command's name as its prefix. */
export type Builtin = (call: BuiltinCall) => number | Promise<number>

export const NAME = /^[A-Za-z_]\w*$/

export async function print({ shell }: BuiltinCall, text: string): Promise<number> {
  await writeText(shell.descriptors, 1, text)
  return 0
}

/** Reports a failure and continues: some commands then process their other arguments. */
export async function report({ shell, name }: BuiltinCall, message: string): Promise<number> {
  await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${name}: ${message}\n`)
  return 1
}

/** `bash: line 3: `. */
export function messagePrefix(shell: Shell): string {
  return `${shell.frames.at(-1)?.file ?? shell.script ?? shell.name}: line ${shell.line}: `
}

/** A whole number as the C library reads it: spaces of any kind before it, blanks after it. */
const WHOLE = /^[ \t-\r]*([+-]?\d+)[ \t]*$/

/** The digits and sign of a whole number; null for another text. */
export function wholeDigits(text: string): string | null {
  return WHOLE.exec(text)?.[1]?.replace('+', '') ?? null
}

export function parseWhole(text: string): number | null {
  const digits = wholeDigits(text)
  return digits === null ? null : Number(digits)
}

export interface Letters {
  readonly letters: ReadonlySet<string>
  /** Values of letters that take one. */
  readonly values: Readonly<Record<string, string>>
  readonly operands: readonly string[]
}

/**
 * The options of a built-in command: letters only. `allowed` as for getopts: a colon after a letter that takes a
 * value. Throws a `CommandError`.
 */
export function parseLetters(args: readonly string[], allowed: string): Letters {
  const letters = new Set<string>()
  const values: Record<string, string> = {}
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index++
      break
    }
    if (!/^-./s.test(arg)) break
    for (let position = 1; position < arg.length; position++) {
      const letter = arg[position] ?? ''
      const rule = letter === ':' ? -1 : allowed.indexOf(letter)
      if (rule === -1) throw new CommandError(`-${letter}: invalid option`, 2)
      letters.add(letter)
      if (allowed[rule + 1] !== ':') continue
      const rest = arg.slice(position + 1)
      const value = rest === '' ? args[++index] : rest
      if (value === undefined) throw new CommandError(`-${letter}: option requires an argument`, 2)
      values[letter] = value
      break
    }
  }
  return { letters, values, operands: args.slice(index) }
}
