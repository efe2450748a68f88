// Exact decimal numbers: an integer, and how many of its digits are decimals.

import { bigInteger } from '../number-size.ts'

export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Parses `-1.50`, `.5` or `1e3`; null for other text. */
export function decimalOf(text: string): Decimal | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return null
  const digits = bigInteger(whole + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** The digits of `value` with `scale` decimals. `scale` must not be less than the value's own. */
export function scaled(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale)
}

/** Formats digits that have exactly this many decimals. */
export function decimalText(digits: bigint, decimals: number): string {
  const negative = digits < 0n
  const all = (negative ? -digits : digits).toString().padStart(decimals + 1, '0')
  const text = decimals === 0 ? all : `${all.slice(0, -decimals)}.${all.slice(-decimals)}`
  return negative ? `-${text}` : text
}
