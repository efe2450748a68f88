// Splits the input of xargs into items: words with quotes, or texts between delimiters.

import { Failed, Unsupported } from '../command.ts'

export interface Item {
  readonly text: string
  /** Whether the item is the last of its line, and the line does not end with a blank (option -L). */
  readonly endsLine: boolean
}

export interface Items {
  readonly items: readonly Item[]
  /** An error found after the items; null if there is none. */
  readonly error: string | null
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  0: '\0',
}

/** Parses the delimiter for `-d`: a character or an escape. */
export function delimiterOf(text: string): string {
  if (Array.from(text).length === 1) {
    if ((text.codePointAt(0) ?? 0) > 127)
      throw new Unsupported(`xargs -d ${text}`, 'an ASCII character, or tr before it')
    return text
  }
  const [, number] = /^\\([0-7]{1,3}|x[0-9a-fA-F]{1,2})$/.exec(text) ?? []
  if (number !== undefined)
    return String.fromCharCode(
      number.startsWith('x') ? Number.parseInt(number.slice(1), 16) : Number.parseInt(number, 8),
    )
  const escape = text.length === 2 && text.startsWith('\\') ? ESCAPES[text[1] ?? ''] : undefined
  if (escape === undefined)
    throw new Failed(
      text.startsWith('\\')
        ? `Invalid escape sequence ${text} in input delimiter specification.`
        : `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
    )
  return escape
}

/** Splits by a delimiter. Empty items count. */
export function delimited(input: string, delimiter: string): Items {
  if (input === '') return { items: [], error: null }
  const whole = input.endsWith(delimiter) ? input.slice(0, -1) : input
  return { items: whole.split(delimiter).map((text) => ({ text, endsLine: true })), error: null }
}

const QUOTES: Readonly<Record<string, string>> = { "'": 'single', '"': 'double' }

/**
 * Splits into words or, with `byLine`, into lines without leading blanks. Quotes and backslashes protect characters.
 * Reading stops at the word `end`.
 */
export function words(input: string, byLine: boolean, end: string | null): Items {
  const items: Item[] = []
  let text = ''
  let open = false
  const add = (endsLine: boolean): boolean => {
    if (!open) return true
    if (end !== null && text === end) return false
    items.push({ text, endsLine })
    text = ''
    open = false
    return true
  }
  for (let at = 0; at < input.length; at++) {
    const char = input[at] ?? ''
    if (char === '\n') {
      if (!add(true)) return { items, error: null }
    } else if (isBlank(char) && (!byLine || !open)) {
      if (!add(false)) return { items, error: null }
    } else if (char === '\\') {
      text += input[++at] ?? ''
      open = true
    } else if (QUOTES[char] !== undefined) {
      const close = input.indexOf(char, at + 1)
      const line = input.indexOf('\n', at + 1)
      if (close === -1 || (line !== -1 && line < close))
        return {
          items,
          error: `unmatched ${QUOTES[char]} quote; by default quotes are special to xargs unless you use the -0 option`,
        }
      text += input.slice(at + 1, close)
      open = true
      at = close
    } else {
      text += char
      open = true
    }
  }
  add(true)
  return { items, error: null }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t'
}
