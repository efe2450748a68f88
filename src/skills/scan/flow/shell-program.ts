// Determines which program a command starts, skipping wrappers: `bash` in `sudo -u x env A=b timeout 5 bash`.

import { OPTION_WITH_VALUE, TAKES_ONE, WRAPPERS } from './programs.ts'
import type { Word } from './shell-words.ts'

export interface ShellProgram {
  readonly name: string
  /** The program and its arguments. */
  readonly words: readonly Word[]
  /** The program and its arguments as one string. */
  readonly line: string
}

const LINE_CHARS = 600
const WRAPPED_MAX = 6
const ASKS = /^(?:command|type|hash) -[vVp]\b/

/** `textOf` returns the known value of a variable. */
export function resolveProgram(
  all: readonly Word[],
  textOf: (name: string) => string | null,
): ShellProgram | null {
  let words = all
  for (let wrapped = 0; wrapped < WRAPPED_MAX; wrapped++) {
    const [first] = words
    if (first === undefined) return null
    const name = nameOf(first, textOf)
    const asks = ASKS.test(`${name} ${words[1]?.plain}`)
    const inner = WRAPPERS.test(name) && !asks ? behind(words, name) : null
    if (inner === null || inner.length === 0) {
      const rest = words.slice(1).map((word) => word.plain)
      return { name, words, line: [name, ...rest].join(' ').slice(0, LINE_CHARS) }
    }
    words = inner
  }
  return null
}

function behind(words: readonly Word[], name: string): readonly Word[] {
  let from = 1
  while (from < words.length) {
    const plain = words[from]?.plain ?? ''
    if (/^[A-Za-z_]\w*=/.test(plain)) from++
    else if (plain.startsWith('-') && plain !== '-') from += OPTION_WITH_VALUE.test(plain) ? 2 : 1
    else break
  }
  if (TAKES_ONE.test(name) && name !== 'watch') from++
  return words.slice(from)
}

function nameOf(word: Word, textOf: (name: string) => string | null): string {
  const [part] = word.parts
  const found = /^\s*(?:which|command\s+-v|type\s+-p)\s+([\w.-]{1,40})\s*$/.exec(part?.command ?? '')?.[1]
  if (found !== undefined && word.plain === '') return found
  const plain = word.plain.replace(/^\$(?:SHELL|BASH|0)$/, 'sh')
  const text = plain.replace(/\$([A-Za-z_]\w{0,60})/g, (seen, name: string) => textOf(name) ?? seen)
  const [first = ''] = text.trim().split(/\s/, 1)
  return first.slice(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1)
}
