// What counts as a word in a search for threads: in the texts that are searched, in the question, and in the excerpt. Knows
// no table.

import { codePoints } from '../lib/text.ts'
import { THREAD_PREFIX_MIN } from './limits.ts'

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

/** What of a text is looked up, each once: its words, and of signs each one and each with the one behind it. */
function lookedUp(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const unit of unitsOf(text)) {
    if (!IS_SIGN.test(unit)) found.add(unit)
    else for (const one of [...Array.from(unit), ...pairs(unit)]) found.add(one)
  }
  return found
}

/** Folding sign by sign, which also says where each stands, takes three times as long; most texts are plain. */
function unitsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? []
  return folded(text.normalize('NFC')).text.match(UNIT) ?? []
}

function pairs(signs: string): readonly string[] {
  const each = Array.from(signs)
  return each.slice(1).map((sign, at) => `${each[at]}${sign}`)
}

/** Two FNV-1a hashes of an owner, as letters and digits of one length. Whoever shares it shares the cost of a search, and no hit. */
function ownerTag(owner: string): string {
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (const byte of new TextEncoder().encode(owner)) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x01000193)
  }
  return [one, other].map((hash) => (hash >>> 0).toString(36).padStart(7, '0')).join('')
}

/** A text as it is indexed: `own` for searches of its owner, `text` for those of everybody's. */
export function indexed(owner: string, text: string): { readonly own: string; readonly text: string } {
  const words = [...lookedUp(text)]
  const tag = ownerTag(owner)
  return { own: words.map((word) => tag + word).join(' '), text: words.join(' ') }
}

function wordsOf(question: string): readonly string[] {
  return question.normalize('NFC').match(WORD) ?? []
}

/** The last word may be the beginning of another. */
function isBeginning(words: readonly string[], at: number): boolean {
  return at === words.length - 1 && codePoints(words[at] ?? '') >= THREAD_PREFIX_MIN
}

/**
 * The question as FTS5 is asked: all of its words, in quotes, the last one perhaps not to its end. Null: it has none.
 * Of an owner only its own words are looked through, whatever others wrote. `owner` null: everybody's texts.
 */
export function matchOf(owner: string | null, question: string): string | null {
  const units = unitsOf(question)
  if (units.length === 0) return null
  const [column, tag] = owner === null ? ['text', ''] : ['own', ownerTag(owner)]
  return units
    .flatMap((unit, at) => {
      if (!IS_SIGN.test(unit)) return [`"${tag}${unit}"${isBeginning(units, at) ? ' *' : ''}`]
      const signs = pairs(unit)
      return (signs.length === 0 ? [unit] : signs).map((one) => `"${tag}${one}"`)
    })
    .map((word) => `(${column} : ${word})`)
    .join(' AND ')
}

/** Without case and marks, and for each of its units where it stands in the text. */
function folded(text: string): { readonly text: string; readonly places: readonly number[] } {
  let out = ''
  const places: number[] = []
  let at = 0
  for (const sign of text) {
    const plain =
      sign < '\x80' ? sign.toLowerCase() : sign.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
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
