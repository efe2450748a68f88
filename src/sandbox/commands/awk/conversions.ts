// The conversions of a format (`%5.2f`), and how they write numbers.

import { Unsupported } from '../command.ts'
import { lengthOf } from './characters.ts'
import { fieldWidth } from '../number-size.ts'
import { exponential, fixed, general, integerText } from './digits.ts'

export interface Conversion {
  readonly left: boolean
  readonly plus: boolean
  readonly space: boolean
  readonly alternate: boolean
  readonly zero: boolean
  readonly width: number | '*' | null
  readonly precision: number | '*' | null
  readonly letter: string
}

/** The flag `'` groups digits as the locale requires. C.UTF-8 does not group them. */
const CONVERSION = /%(?:(%)|([-+ #0']*)(\*|[0-9]+)?(?:\.(\*|[0-9]*))?([hlLqjzt]*)([\s\S])?)/g
const cache = new Map<string, readonly (string | Conversion)[]>()

export function partsOf(format: string): readonly (string | Conversion)[] {
  const known = cache.get(format)
  if (known) return known
  const parts: (string | Conversion)[] = []
  let plain = 0
  for (const match of format.matchAll(CONVERSION)) {
    const [whole, percent, flags = '', width, precision, , letter = ''] = match
    if (match.index > plain) parts.push(format.slice(plain, match.index))
    plain = match.index + whole.length
    if (percent !== undefined) {
      parts.push('%')
      continue
    }
    if (!'dicouxXeEfFgGsaA'.includes(letter) || letter === '') {
      if (letter === '%' && whole.length > 1) parts.push('%')
      else if (whole.includes('$') || letter === '$')
        throw new Unsupported('awk printf with positions (%1$s)', 'the arguments in the order of the format')
      else parts.push(whole)
      continue
    }
    if (letter === 'a' || letter === 'A') throw new Unsupported('awk printf %a', 'python3 (float.hex)')
    parts.push({
      left: flags.includes('-'),
      plus: flags.includes('+'),
      space: flags.includes(' '),
      alternate: flags.includes('#'),
      zero: flags.includes('0'),
      width: width === undefined ? null : width === '*' ? '*' : Number(width),
      precision: precision === undefined ? null : precision === '*' ? '*' : Number(precision),
      letter,
    })
  }
  if (plain < format.length) parts.push(format.slice(plain))
  if (cache.size > 500) cache.clear()
  cache.set(format, parts)
  return parts
}

export interface Body {
  readonly sign: string
  readonly text: string
  /** Whether it may be padded with zeros. */
  readonly number: boolean
  readonly integer: boolean
}

/** Formats a number for a conversion other than `%s` and `%c`. */
export function numberBody(part: Conversion, precision: number | null, number: number): Body {
  const negative = number < 0
  const sign = negative ? '-' : part.plus ? '+' : part.space ? ' ' : ''
  if (!Number.isFinite(number)) {
    const text = Number.isNaN(number) ? 'nan' : 'inf'
    return { sign: Number.isNaN(number) ? '-' : negative ? '-' : '+', text, number: false, integer: false }
  }
  const size = Math.abs(number)
  if ('eEfFgG'.includes(part.letter)) {
    const text = real(part, size, fieldWidth(precision ?? 6))
    const upper = 'EG'.includes(part.letter)
    return { sign, text: upper ? text.toUpperCase() : text, number: true, integer: false }
  }
  return integer(part, number, precision)
}

function real(part: Conversion, size: number, precision: number): string {
  const letter = part.letter.toLowerCase()
  if (letter === 'g') return general(size, precision, part.alternate)
  const text = letter === 'f' ? fixed(size, precision) : exponential(size, precision)
  return part.alternate && precision === 0 ? text.replace(/^[0-9]+/, '$&.') : text
}

function integer(part: Conversion, number: number, precision: number | null): Body {
  const whole = Math.trunc(number)
  const signed = part.letter === 'd' || part.letter === 'i'
  const sign = !signed ? '' : whole < 0 ? '-' : part.plus ? '+' : part.space ? ' ' : ''
  const wraps = !signed && whole < 0 && whole >= -(2 ** 63)
  if (!signed && (whole >= 2 ** 64 || whole < -(2 ** 63)))
    return {
      sign: whole < 0 ? '-' : '',
      text: general(Math.abs(number), precision ?? 6, false),
      number: true,
      integer: false,
    }
  const size = Math.abs(whole)
  const base = part.letter === 'o' ? 8 : part.letter === 'x' || part.letter === 'X' ? 16 : 10
  let text = wraps
    ? BigInt.asUintN(64, BigInt(whole)).toString(base)
    : base === 10
      ? integerText(size)
      : BigInt(size).toString(base)
  if (part.letter === 'X') text = text.toUpperCase()
  if (precision !== null)
    text = precision === 0 && size === 0 ? '' : text.padStart(fieldWidth(precision), '0')
  if (part.alternate && base === 8 && !text.startsWith('0')) text = `0${text}`
  const prefix = part.alternate && base === 16 && size !== 0 ? `0${part.letter}` : ''
  return { sign: sign + prefix, text, number: true, integer: true }
}

export function padded(
  { sign, text, number, integer: whole }: Body,
  part: Conversion,
  width: number,
  precise: boolean,
): string {
  const length = sign.length + (number ? text.length : lengthOf(text))
  if (length >= width) return sign + text
  const room = fieldWidth(width) - length
  if (part.left) return sign + text + ' '.repeat(room)
  // An integer with a precision is not padded with zeros.
  if (part.zero && number && !(whole && precise)) return sign + '0'.repeat(room) + text
  return ' '.repeat(room) + sign + text
}

/** Formats a number with CONVFMT or OFMT. */
export function formattedNumber(format: string, number: number): string {
  return partsOf(format)
    .map((part) => {
      if (typeof part === 'string') return part
      if (part.width === '*' || part.precision === '*' || 'sc'.includes(part.letter))
        throw new Unsupported(`awk with CONVFMT or OFMT ${format}`, '%.6g, %d and other formats of numbers')
      return padded(numberBody(part, part.precision, number), part, part.width ?? 0, part.precision !== null)
    })
    .join('')
}
