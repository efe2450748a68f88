// The type of built-in commands, and functions that several of them share.

import type { Assignment } from '../syntax/tree.ts'
import { CommandError } from '../state/flow.ts'
import { writeText } from '../state/descriptors.ts'
import type { Shell } from '../state/shell.ts'

/** An argument of `declare` and similar commands: text, or an assignment whose value is not expanded yet. */
export type DeclareArgument = string | Assignment

export interface BuiltinCall {
  readonly shell: Shell
  readonly name: string
  readonly args: readonly string[]
  /** The arguments as written, for commands that declare variables. */
  readonly declared: readonly DeclareArgument[]
}

/** Resolves to the exit code. May throw a `CommandError`, whose message gets the command's name as its prefix. */
export type Builtin = (call: BuiltinCall) => number | Promise<number>

export const NAME = /^[A-Za-z_]\w*$/

export async function print({ shell }: BuiltinCall, text: string): Promise<number> {
  await writeText(shell.descriptors, 1, text)
  return 0
}

/** Reports a failure but does not end the command, which may have other arguments to process. */
export async function report({ shell, name }: BuiltinCall, message: string): Promise<number> {
  await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${name}: ${message}\n`)
  return 1
}

/** Returns a prefix such as `bash: line 3: `. */
export function messagePrefix(shell: Shell): string {
  return `${shell.frames.at(-1)?.file ?? shell.script ?? shell.name}: line ${shell.line}: `
}

/** An integer as the C library reads it: any white space before it, blanks after it. */
const WHOLE = /^[ \t-\r]*([+-]?\d+)[ \t]*$/

/** The sign and digits of an integer; null for other text. */
export function wholeDigits(text: string): string | null {
  return WHOLE.exec(text)?.[1]?.replace('+', '') ?? null
}

export function parseWhole(text: string): number | null {
  const digits = wholeDigits(text)
  return digits === null ? null : Number(digits)
}

export interface Letters {
  readonly letters: ReadonlySet<string>
  /** The values of letters that take one. */
  readonly values: Readonly<Record<string, string>>
  readonly operands: readonly string[]
}

/**
 * Parses single-letter options of a built-in command. `allowed` is written as for getopts, with a colon after a letter
 * that takes a value. Throws a `CommandError`.
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
