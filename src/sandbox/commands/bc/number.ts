// Decimal numbers of any length. As in `bc`, results are truncated, not rounded.

/** `digits` divided by ten to the power of `scale`. */
export interface Num {
  readonly digits: bigint
  readonly scale: number
}

export const ZERO: Num = { digits: 0n, scale: 0 }
export const ONE: Num = { digits: 1n, scale: 0 }

/** A runtime error, with bc's message. */
export class BcError extends Error {
  override readonly name = 'BcError'
}

/** Maximum number of digits of a number. One multiplication or division of such numbers takes up to 20 ms. */
const DIGITS_MAX = 200_000
/** Decimal digits per hexadecimal digit. Hexadecimal digits are counted in linear time. */
const DECIMALS_PER_HEX = Math.log10(16)

export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Throws a `TooLarge` if there are too many. */
export function limitedDigits(count: number): void {
  if (count > DIGITS_MAX) throw new TooLarge()
}

export function num(value: number): Num {
  return { digits: BigInt(value), scale: 0 }
}

/** Parses a number as bc writes it (`-12.50`), in base ten. */
export function literal(text: string): Num {
  limitedDigits(text.length)
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(`${whole}${fraction}` || '0'), scale: fraction.length }
}

export function powerOfTen(exponent: number): bigint {
  limitedDigits(exponent)
  return 10n ** BigInt(exponent)
}

/** The number of decimal digits, or one more. */
function sizeOf(digits: bigint): number {
  return Math.ceil(digits.toString(16).length * DECIMALS_PER_HEX)
}

/** Computes a product. Throws a `TooLarge` before it computes one that is too large. */
function product(one: bigint, other: bigint): bigint {
  limitedDigits(sizeOf(one) + sizeOf(other))
  return one * other
}

/** Converts to exactly `scale` decimals, truncating the others. */
export function rescaled(value: Num, scale: number): Num {
  if (scale === value.scale) return value
  return scale > value.scale
    ? { digits: product(value.digits, powerOfTen(scale - value.scale)), scale }
    : { digits: value.digits / powerOfTen(value.scale - scale), scale }
}

export function add(one: Num, other: Num): Num {
  const scale = Math.max(one.scale, other.scale)
  return { digits: rescaled(one, scale).digits + rescaled(other, scale).digits, scale }
}

export function negate(value: Num): Num {
  return { digits: -value.digits, scale: value.scale }
}

export function subtract(one: Num, other: Num): Num {
  return add(one, negate(other))
}

export function multiply(one: Num, other: Num, scale: number): Num {
  const full = one.scale + other.scale
  const kept = Math.min(full, Math.max(scale, one.scale, other.scale))
  return rescaled({ digits: product(one.digits, other.digits), scale: full }, kept)
}

export function divide(one: Num, other: Num, scale: number): Num {
  if (other.digits === 0n) throw new BcError('Divide by zero')
  const shift = scale + other.scale - one.scale
  const digits =
    shift >= 0
      ? product(one.digits, powerOfTen(shift)) / other.digits
      : one.digits / product(other.digits, powerOfTen(-shift))
  return { digits, scale }
}

export function remainder(one: Num, other: Num, scale: number): Num {
  if (other.digits === 0n) throw new BcError('Modulo by zero')
  const quotient = divide(one, other, scale)
  const kept = Math.max(one.scale, other.scale + scale)
  return rescaled(subtract(one, multiply(quotient, other, kept)), kept)
}

export function power(base: Num, exponent: Num, scale: number): Num {
  const whole = rescaled(exponent, 0).digits
  const size = whole < 0n ? -whole : whole
  if (size > 2n ** 31n) throw new BcError('exponent too large in raise')
  if (whole === 0n) return ONE
  const length = base.digits.toString().length * Number(size)
  if (length > DIGITS_MAX && base.digits !== 0n && base.digits !== 1n && base.digits !== -1n)
    throw new TooLarge()
  const full: Num = { digits: base.digits ** size, scale: base.scale * Number(size) }
  if (whole < 0n) return divide(ONE, full, scale)
  return rescaled(full, Math.min(full.scale, Math.max(scale, base.scale)))
}

export function squareRoot(value: Num, scale: number): Num {
  if (value.digits < 0n) throw new BcError('Square root of a negative number')
  if (value.digits === 0n) return ZERO
  if (compare(value, ONE) === 0) return ONE
  const kept = Math.max(scale, value.scale)
  return { digits: rootOf(rescaled(value, 2 * kept).digits), scale: kept }
}

function rootOf(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

export function compare(one: Num, other: Num): number {
  const { digits } = subtract(one, other)
  return digits < 0n ? -1 : digits > 0n ? 1 : 0
}

/** The number of digits, including decimals but no leading zeros. */
export function lengthOf(value: Num): number {
  const text = (value.digits < 0n ? -value.digits : value.digits).toString()
  return Math.max(text === '0' ? 1 : text.length, value.scale)
}
