// Defines what counts as a word in a thread search: in the indexed texts, in the query, and in the excerpt.
// Does not access the database.

import { utf8 } from '../lib/bytes.ts'
import { codePoints } from '../lib/text.ts'
import { INDEX_BYTES_PER_WORD, PREFIX_MIN_CHARS, INDEXED_TERMS_MAX, QUERY_TERMS_MAX } from './limits.ts'

const LETTERS = '\\p{L}\\p{N}\\p{M}\\p{Co}'
const WORD = new RegExp(`[${LETTERS}]+`, 'gu')
/**
 * Characters of scripts that are written without spaces between words. Each one counts as a word; longer
 * words are found by pairs of characters.
 */
const UNSPACED_CHAR =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const HAS_UNSPACED_CHAR = new RegExp(UNSPACED_CHAR.source, 'u')

/** A run of such characters, or a run of other letters. */
const WORD_OR_UNSPACED_RUN = new RegExp(
  `(?:${UNSPACED_CHAR.source})+|(?:(?!${UNSPACED_CHAR.source})[${LETTERS}])+`,
  'gu',
)

const ASCII = /^\p{ASCII}*$/u
/** Matches the same words as WORD_OR_UNSPACED_RUN, for text that contains only ASCII. */
const ASCII_WORD = /[a-z0-9]+/g

/**
 * The index terms of a text without duplicates, at most INDEXED_TERMS_MAX. These are its words; in scripts
 * without spaces, each character, and each character together with the next one.
 */
function indexTerms(text: string): readonly string[] {
  const terms = new Set<string>()
  for (const unit of splitIntoRuns(text)) {
    if (terms.size >= INDEXED_TERMS_MAX) break
    if (!HAS_UNSPACED_CHAR.test(unit)) terms.add(unit)
    else for (const term of charsAndPairs(unit)) terms.add(term)
  }
  return [...terms].slice(0, INDEXED_TERMS_MAX)
}

/**
 * The words and character runs of a text. Folding characters with their offsets takes three times as long, so
 * ASCII text skips it.
 */
function splitIntoRuns(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? []
  return foldWithOffsets(text.normalize('NFC')).text.match(WORD_OR_UNSPACED_RUN) ?? []
}

/**
 * Each character, followed by the pair that starts with it, so that the limit on terms cuts both at the same
 * position.
 */
function charsAndPairs(chars: string): readonly string[] {
  const list = Array.from(chars)
  return list.flatMap((char, index) => {
    const next = list[index + 1]
    return next === undefined ? [char] : [char, char + next]
  })
}

function charPairs(chars: string): readonly string[] {
  const list = Array.from(chars)
  return list.slice(1).map((char, index) => `${list[index]}${char}`)
}

/**
 * A term for the owner: two FNV-1a hashes after a character that no word contains. If two owners have the
 * same tag, each one's searches read the other's texts, too, but the owner is checked again before a hit is
 * returned.
 */
function ownerTag(owner: string): string {
  let [hash1, hash2] = [0x811c9dc5, 0x9747b28c]
  for (const byte of new TextEncoder().encode(owner)) {
    hash1 = Math.imul(hash1 ^ byte, 0x01000193)
    hash2 = Math.imul(hash2 ^ byte, 0x01000193)
  }
  return `§${[hash1, hash2].map((hash) => (hash >>> 0).toString(36).padStart(7, '0')).join('')}`
}

/**
 * The index terms of a text, including its owner's tag, and the maximum number of bytes that they take in the
 * index.
 */
export function toIndexedText(
  owner: string,
  text: string,
): { readonly terms: string; readonly bytes: number } {
  const terms = indexTerms(text)
  const joined = [ownerTag(owner), ...terms].join(' ')
  return { terms: joined, bytes: utf8(joined).length + terms.length * INDEX_BYTES_PER_WORD }
}

function splitQuery(question: string): readonly string[] {
  return question.normalize('NFC').match(WORD) ?? []
}

