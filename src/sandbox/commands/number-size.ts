// Limits the numbers that a command computes with, and the widths in its formats.

import { Unsupported } from './command.ts'

/** Maximum number of digits. One multiplication or division of such numbers takes about 10 ms. */
const DIGITS_MAX = 100_000
/** Maximum width and number of decimals of a field, which takes about 10 ms. */
const FIELD_CHARACTERS_MAX = 100_000

/** The number that a text means as `BigInt` reads it. Throws an `Unsupported` if it has too many digits. */
export function bigInteger(text: string): bigint {
  limitDigits(text.length)
  return BigInt(text)
}

/** Throws an `Unsupported` for a number with so many digits. */
export function limitDigits(count: number): void {
  if (count > DIGITS_MAX)
    throw new Unsupported(`a number of ${count} digits`, `a number of up to ${DIGITS_MAX} digits`)
}

/** The width or the precision of a field, such as `%20s`. Throws an `Unsupported` if it is too large. */
export function fieldWidth(characters: number): number {
  if (characters > FIELD_CHARACTERS_MAX)
    throw new Unsupported(`a field of ${characters} characters`, `a width of up to ${FIELD_CHARACTERS_MAX}`)
  return characters
}
