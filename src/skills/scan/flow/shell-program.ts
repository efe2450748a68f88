// Determines which program a command of a skill's script starts, skipping wrappers: `bash` in
// `sudo -u x env A=b timeout 5 bash`.

import { OPTION_WITH_VALUE, WRAPPERS, WRAPPERS_WITH_OPERAND } from './programs.ts'
import type { Word } from './shell-words.ts'

export interface ShellProgram {
  readonly name: string
  /** The program and its arguments. */
  readonly words: readonly Word[]
  /** The resolved name and the unquoted arguments as one string, cut to `LINE_MAX_CHARS`. */
  readonly line: string
}

const LINE_MAX_CHARS = 600
/** `command -v` looks a program up; `command -p` runs it. */
const LOOKUP_COMMAND = /^(?:command -p?[vV]|(?:type|hash) -)/

/** Returns null if there is no program. `textOf` returns the known value of a variable. */
export function resolveProgram(
  commandWords: readonly Word[],
  textOf: (name: string) => string | null,
): ShellProgram | null {
  let words = commandWords
  // Each wrapper takes at least one word away.
  for (;;) {
    const [first] = words
    if (first === undefined) return null
    const name = nameOf(first, textOf)
    const isLookup = LOOKUP_COMMAND.test(`${name} ${words[1]?.unquoted}`)
    const innerWords = WRAPPERS.test(name) && !isLookup ? withoutWrapper(words, name) : null
    if (innerWords === null || innerWords.length === 0) {
      const args = words.slice(1).map((word) => word.unquoted)
      return { name, words, line: [name, ...args].join(' ').slice(0, LINE_MAX_CHARS) }
    }
    words = innerWords
  }
}

function withoutWrapper(words: readonly Word[], name: string): readonly Word[] {
  let from = 1
  while (from < words.length) {
    const unquoted = words[from]?.unquoted ?? ''
    if (/^[A-Za-z_]\w*=/.test(unquoted)) from++
    else if (unquoted.startsWith('-') && unquoted !== '-') from += OPTION_WITH_VALUE.test(unquoted) ? 2 : 1
    else break
  }
  if (WRAPPERS_WITH_OPERAND.test(name)) from++
  return words.slice(from)
}

function nameOf(word: Word, textOf: (name: string) => string | null): string {
  const [part] = word.parts
  const lookedUpName = /^\s*(?:which|command\s+-v|type\s+-p)\s+([\w.-]{1,40})\s*$/.exec(
    part?.command ?? '',
  )?.[1]
  if (lookedUpName !== undefined && word.unquoted === '') return lookedUpName
  const unquoted = word.unquoted.replace(/^\$(?:SHELL|BASH|0)$/, 'sh')
  const text = unquoted.replace(
    /\$([A-Za-z_]\w{0,60})/g,
    (reference, name: string) => textOf(name) ?? reference,
  )
  const [first = ''] = text.trim().split(/\s/, 1)
  return first.slice(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1)
}
