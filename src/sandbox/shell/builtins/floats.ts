// The floating-point numbers of `printf`, which bash computes with 64 bits of precision.

import { bigInteger } from '../../commands/number-size.ts'

export interface WideNumber {
  readonly negative: boolean
  /** The value is `mantissa` times 2 to the power of `exponent`. */
  readonly mantissa: bigint
  readonly exponent: number
}

const PRECISION_BITS = 64n
/** Larger exponents mean infinity or zero, so they need not be computed. */
const DECIMAL_EXPONENT_MAX = 5_000

/** The number nearest to a decimal or hexadecimal text; null for infinity and for text that is not a number. */
export function wideNumber(text: string): WideNumber | null {
  const [, sign = '', hex, whole = '', fraction = '', power = '0'] =
    /^\s*([+-]?)(?:0x([0-9a-f]+)|(\d*)\.?(\d*)(?:e([+-]?\d+))?)$/i.exec(text) ?? []
  const negative = sign === '-'
  if (hex !== undefined) return rounded(negative, bigInteger(`0x${hex}`), 1n)
  if (whole + fraction === '') return null
  const exponent = Number(power) - fraction.length
  if (Math.abs(exponent) > DECIMAL_EXPONENT_MAX) return null
  const digits = bigInteger(whole + fraction)
  return exponent >= 0
    ? rounded(negative, digits * 10n ** BigInt(exponent), 1n)
    : rounded(negative, digits, 10n ** BigInt(-exponent))
}

/** Rounds a fraction to the precision, half to even. */
function rounded(negative: boolean, top: bigint, bottom: bigint): WideNumber {
  if (top === 0n) return { negative, mantissa: 0n, exponent: 0 }
  let shift = Number(PRECISION_BITS) - (bits(top) - bits(bottom))
  for (;;) {
    const [numerator, denominator] =
      shift >= 0 ? [top << BigInt(shift), bottom] : [top, bottom << BigInt(-shift)]
    const mantissa = divide(numerator, denominator)
    if (BigInt(bits(mantissa)) <= PRECISION_BITS) return { negative, mantissa, exponent: -shift }
    shift--
  }
}

function bits(value: bigint): number {
  return value.toString(2).length
}

/** Divides, rounding half to even. */
function divide(top: bigint, bottom: bigint): bigint {
  const whole = top / bottom
  const twice = (top % bottom) * 2n
  return twice > bottom || (twice === bottom && (whole & 1n) === 1n) ? whole + 1n : whole
}

/** The number times 10 to the power of `power`, rounded to an integer. */
function scaled({ mantissa, exponent }: WideNumber, power: number): bigint {
  let top = mantissa
  let bottom = 1n
  if (exponent > 0) top <<= BigInt(exponent)
  else bottom <<= BigInt(-exponent)
  if (power > 0) top *= 10n ** BigInt(power)
  else bottom *= 10n ** BigInt(-power)
  return divide(top, bottom)
}

export function formatFloat(
  value: WideNumber | 'inf' | '-inf' | 'nan',
  conversion: string,
  precision: number | null,
  flags: string,
): { sign: string; digits: string } {
  const negative = typeof value === 'string' ? value === '-inf' : value.negative
  const sign = negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const digits =
    typeof value === 'string'
      ? value.replace('-', '')
      : magnitude(value, conversion.toLowerCase(), precision ?? 6, flags.includes('#'))
  return { sign, digits: /[A-Z]/.test(conversion) ? digits.toUpperCase() : digits }
}

function magnitude(value: WideNumber, conversion: string, precision: number, alternate: boolean): string {
  if (conversion === 'f') return fixed(value, precision, alternate)
  if (conversion === 'e') {
    const { digits, exponent } = exponential(value, precision)
    return written(digits, exponent, alternate)
  }
  const significant = precision === 0 ? 1 : precision
  const { digits, exponent } = exponential(value, significant - 1)
  if (exponent < -4 || exponent >= significant)
    return written(alternate ? digits : digits.replace(/(?<=.)0+$/, ''), exponent, alternate)
  const text = fixed(value, significant - 1 - exponent, alternate)
  return alternate || !text.includes('.') ? text : text.replace(/\.?0+$/, '')
}

function fixed(value: WideNumber, precision: number, alternate: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0')
  if (precision === 0) return alternate ? `${digits}.` : digits
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** `digits` has one digit before the decimal point and `precision` digits after it. */
function exponential(value: WideNumber, precision: number): { digits: string; exponent: number } {
  if (value.mantissa === 0n) return { digits: '0'.repeat(precision + 1), exponent: 0 }
  let exponent = Math.floor((bits(value.mantissa) - 1 + value.exponent) * Math.LOG10E * Math.LN2)
  let digits = scaled(value, precision - exponent).toString()
  while (digits.length > precision + 1) digits = scaled(value, precision - ++exponent).toString()
  while (digits.length < precision + 1) digits = scaled(value, precision - --exponent).toString()
  return { digits, exponent }
}

function written(digits: string, exponent: number, alternate: boolean): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : alternate ? '.' : ''
  return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
