// Values of awk: numbers, strings, input that looks like a number (strnum), and arrays.

import { Failed } from '../command.ts'
import { formattedNumber } from './conversions.ts'
import { integerText } from './digits.ts'

/** Text from input, which counts as a number if it looks like one. */
export class Input {
  readonly text: string
  #number: number | null | undefined
  constructor(text: string) {
    this.text = text
  }
  /** The number, or null if the text does not look like one. */
  get number(): number | null {
    if (this.#number === undefined) this.#number = looksNumeric(this.text) ? numberOfText(this.text) : null
    return this.#number
  }
}

/** A regular expression as a value: `@/x/`. */
export class TypedRegex {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Undefined is a variable without a value: 0 and the empty string. */
export type Value = number | string | Input | TypedRegex | undefined

export class AwkArray {
  readonly map = new Map<string, Value | AwkArray>()
}

/** A variable, field or element that holds a value. */
export interface Cell {
  value: Value | AwkArray
}

const LOOKS = /^[ \t\n\r\f\v]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\n\r\f\v]*$/
const SPECIAL = /^[ \t\n\r\f\v]*[+-](?:inf|nan)[ \t\n\r\f\v]*$/i
const SIMPLE = /^-?[0-9]+(?:\.[0-9]+)?$/
const PREFIX = /^[ \t\n\r\f\v]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/
const SPECIAL_PREFIX = /^[ \t\n\r\f\v]*([+-])(inf|nan)(?![0-9A-Za-z_])/i

function looksNumeric(text: string): boolean {
  return LOOKS.test(text) || SPECIAL.test(text)
}

/** The number at the start of a text; 0 if there is none. */
export function numberOfText(text: string): number {
  if (SIMPLE.test(text)) return Number(text)
  const number = PREFIX.exec(text)?.[1]
  if (number !== undefined) return Number(number)
  const special = SPECIAL_PREFIX.exec(text)
  if (!special) return 0
  return special[2]?.toLowerCase() === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity
}

export function numberOf(value: Value): number {
  if (typeof value === 'number') return value
  if (value === undefined) return 0
  if (typeof value === 'string') return numberOfText(value)
  if (value instanceof Input) return value.number ?? numberOfText(value.text)
  return numberOfText(value.source)
}

/** Converts a value to text. `format` is CONVFMT, or OFMT in `print`. */
export function textOf(value: Value, format: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return textOfNumber(value, format)
  if (value === undefined) return ''
  return value instanceof Input ? value.text : value.source
}

function textOfNumber(value: number, format: string): string {
  if (Number.isInteger(value)) return integerText(value)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '-nan' : value > 0 ? '+inf' : '-inf'
  return formattedNumber(format, value)
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string') return value !== ''
  if (value === undefined) return false
  if (value instanceof Input) return value.number === null ? value.text !== '' : value.number !== 0
  return value.source !== ''
}

/** The number used to compare a value; null if it is compared as text. */
function numeric(value: Value): number | null {
  if (typeof value === 'number') return value
  if (value === undefined) return 0
  return value instanceof Input ? value.number : null
}

/** The settings for comparing texts: IGNORECASE ignores case. */
export interface Comparing {
  readonly convert: string
  readonly ignoreCase: boolean
}

/** Returns a negative number, 0 or a positive number. NaN sorts after all numbers. */
export function compareValues(left: Value, right: Value, how: Comparing): number {
  const one = numeric(left)
  const other = numeric(right)
  if (one !== null && other !== null) return compareNumbers(one, other)
  return compareTexts(textOf(left, how.convert), textOf(right, how.convert), how)
}

export function compareTexts(left: string, right: string, { ignoreCase }: Comparing): number {
  return ignoreCase ? compareText(left.toLowerCase(), right.toLowerCase()) : compareText(left, right)
}

export function compareNumbers(one: number, other: number): number {
  if (Number.isNaN(one)) return Number.isNaN(other) ? 0 : 1
  if (Number.isNaN(other)) return -1
  return one < other ? -1 : one > other ? 1 : 0
}

/** Compares in code point order. */
function compareText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++
  if (at === length) return left.length - right.length
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at))
}

/** Maps a code unit to its sort order: surrogates come after all other code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

export function scalar(value: Value | AwkArray, what: string): Value {
  if (value instanceof AwkArray)
    throw new Failed(`fatal: attempt to use array \`${what}' in a scalar context`, 2)
  return value
}
