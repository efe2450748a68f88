// Defines what counts as a word in a thread search: in the indexed texts, in the query, and in the excerpt.
// Does not access the database.

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
/**
 * Characters of scripts that are written without spaces between words. Each one counts as a word; longer
 * words are found by pairs of characters.
 */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const IS_SIGN = new RegExp(SIGN.source, 'u')

/** A run of such characters, or a run of other letters. */
const UNIT = new RegExp(`(?:${SIGN.source})+|(?:(?!${SIGN.source})[${LETTERS}])+`, 'gu')

const ASCII = /^\p{ASCII}*$/u
/** Matches the same words as UNIT, for text that contains only ASCII. */
const ASCII_WORD = /[a-z0-9]+/g

/**
 * The index terms of a text without duplicates, at most THREAD_TERMS_INDEXED. These are its words; in scripts
 * without spaces, each character, and each character together with the next one.
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

/**
 * The words and character runs of a text. Folding characters with their offsets takes three times as long, so
 * ASCII text skips it.
 */
function unitsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? []
  return folded(text.normalize('NFC')).text.match(UNIT) ?? []
}

/**
 * Each character, followed by the pair that starts with it, so that the limit on terms cuts both at the same
 * position.
 */
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
 * A term for the owner: two FNV-1a hashes after a character that no word contains. If two owners have the
 * same tag, each one's searches read the other's texts, too, but the owner is checked again before a hit is
 * returned.
 */
function ownerTag(owner: string): string {
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (const byte of new TextEncoder().encode(owner)) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x01000193)
  }
  return `§${[one, other].map((hash) => (hash >>> 0).toString(36).padStart(7, '0')).join('')}`
}

/**
 * The index terms of a text, including its owner's tag, and the maximum number of bytes that they take in the
 * index.
 */
export function indexed(owner: string, text: string): { readonly terms: string; readonly bytes: number } {
  const terms = lookedUp(text)
  const joined = [ownerTag(owner), ...terms].join(' ')
  return { terms: joined, bytes: utf8(joined).length + terms.length * INDEX_BYTES_PER_WORD }
}

function termsOf(question: string): readonly string[] {
  return question.normalize('NFC').match(WORD) ?? []
}

/**
 * Whether the term also matches longer words. Only the last term does, because the user may still be typing
 * it.
 */
function isBeginning(terms: readonly string[], at: number): boolean {
  return at === terms.length - 1 && codePoints(terms[at] ?? '') >= THREAD_PREFIX_MIN
}

/**
 * What a search looks for. `terms` includes the prefix as a complete word; `before` are the terms without it.
 */
export interface Sought {
  readonly terms: readonly string[]
  readonly beginning: { readonly of: string; readonly before: readonly string[] } | null
}

/** Parses a query, using at most its first THREAD_QUERY_TERMS words. Returns null if it has none. */
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
 * The FTS5 query for complete words, in quotes. The owner's tag comes first, so that other owners' texts are
 * skipped before their words are compared. `owner` is null to search everybody's texts.
 */
export function matchOf(owner: string | null, terms: readonly string[]): string {
  return [...(owner === null ? [] : [ownerTag(owner)]), ...terms].map((word) => `"${word}"`).join(' AND ')
}

/** Returns a function that tells whether a text has a word with this prefix. */
export function beginsIn(beginning: string): (text: string) => boolean {
  // The prefix contains only letters and digits, so it needs no escaping. The lookbehind is evaluated only
  // where it matches.
  const begins = new RegExp(`(?<![${LETTERS}])${beginning}`, 'u')
  return (text) => {
    const plain = foldedText(text)
    return plain.includes(beginning) && begins.test(plain)
  }
}

/**
 * Removes case and diacritics. Uses few passes of the regex engine, because one search folds up to a
 * megabyte.
 */
function foldedText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/**
 * Removes case and diacritics, and returns for each code unit of the result its offset in the original text.
 */
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

/** The range of the first query term that the text contains; null if it contains none. */
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
    // The word contains only letters and digits, so it needs no escaping.
    const found = new RegExp(`${begins}${word}${ends}`, 'u').exec(plain)
    if (!found) continue
    const from = offsets[found.index] ?? 0
    const last = offsets[found.index + word.length - 1] ?? from
    const to = offsets.find((offset) => offset > last) ?? text.length
    return { from, to }
  }
  return null
}
