// Rounds to 64 significant bits, the precision of C's `long double` on x86.

export interface Fraction {
  readonly top: bigint
  /** Always positive. */
  readonly bottom: bigint
}

const BITS = 64n

/** Rounds half to even. Does not limit the range of exponents. */
export function longDouble({ top, bottom }: Fraction): Fraction {
  if (top === 0n) return { top, bottom: 1n }
  const size = top < 0n ? -top : top
  let shift = BITS - (bitsOf(size) - bitsOf(bottom))
  if (bitsOf(quotient(size, bottom, shift)) > BITS) shift--
  const [above, below] = shift >= 0n ? [size << shift, bottom] : [size, bottom << -shift]
  const twice = 2n * (above % below)
  let digits = above / below
  if (twice > below || (twice === below && digits % 2n === 1n)) digits++
  const signed = top < 0n ? -digits : digits
  return shift >= 0n ? { top: signed, bottom: 1n << shift } : { top: signed << -shift, bottom: 1n }
}

function quotient(top: bigint, bottom: bigint, shift: bigint): bigint {
  return shift >= 0n ? (top << shift) / bottom : top / (bottom << -shift)
}

function bitsOf(value: bigint): bigint {
  return BigInt(value.toString(2).length)
}
