// What counts as a word in a search for threads: in the texts that are searched, in the question, and in the excerpt. Knows
// no table.

import { codePoints } from '../lib/text.ts'
import { THREAD_PREFIX_MIN } from './limits.ts'

const LETTERS = '\\p{L}\\p{N}\\p{M}\\p{Co}'
const WORD = new RegExp(`[${LETTERS}]+`, 'gu')
/** Written without blanks between words: each sign is a word, and several are found as a sequence. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const IS_SIGN = new RegExp(SIGN.source, 'u')

/** A text as its words are to be found. */
export function searchable(text: string): string {
  return text.normalize('NFC').replace(SIGN, ' $& ')
}

function wordsOf(question: string): readonly string[] {
  return question.normalize('NFC').match(WORD) ?? []
}

/** An owner as one word. */
export function ownerWord(owner: string): string {
  return `o${Array.from(new TextEncoder().encode(owner), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The last word may be the beginning of another. */
function isBeginning(words: readonly string[], at: number): boolean {
  return at === words.length - 1 && codePoints(words[at] ?? '') >= THREAD_PREFIX_MIN
}

/**
 * The question as FTS5 is asked: all of its words, in quotes, the last one perhaps not to its end. Null: it has none.
 * `owner` null: everybody's texts.
 */
export function matchOf(owner: string | null, question: string): string | null {
  const words = wordsOf(question)
  if (words.length === 0) return null
  const asked = words.map((word, at) => `(text : "${searchable(word)}"${isBeginning(words, at) ? ' *' : ''})`)
  return [...(owner === null ? [] : [`(owner : "${ownerWord(owner)}")`]), ...asked].join(' AND ')
}

/** Without case and marks, and for each of its units where it stands in the text. */
function folded(text: string): { readonly text: string; readonly places: readonly number[] } {
  let out = ''
  const places: number[] = []
  let at = 0
  for (const sign of text) {
    const plain = sign.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    out += plain
    for (let unit = 0; unit < plain.length; unit++) places.push(at)
    at += sign.length
  }
  places.push(at)
  return { text: out, places }
}

/** Where the first of these words stands that does; null: nowhere as it is written here. */
export function placeOf(
  text: string,
  question: string,
): { readonly from: number; readonly to: number } | null {
  const { text: plain, places } = folded(text)
  const words = wordsOf(question).map((word) => folded(word).text)
  for (const [at, word] of words.entries()) {
    if (word === '') continue
    const ends = isBeginning(words, at) || IS_SIGN.test(word) ? '' : `(?![${LETTERS}])`
    const begins = IS_SIGN.test(word) ? '' : `(?<![${LETTERS}])`
    // A word is letters and digits alone.
    const found = new RegExp(`${begins}${word}${ends}`, 'u').exec(plain)
    if (!found) continue
    const from = places[found.index] ?? 0
    const last = places[found.index + word.length - 1] ?? from
    const to = places.find((place) => place > last) ?? text.length
    return { from, to }
  }
  return null
}
