// What counts as a word in a search for threads: in the texts that are searched, in the question, and in the excerpt. Knows
// no table.

import { utf8 } from '../lib/bytes.ts'
import { codePoints } from '../lib/text.ts'
import {
  INDEX_BYTES_PER_WORD,
  THREAD_PREFIX_MIN,
  THREAD_TERMS_INDEXED,
  THREAD_QUERY_TERMS,
} from './limits.ts'

const LETTERS = '\\p{L}\\p{N}\\p{M}\\p{Co}'
const WORD = new RegExp(`[${LETTERS}]+`, 'gu')
/** Written without blanks between words: each sign is a word, and several are found by their pairs. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const IS_SIGN = new RegExp(SIGN.source, 'u')

/** Signs that follow each other, or letters that do. */
const UNIT = new RegExp(`(?:${SIGN.source})+|(?:(?!${SIGN.source})[${LETTERS}])+`, 'gu')

const ASCII = /^\p{ASCII}*$/u
/** What UNIT finds in text of ASCII alone. */
const ASCII_WORD = /[a-z0-9]+/g

/**
 * What of a text is looked up, each once, the first THREAD_TERMS_INDEXED: its words, and of signs each one and each
 * with the one after it.
 */
function lookedUp(text: string): readonly string[] {
  const found = new Set<string>()
  for (const unit of unitsOf(text)) {
    if (found.size >= THREAD_TERMS_INDEXED) break
    if (!IS_SIGN.test(unit)) found.add(unit)
    else for (const one of signsOf(unit)) found.add(one)
  }
  return [...found].slice(0, THREAD_TERMS_INDEXED)
}

/** Folding each character with its offset takes three times as long, so plain ASCII text skips it. */
function unitsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? []
  return folded(text.normalize('NFC')).text.match(UNIT) ?? []
}

/** Each sign, followed by the pair that it begins: of a long text both are indexed as far as words go. */
function signsOf(signs: string): readonly string[] {
  const each = Array.from(signs)
  return each.flatMap((sign, at) => {
    const next = each[at + 1]
    return next === undefined ? [sign] : [sign, sign + next]
  })
}

function pairs(signs: string): readonly string[] {
  const each = Array.from(signs)
  return each.slice(1).map((sign, at) => `${each[at]}${sign}`)
}

/**
 * Two FNV-1a hashes of an owner, after a sign that no word has. Owners that share it share the cost of a search, and no
 * hit: the list is asked for the owner again.
 */
function ownerTag(owner: string): string {
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (const byte of new TextEncoder().encode(owner)) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x01000193)
  }
  return `§${[one, other].map((hash) => (hash >>> 0).toString(36).padStart(7, '0')).join('')}`
}

/** A text as it is indexed, with its owner as a word, and the bytes that this takes of the index at most. */
export function indexed(owner: string, text: string): { readonly terms: string; readonly bytes: number } {
  const terms = lookedUp(text)
  const joined = [ownerTag(owner), ...terms].join(' ')
  return { terms: joined, bytes: utf8(joined).length + terms.length * INDEX_BYTES_PER_WORD }
}

function termsOf(question: string): readonly string[] {
  return question.normalize('NFC').match(WORD) ?? []
}

/** The last word may be the beginning of another. */
function isBeginning(terms: readonly string[], at: number): boolean {
  return at === terms.length - 1 && codePoints(terms[at] ?? '') >= THREAD_PREFIX_MIN
}

/** What a search looks for. `words` has the beginning, too, as a whole word; `before`: all but it. */
export interface Sought {
  readonly terms: readonly string[]
  readonly beginning: { readonly of: string; readonly before: readonly string[] } | null
}

/** The first THREAD_QUERY_TERMS words of a question; null if it has none. */
export function soughtBy(question: string): Sought | null {
  const units = unitsOf(question)
  const terms = units.flatMap((unit) => {
    if (!IS_SIGN.test(unit)) return [unit]
    const signs = pairs(unit)
    return signs.length === 0 ? [unit] : signs
  })
  if (terms.length === 0) return null
  const last = units.at(-1) ?? ''
  const begins = terms.length <= THREAD_QUERY_TERMS && !IS_SIGN.test(last)
  return {
    terms: terms.slice(0, THREAD_QUERY_TERMS),
    beginning:
      begins && isBeginning(units, units.length - 1) ? { of: last, before: terms.slice(0, -1) } : null,
  }
}

/**
 * Whole words as FTS5 is asked for them, in quotes. The owner comes first: texts of others are passed over before their words are
 * compared. `owner` null: everybody's texts.
 */
export function matchOf(owner: string | null, terms: readonly string[]): string {
  return [...(owner === null ? [] : [ownerTag(owner)]), ...terms].map((word) => `"${word}"`).join(' AND ')
}

/** Returns whether a text has a word that begins so. */
export function beginsIn(beginning: string): (text: string) => boolean {
  // A word is letters and digits alone. The lookbehind is asked where the beginning is found, never elsewhere.
  const begins = new RegExp(`(?<![${LETTERS}])${beginning}`, 'u')
  return (text) => {
    const plain = foldedText(text)
    return plain.includes(beginning) && begins.test(plain)
  }
}

/** Without case and marks. In a few passes of the engine: a search does this to a megabyte. */
function foldedText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** Without case and marks, and the offset of each of its code units in the original text. */
function folded(text: string): { readonly text: string; readonly offsets: readonly number[] } {
  let out = ''
  const offsets: number[] = []
  let at = 0
  for (const sign of text) {
    const plain =
      sign < '\x80' ? sign.toLowerCase() : sign.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    out += plain
    for (let unit = 0; unit < plain.length; unit++) offsets.push(at)
    at += sign.length
  }
  offsets.push(at)
  return { text: out, offsets }
}

/** The range of the first term that the text contains; null if it contains none. */
export function findMatch(
  text: string,
  question: string,
): { readonly from: number; readonly to: number } | null {
  const { text: plain, offsets } = folded(text)
  const terms = termsOf(question).map((word) => folded(word).text)
  for (const [at, word] of terms.entries()) {
    if (word === '') continue
    const ends = isBeginning(terms, at) || IS_SIGN.test(word) ? '' : `(?![${LETTERS}])`
    const begins = IS_SIGN.test(word) ? '' : `(?<![${LETTERS}])`
    // A word is letters and digits alone.
    const found = new RegExp(`${begins}${word}${ends}`, 'u').exec(plain)
    if (!found) continue
    const from = offsets[found.index] ?? 0
    const last = offsets[found.index + word.length - 1] ?? from
    const to = offsets.find((offset) => offset > last) ?? text.length
    return { from, to }
  }
  return null
}
