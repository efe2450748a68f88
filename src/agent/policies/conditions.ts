// Whether a value of an input is one that a rule asks about: by a pattern for its text, or by bounds for its number.

import { RE2JS, RE2JSException } from 're2js'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Condition } from '../approval.ts'

/**
 * A value that is not text is compared as JSON, and so is each name and value inside it, which a server may read alone. What
 * cannot be compared asks: an invalid pattern, or a value that is not a number where a bound is set.
 */
export function holds(condition: Condition, value: unknown): boolean {
  if (value === undefined) return false
  if ('matches' in condition) return fits(value, condition.matches)
  const permitsTool = leavesOf(value)
  // Of an empty list or object nobody knows what a server reads in it.
  return permitsTool.length === 0 || permitsTool.some(within(condition))
}

/** The condition in words, after "asks where". */
export function describeCondition(condition: Condition): string {
  const { field } = condition
  if ('matches' in condition) return `${field} matches ${condition.matches}`
  const { minimum, maximum } = condition
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ]
  return `${field} is ${bounds.join(' and ')}, or is no number`
}

function fits(value: unknown, pattern: string): boolean {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    const whole = typeof value === 'object' ? [canonicalJson(value)] : []
    const texts = new Set([...whole, ...leavesOf(value).flatMap(formsOf)])
    return [...texts].some((text) => compiled.matcher(text).find())
  } catch (error) {
    if (error instanceof RE2JSException) return true
    throw error
  }
}

function within({ minimum = -Infinity, maximum = Infinity }: { minimum?: number; maximum?: number }) {
  return (leaf: unknown): boolean => {
    const number = typeof leaf === 'string' && PLAIN_NUMBER.test(leaf) ? Number(leaf) : leaf
    return typeof number !== 'number' || !Number.isFinite(number) || !(number < minimum || number > maximum)
  }
}

/** One spelling for each number. Of any other text nobody knows what a server reads in it. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Every text by which a server may know the value, so that a pattern is not passed by another spelling of it. A text: as it
 * is, and as it is read where width, blanks around it and what cannot be seen count for nothing. A number, also one in a
 * text: as JSON has it, without an exponent, and without its sign.
 */
function formsOf(leaf: unknown): readonly string[] {
  if (typeof leaf !== 'string') return typeof leaf === 'number' ? numberForms(leaf) : [canonicalJson(leaf)]
  const plain = asciiDigits(leaf.normalize('NFKC').replace(UNREAD, '').replaceAll('。', '.')).trim()
  const number = plain === '' ? Number.NaN : Number(plain.replace(/(?<=\d)[,_'\s](?=\d)/g, ''))
  return [leaf, plain, ...(Number.isFinite(number) ? numberForms(number) : [])]
}

const UNREAD = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

function numberForms(number: number): readonly string[] {
  const json = canonicalJson(number)
  const decimal = withoutExponent(json)
  return [json, decimal, decimal.replace('-', '')]
}

/** `1.5e+21` as `1500000000000000000000`. The digits are JSON's own: the shortest that make this number. */
function withoutExponent(json: string): string {
  const [, sign = '', whole = '', part = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(json) ?? []
  if (exponent === undefined) return json
  const digits = whole + part
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}${point < digits.length ? `.${digits.slice(point)}` : ''}`
}

/**
 * Converts the digits of every script to ASCII; in each script they occupy consecutive code points starting at its
 * zero.
 */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    let point = digit.codePointAt(0) ?? 0
    // Runs of ten, several of which may be adjacent (mathematical digits; NFKC has made those plain).
    for (let value = 0; value < 10; value++, point--)
      if (!/\p{Nd}/u.test(String.fromCodePoint(point - 1))) return String(value)
    return digit
  })
}

function leavesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value !== 'object' || value === null) return [value]
  return Object.entries(value).flatMap(([name, inner]) => [name, ...leavesOf(inner)])
}
