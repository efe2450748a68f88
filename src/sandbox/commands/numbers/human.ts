// Parses and formats numbers with units (`1.5K`, `2Mi`) as exact fractions, as `numfmt` does.

import { bigInteger, fieldWidth } from '../number-size.ts'
import { decimalText } from './decimal.ts'
import { longDouble, type Fraction } from './long-double.ts'

export type Unit = 'none' | 'auto' | 'si' | 'iec' | 'iec-i'
export type Rounding = 'up' | 'down' | 'from-zero' | 'towards-zero' | 'nearest'

const LETTERS = 'KMGTPEZY'

export interface Parsed {
  readonly value: Fraction
  /** Number of decimals of the result if it has no unit. */
  readonly precision: number
}

/** Parses a number. Returns a message if `text` is not valid. */
export function parsedHuman(text: string, unit: Unit): Parsed | string {
  const [, sign, whole = '', fraction = '', letter = '', i = '', rest = ''] =
    /^(-?)(\d*)(?:\.(\d+))?([KMGTPEZY]?)(i?)(.*)$/s.exec(text) ?? []
  if (sign === undefined || whole + fraction === '' || rest.startsWith('.'))
    return `invalid number: ‘${text}’`
  const value: Fraction = {
    top: bigInteger(whole + fraction) * (sign === '-' ? -1n : 1n),
    bottom: 10n ** BigInt(fraction.length),
  }
  if (letter === '') {
    if (i + rest !== '') return `invalid suffix in input: ‘${text}’`
    return { value, precision: fraction.length }
  }
  if (unit === 'none') return `rejecting suffix in input: ‘${text}’ (consider using --from)`
  if (rest !== '' || (i === 'i' && unit !== 'auto' && unit !== 'iec-i'))
    return `invalid suffix in input ‘${text}’: ‘${i}${rest}’`
  if (unit === 'iec-i' && i === '') return `missing 'i' suffix in input: ‘${text}’ (e.g Ki/Mi/Gi)`
  const base = unit === 'si' || (unit === 'auto' && i === '') ? 1_000n : 1_024n
  const factor = base ** BigInt(LETTERS.indexOf(letter) + 1)
  return { value: { top: value.top * factor, bottom: value.bottom }, precision: 0 }
}

/** Formats a number. `precision` is the number of decimals; null to choose it by size. */
export function human(
  { top, bottom }: Fraction,
  unit: Unit,
  rounding: Rounding,
  precision: number | null,
  plainPrecision: number,
): string {
  if (unit === 'none') {
    const decimals = fieldWidth(precision ?? plainPrecision)
    const power = 10n ** BigInt(decimals)
    // The real tool computes in binary, so it rounds 1.20 up to 1.21 with two decimals.
    const whole = top / bottom
    const rest = longDouble({ top: top % bottom, bottom })
    const sum = longDouble({ top: whole * rest.bottom + rest.top, bottom: rest.bottom })
    const product = longDouble({ top: sum.top * power, bottom: sum.bottom })
    return decimalText(rounded(product.top, product.bottom, rounding), decimals)
  }
  const base = unit === 'si' ? 1_000n : 1_024n
  const size = top < 0n ? -top : top
  let power = 0
  let unitSize = bottom
  while (size >= base * unitSize && power < LETTERS.length) {
    unitSize *= base
    power++
  }
  const decimals = precision === null ? (size < 10n * unitSize ? 1 : 0) : Math.min(3 * power, precision)
  let digits = rounded(top * 10n ** BigInt(decimals), unitSize, rounding)
  const limit = base * 10n ** BigInt(decimals)
  if (digits >= limit || digits <= -limit) {
    digits /= base
    power++
  }
  const isSmall =
    digits !== 0n && digits < 10n ** BigInt(decimals + 1) && -digits < 10n ** BigInt(decimals + 1)
  const shown = precision ?? (isSmall && power > 0 ? 1 : 0)
  const letter = power === 0 ? '' : (LETTERS[power - 1] ?? '') + (unit === 'iec-i' ? 'i' : '')
  const text = withDecimals(digits, decimals, shown)
  // A number that is rounded to zero keeps its sign.
  return (top < 0n && !text.startsWith('-') ? '-' : '') + text + letter
}

/** Reduces `digits`, which has `decimals` decimals, to `shown` decimals. */
function withDecimals(digits: bigint, decimals: number, shown: number): string {
  if (shown >= decimals) return decimalText(digits * 10n ** BigInt(shown - decimals), shown)
  // Rounds half to even, as in the C library.
  const unit = 10n ** BigInt(decimals - shown)
  const isHalf = 2n * (digits % unit) === unit || 2n * (digits % unit) === -unit
  if (isHalf && (digits / unit) % 2n === 0n) return decimalText(digits / unit, shown)
  return decimalText(rounded(digits, unit, 'nearest'), shown)
}

function rounded(top: bigint, bottom: bigint, rounding: Rounding): bigint {
  const cut = top / bottom
  const rest = top % bottom
  if (rest === 0n) return cut
  const away = top < 0n ? cut - 1n : cut + 1n
  switch (rounding) {
    case 'up':
      return top < 0n ? cut : away
    case 'down':
      return top < 0n ? away : cut
    case 'from-zero':
      return away
    case 'towards-zero':
      return cut
    case 'nearest':
    default:
      return 2n * (rest < 0n ? -rest : rest) >= bottom ? away : cut
  }
}
