// Compares the keys of `sort` by bytes, or as numbers, months or versions.

import type { Ordering } from './key.ts'
import { afterBlanks } from './key.ts'
import { compareVersions } from './version.ts'

/** A key in a form that can be compared. */
export type PreparedKey = string | number | Decimal

/** A number of any length. `digits` has no leading zeros; the decimals are separate. */
interface Decimal {
  readonly negative: boolean
  readonly whole: string
  readonly fraction: string
  /** The unit for `-h`: 0 for none, 1 for K, 2 for M, and so on. */
  readonly unit: number
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const UNITS = 'KMGTPEZY'

export function prepareKey(key: string, ordering: Ordering): PreparedKey {
  switch (ordering.numeric) {
    case 'n':
      return decimalOf(key)
    case 'h':
      return decimalOf(key, true)
    case 'g':
      return generalOf(key)
    case 'M': {
      const from = afterBlanks(key, 0)
      return MONTHS.indexOf(key.slice(from, from + 3).toUpperCase())
    }
    case '':
    case 'V':
      return plain(key, ordering)
  }
}

export function compareKeys(one: PreparedKey, other: PreparedKey, ordering: Ordering): number {
  if (typeof one === 'string' && typeof other === 'string') {
    if (ordering.numeric === 'V') return compareVersions(one, other)
    return one < other ? -1 : one > other ? 1 : 0
  }
  if (typeof one === 'number' && typeof other === 'number') return one - other || 0
  if (typeof one === 'object' && typeof other === 'object') return compareDecimals(one, other)
  // The keys are a rank and a value; see generalOf.
  return 0
}

function plain(key: string, { foldCase, dictionary, printable }: Ordering): string {
  let text = key
  if (dictionary) text = text.replace(/[^A-Za-z0-9 \t]/g, '')
  else if (printable) text = text.replace(/[^ -~]/g, '')
  return foldCase ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text
}

const NUMBER = /^[ \t\n]*(-?)0*(\d*)(?:\.(\d*))?/

/** Parses a number. Text without a number is 0. */
function decimalOf(key: string, withUnit = false): Decimal {
  const found = NUMBER.exec(key)
  const whole = found?.[2] ?? ''
  const fraction = (found?.[3] ?? '').replace(/0+$/, '')
  const unit = withUnit ? UNITS.indexOf((key[found?.[0].length ?? 0] ?? ' ').replace('k', 'K')) + 1 : 0
  const zero = whole === '' && fraction === ''
  return { negative: found?.[1] === '-' && !zero, whole, fraction, unit: zero ? 0 : unit }
}

function compareDecimals(one: Decimal, other: Decimal): number {
  if (one.negative !== other.negative) return one.negative ? -1 : 1
  const sign = one.negative ? -1 : 1
  return sign * (one.unit - other.unit || compareMagnitudes(one, other))
}

function compareMagnitudes(one: Decimal, other: Decimal): number {
  return (
    one.whole.length - other.whole.length ||
    texts(one.whole, other.whole) ||
    texts(one.fraction, other.fraction)
  )
}

function texts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

const GENERAL =
  /^[ \t\n\v\f\r]*([+-]?(?:0x[\da-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan))/i

/**
 * Parses a key for `-g`. Text that is not a number sorts first, then NaN, then numbers. Both sort below minus
 * infinity.
 */
function generalOf(key: string): PreparedKey {
  const text = GENERAL.exec(key)?.[1]
  if (text === undefined) return { negative: true, whole: '', fraction: '', unit: 2 }
  if (/nan/i.test(text)) return { negative: true, whole: '', fraction: '', unit: 1 }
  const sign = text.startsWith('-') ? -1 : 1
  if (/inf/i.test(text)) return sign * Infinity
  return /x/i.test(text) ? sign * Number(text.replace(/^[+-]/, '')) : Number(text)
}

/** Compares keys of different kinds for `-g`. */
export function compareGeneral(one: PreparedKey, other: PreparedKey): number {
  if (typeof one === 'number' && typeof other === 'number') return one < other ? -1 : one > other ? 1 : 0
  if (typeof one === 'object' && typeof other === 'object') return other.unit - one.unit
  return typeof one === 'object' ? -1 : 1
}
