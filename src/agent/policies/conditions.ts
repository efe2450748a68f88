// Tests whether an input value meets a condition of an approval rule: a pattern for its text, or bounds for its number.

import { RE2JS, RE2JSException } from 're2js'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Condition } from '../approval.ts'

/**
 * Whether the value meets the condition. A pattern is tested against the JSON of an object or array, and against each name and value
 * in it, because a server may read them separately. In case of doubt the result is true: for an invalid pattern, and for a value
 * that is not a number although the condition has bounds.
 */
export function isMet(condition: Condition, value: unknown): boolean {
  if (value === undefined) return false
  if ('matches' in condition) return matchesPattern(value, condition.matches)
  const leaves = leavesOf(value)
  // How a server interprets an empty array or object is unknown.
  return leaves.length === 0 || leaves.some(isWithin(condition))
}

/** The condition in words, to follow "if". */
export function describeCondition(condition: Condition): string {
  const { field } = condition
  if ('matches' in condition) return `${field} matches ${condition.matches}`
  const { minimum, maximum } = condition
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ]
  return `${field} is ${bounds.join(' and ')}, or is not a number`
}

function matchesPattern(value: unknown, pattern: string): boolean {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    const json = typeof value === 'object' ? [canonicalJson(value)] : []
    const texts = new Set([...json, ...leavesOf(value).flatMap(textForms)])
    return [...texts].some((text) => compiled.matcher(text).find())
  } catch (error) {
    if (error instanceof RE2JSException) return true
    throw error
  }
}

/** A value that is not a finite number counts as within the bounds. */
function isWithin({ minimum = -Infinity, maximum = Infinity }: { minimum?: number; maximum?: number }) {
  return (leaf: unknown): boolean => {
    const number = typeof leaf === 'string' && PLAIN_NUMBER.test(leaf) ? Number(leaf) : leaf
    return typeof number !== 'number' || !Number.isFinite(number) || !(number < minimum || number > maximum)
  }
}

/** Matches only the canonical spelling of each number. How a server interprets any other text is unknown. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Every text that a server may read in the value, so that an unusual spelling does not evade a pattern. For
 * text these are the original and a normalized form: without full-width characters, surrounding blanks and
 * invisible characters. For a number, even inside a text, they are its JSON, its decimal notation without an
 * exponent, and that notation without the sign.
 */
function textForms(leaf: unknown): readonly string[] {
  if (typeof leaf !== 'string') return typeof leaf === 'number' ? numberForms(leaf) : [canonicalJson(leaf)]
  const normalized = toAsciiDigits(leaf.normalize('NFKC').replace(INVISIBLE, '').replaceAll('。', '.')).trim()
  const number = normalized === '' ? Number.NaN : Number(normalized.replace(/(?<=\d)[,_'\s](?=\d)/g, ''))
  return [leaf, normalized, ...(Number.isFinite(number) ? numberForms(number) : [])]
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function numberForms(number: number): readonly string[] {
  const json = canonicalJson(number)
  const decimal = withoutExponent(json)
  return [json, decimal, decimal.replace('-', '')]
}

/** Turns `1.5e+21` into `1500000000000000000000`. Keeps the digits of the JSON, which are the shortest for this number. */
function withoutExponent(json: string): string {
  const [, sign = '', integer = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(json) ?? []
  if (exponent === undefined) return json
  const digits = integer + fraction
  const point = integer.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}${point < digits.length ? `.${digits.slice(point)}` : ''}`
}

/**
 * Converts the digits of every script to ASCII; in each script they occupy consecutive code points starting at its
 * zero.
 */
function toAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    let codePoint = digit.codePointAt(0) ?? 0
    // Only mathematical digits have adjacent runs of ten, and NFKC has already converted those to ASCII.
    for (let value = 0; value < 10; value++, codePoint--)
      if (!/\p{Nd}/u.test(String.fromCodePoint(codePoint - 1))) return String(value)
    return digit
  })
}

function leavesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value !== 'object' || value === null) return [value]
  return Object.entries(value).flatMap(([name, inner]) => [name, ...leavesOf(inner)])
}
