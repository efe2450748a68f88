// Numbers of `bc` as text in other bases.

import { divide, limitedDigits, literal, num, powerOfTen, type Num } from './number.ts'

const DIGITS = '0123456789ABCDEF'

/** Parses digits in base `base`. */
export function parsed(text: string, base: number): Num {
  const [whole = '', fraction = ''] = text.split('.')
  if (text.length === 1) return num(DIGITS.indexOf(text))
  // A digit that is too large for the base counts as the largest one.
  const valueOf = (char: string): number => Math.min(DIGITS.indexOf(char), base - 1)
  if (base === 10)
    return literal(Array.from(text, (char) => (char === '.' ? char : String(valueOf(char)))).join(''))
  limitedDigits(text.length)
  let digits = 0n
  for (const char of whole + fraction) digits = digits * BigInt(base) + BigInt(valueOf(char))
  if (fraction === '') return { digits, scale: 0 }
  const divisor: Num = { digits: BigInt(base) ** BigInt(fraction.length), scale: 0 }
  return divide({ digits, scale: 0 }, divisor, fraction.length)
}

/** Formats the number in base `base`, as bc prints it. */
export function written(value: Num, base: number): string {
  const negative = value.digits < 0n
  const size = negative ? -value.digits : value.digits
  if (size === 0n) return '0'
  return (negative ? '-' : '') + (base === 10 ? decimal(size, value.scale) : other(size, value.scale, base))
}

function decimal(size: bigint, scale: number): string {
  const all = size.toString().padStart(scale, '0')
  if (scale === 0) return all
  return `${all.slice(0, -scale)}.${all.slice(-scale)}`
}

function other(size: bigint, scale: number, base: number): string {
  const unit = powerOfTen(scale)
  const width = String(base - 1).length
  const digit = (value: number): string =>
    base <= 16 ? (DIGITS[value] ?? '') : String(value).padStart(width, '0')
  const large = base > 16
  let text = ''
  for (let whole = size / unit; whole > 0n; whole /= BigInt(base))
    text = (large ? ' ' : '') + digit(Number(whole % BigInt(base))) + text
  if (scale === 0) return text
  text += '.'
  let rest = size % unit
  // Print as many digits as the decimal digits are worth in this base.
  for (let reach = 1n, first = true; reach.toString().length <= scale; reach *= BigInt(base), first = false) {
    rest *= BigInt(base)
    text += (large && !first ? ' ' : '') + digit(Number(rest / unit))
    rest %= unit
  }
  return text
}
