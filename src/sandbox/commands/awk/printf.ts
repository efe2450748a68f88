// `printf` and `sprintf`: formats with flags, width and precision, as GNU awk applies them.

import { Failed } from '../command.ts'
import { numberBody, padded, partsOf, type Body, type Conversion } from './conversions.ts'
import { charactersOf } from './characters.ts'
import { Input, numberOf, textOf, type Value } from './values.ts'

const MAX_WIDTH = 1_000_000

/** `convert` is CONVFMT. */
export function formatted(format: string, args: readonly Value[], convert: string): string {
  const parts = partsOf(format)
  let text = ''
  let used = 0
  const taken = (): Value => {
    if (used >= args.length)
      throw new Failed(`fatal: not enough arguments to satisfy format string\n\t\`${format}'`, 2)
    return args[used++]
  }
  const size = (written: number | '*' | null): number | null => {
    const number = written === '*' ? Math.trunc(numberOf(taken())) : written
    if (number !== null && Math.abs(number) > MAX_WIDTH) throw new Failed('fatal: a width is too large', 2)
    return number
  }
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const width = size(part.width)
    const precision = size(part.precision)
    const left = part.left || (width !== null && width < 0)
    const body = converted(part, precision !== null && precision < 0 ? null : precision, taken(), convert)
    text += padded(body, { ...part, left }, Math.abs(width ?? 0), precision !== null)
  }
  return text
}

function converted(part: Conversion, precision: number | null, value: Value, convert: string): Body {
  const word = (text: string): Body => ({ sign: '', text, number: false, integer: false })
  if (part.letter === 's') {
    const text = textOf(value, convert)
    return word(precision === null ? text : charactersOf(text, 0, precision))
  }
  if (part.letter === 'c') return word(character(value))
  return numberBody(part, precision, numberOf(value))
}

/** The text for `%c`: a number is a code point; of a text, the first character is used. */
function character(value: Value): string {
  const number = typeof value === 'number' ? value : value instanceof Input ? value.number : null
  if (value === undefined) return '\0'
  if (number === null) return charactersOf(textOf(value, ''), 0, 1)
  const code = Math.trunc(number)
  if (code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) return String.fromCodePoint(code)
  const byte = ((code % 256) + 256) % 256
  return byte < 128 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte)
}