/**
 * Whether the term also matches longer words. Only the last term does, because the user may still be typing
 * it.
 */
function isPrefixTerm(terms: readonly string[], index: number): boolean {
  return index === terms.length - 1 && codePoints(terms[index] ?? '') >= PREFIX_MIN_CHARS
}

/**
 * What a search looks for. `terms` includes the prefix as a complete word; `otherTerms` are the terms without
 * it.
 */
export interface SearchQuery {
  readonly terms: readonly string[]
  readonly prefix: { readonly text: string; readonly otherTerms: readonly string[] } | null
}

/** Parses a query, using at most its first QUERY_TERMS_MAX words. Returns null if it has none. */
export function parseSearchQuery(question: string): SearchQuery | null {
  const units = splitIntoRuns(question)
  const terms = units.flatMap((unit) => {
    if (!HAS_UNSPACED_CHAR.test(unit)) return [unit]
    const chars = charPairs(unit)
    return chars.length === 0 ? [unit] : chars
  })
  if (terms.length === 0) return null
  const last = units.at(-1) ?? ''
  const mayEndInPrefix = terms.length <= QUERY_TERMS_MAX && !HAS_UNSPACED_CHAR.test(last)
  return {
    terms: terms.slice(0, QUERY_TERMS_MAX),
    prefix:
      mayEndInPrefix && isPrefixTerm(units, units.length - 1)
        ? { text: last, otherTerms: terms.slice(0, -1) }
        : null,
  }
}

/**
 * The FTS5 query for complete words, in quotes. The owner's tag comes first, so that other owners' texts are
 * skipped before their words are compared. `owner` is null to search everybody's texts.
 */
export function ftsQuery(owner: string | null, terms: readonly string[]): string {
  return [...(owner === null ? [] : [ownerTag(owner)]), ...terms].map((word) => `"${word}"`).join(' AND ')
}

/** Returns a function that tells whether a text has a word with this prefix. */
export function prefixMatcher(prefix: string): (text: string) => boolean {
  // The prefix contains only letters and digits, so it needs no escaping.
  const pattern = new RegExp(`(?<![${LETTERS}])${prefix}`, 'u')
  return (text) => {
    const folded = fold(text)
    return folded.includes(prefix) && pattern.test(folded)
  }
}

/**
 * Removes case and diacritics. Uses few passes of the regex engine, because one search folds up to a
 * megabyte.
 */
function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/**
 * Removes case and diacritics, and returns for each code unit of the result its offset in the original text.
 */
function foldWithOffsets(text: string): { readonly text: string; readonly offsets: readonly number[] } {
  let folded = ''
  const offsets: number[] = []
  let offset = 0
  for (const char of text) {
    const foldedChar =
      char < '\x80' ? char.toLowerCase() : char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    folded += foldedChar
    for (let count = 0; count < foldedChar.length; count++) offsets.push(offset)
    offset += char.length
  }
  offsets.push(offset)
  return { text: folded, offsets }
}

/** The range of the first query term that the text contains; null if it contains none. */
export function findMatch(
  text: string,
  question: string,
): { readonly from: number; readonly to: number } | null {
  const { text: folded, offsets } = foldWithOffsets(text)
  const terms = splitQuery(question).map((word) => foldWithOffsets(word).text)
  for (const [index, word] of terms.entries()) {
    if (word === '') continue
    const lookahead = isPrefixTerm(terms, index) || HAS_UNSPACED_CHAR.test(word) ? '' : `(?![${LETTERS}])`
    const lookbehind = HAS_UNSPACED_CHAR.test(word) ? '' : `(?<![${LETTERS}])`
    // The word contains only letters and digits, so it needs no escaping.
    const match = new RegExp(`${lookbehind}${word}${lookahead}`, 'u').exec(folded)
    if (!match) continue
    const from = offsets[match.index] ?? 0
    const last = offsets[match.index + word.length - 1] ?? from
    const to = offsets.find((offset) => offset > last) ?? text.length
    return { from, to }
  }
  return null
}
