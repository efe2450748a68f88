// Punctuation and combining marks that look like ASCII, or are invisible in their position (UTS #39). Letters
// are in look-alikes.ts.

import { symbolsOf } from './skeleton.ts'

/** Dashes and minus signs: common in text, but never part of an address. */
const DASHES = /[\u2012-\u2015\u2212]/
/** Characters that look like the dot, colon or at sign of an address and that skeleton.ts does not list. */
const ADDRESS_SIGNS =
  /[\u2024\uFE52\uFF0E\u3002\uFF61\u0701\u0702\u06D4\uA4F8\uA60E\uFF1A\uA789\u2236\u02D0\u02F8\u0589\u05C3\u0703\u0704\u16EC\u1803\u1809\u205A\uFE30\uFE55\uA4FD\uFF20\uFE6B]/u
/** East Asian characters that look like `-` or `|`. */
const EAST_ASIAN_STROKES = /[\u30FC\u4E00\u4E28\u3127]/
const BETWEEN_LETTERS = /(?<=[a-z\d])[^\0-\x7F\s\p{M}\p{N}⟨⟩](?=[a-z\d])/giu
/** Bars next to a letter, where they look like `l` or `|`. */
const BARS = /(?<=[a-z])[\u2223\u23FD\uFFE8]|[\u2223\u23FD\uFFE8](?=[a-z])/gi

const TOKEN = /[^\s"'<>,;()[\]{}]+/g
const IN_ADDRESS = /@|:\/\/|[a-z\d]\.[a-z]{2}/i

const MARKS_ON_ASCII = /([\x20-\x7E])([\p{M}--[\p{Me}\p{Default_Ignorable_Code_Point}]]+)/gv

/**
 * Symbols that look like letters (U+166D, U+212E). Excludes the multiplication sign, which is common between
 * digits, and emoji, which are recognizable.
 */
const LETTER_LIKE_SYMBOL = /[[\p{S}\p{P}]--[\u00D7\p{Sc}\p{Emoji_Presentation}]]/v
/** Outlined capital letters, which Unicode classifies as symbols. */
const OUTLINED = /[\u{1CCD6}-\u{1CCEF}]/u

function imitatesAsciiSign(char: string): boolean {
  if (ADDRESS_SIGNS.test(char) || EAST_ASIAN_STROKES.test(char)) return true
  if (DASHES.test(char) || char.normalize('NFD') !== char) return false
  const symbols = symbolsOf(char.codePointAt(0) ?? 0)
  return (
    /^[/<>=|-]+$/.test(symbols) ||
    (/^[a-z\d]+$/.test(symbols) && LETTER_LIKE_SYMBOL.test(char)) ||
    OUTLINED.test(char)
  )
}

/**
 * Calls `mark` for each sign between ASCII letters or digits that imitates ASCII, and for dashes in
 * addresses.
 */
export function markSigns(text: string, mark: (char: string) => string): string {
  return text
    .replace(BETWEEN_LETTERS, (char) => (imitatesAsciiSign(char) ? mark(char) : char))
    .replace(BARS, mark)
    .replace(TOKEN, (token) =>
      DASHES.test(token) && IN_ADDRESS.test(token) ? token.replace(new RegExp(DASHES, 'g'), mark) : token,
    )
}

/** Calls `mark` for each combining mark that does not form a letter with the ASCII character before it. */
export function markCombining(text: string, mark: (char: string) => string): string {
  return text.replace(MARKS_ON_ASCII, (all, base: string, marks: string) =>
    all.normalize('NFC').startsWith(base) ? base + Array.from(marks, mark).join('') : all,
  )
}
