// Punctuation and combining marks that look like ASCII, or like nothing in their position (UTS #39). look-alikes.ts has the
// letters.

import { symbolsOf } from './skeleton.ts'

/** Dashes and minus: used in text, but never in an address. */
const DASHES = /[\u2012-\u2015\u2212]/
/** Look like the dot, colon or at sign of an address; skeleton.ts leaves these out. */
const ADDRESS_SIGNS =
  /[\u2024\uFE52\uFF0E\u3002\uFF61\u0701\u0702\u06D4\uA4F8\uA60E\uFF1A\uA789\u2236\u02D0\u02F8\u0589\u05C3\u0703\u0704\u16EC\u1803\u1809\u205A\uFE30\uFE55\uA4FD\uFF20\uFE6B]/u
/** East Asian characters that look like `-` and `|`. */
const STROKES = /[\u30FC\u4E00\u4E28\u3127]/
const BETWEEN = /(?<=[a-z\d])[^\0-\x7F\s\p{M}\p{N}⟨⟩](?=[a-z\d])/giu
/** Bars that look like `l` and `|`, next to a letter. */
const BARS = /(?<=[a-z])[\u2223\u23FD\uFFE8]|[\u2223\u23FD\uFFE8](?=[a-z])/gi

const TOKEN = /[^\s"'<>,;()[\]{}]+/g
const IN_ADDRESS = /@|:\/\/|[a-z\d]\.[a-z]{2}/i

const MARKS_ON_ASCII = /([\x20-\x7E])([\p{M}--[\p{Me}\p{Default_Ignorable_Code_Point}]]+)/gv

/** No letters, and drawn like some (U+166D, U+212E); a times sign is at home between digits, and emoji are seen as such. */
const SIGN = /[[\p{S}\p{P}]--[\u00D7\p{Sc}\p{Emoji_Presentation}]]/v
/** Capital letters in outline, which Unicode counts among the symbols. */
const OUTLINED = /[\u{1CCD6}-\u{1CCEF}]/u

function posesAsSign(char: string): boolean {
  if (ADDRESS_SIGNS.test(char) || STROKES.test(char)) return true
  if (DASHES.test(char) || char.normalize('NFD') !== char) return false
  const symbols = symbolsOf(char.codePointAt(0) ?? 0)
  return /^[/<>=|-]+$/.test(symbols) || (/^[a-z\d]+$/.test(symbols) && SIGN.test(char)) || OUTLINED.test(char)
}

/** Calls `mark` for each sign that imitates ASCII among ASCII letters and digits, and for dashes in addresses. */
export function markSigns(text: string, mark: (char: string) => string): string {
  return text
    .replace(BETWEEN, (char) => (posesAsSign(char) ? mark(char) : char))
    .replace(BARS, mark)
    .replace(TOKEN, (token) =>
      DASHES.test(token) && IN_ADDRESS.test(token) ? token.replace(new RegExp(DASHES, 'g'), mark) : token,
    )
}

/** Calls `mark` for each combining mark that forms no letter with its ASCII character. */
export function markCombining(text: string, mark: (char: string) => string): string {
  return text.replace(MARKS_ON_ASCII, (all, base: string, marks: string) =>
    all.normalize('NFC').startsWith(base) ? base + Array.from(marks, mark).join('') : all,
  )
}
