// The look of text: each character as the letter or mark it resembles (UTS #39, Unicode's confusables).

import { LOOKS_KEPT } from './limits.ts'
import { CONFUSABLES } from './confusables.ts'

// The symbols of a skeleton: folded letters and digits; "<", ">", "/", "|", "="; and separators: "~" invisible, " " XML space,
// "," other space, "-" hyphens and underscores, "." any other mark. "?" is a letter that resembles none of ours, "!" a bracket or
// a quote.

const BY_POINT = new Map(
  Object.entries(CONFUSABLES).flatMap(([symbol, points]) =>
    points.split(' ').map((point) => [Number.parseInt(point, 16), separatorOf(symbol) ?? symbol] as const),
  ),
)

function separatorOf(symbol: string): string | null {
  return symbol === '_' || symbol === '-' ? '-' : null
}

/** The folds of confusables.ts for plain letters, and the role of other ASCII characters in a name. */
export const ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code).toLowerCase()
  if (/[i1]/.test(char)) return 'l'
  if (char === 'm') return 'rn'
  if (char === '0') return 'o'
  if (/[a-z2-9<>/|=]/.test(char)) return char
  if (/[ \t\n\r]/.test(char)) return ' '
  if (code < 32 || code === 127) return '~'
  if (char === '\\') return '/'
  return separatorOf(char) ?? (/["'`()[\]{}]/.test(char) ? '!' : '.')
})

const UNSEEN = /[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const BLANK = /[\s\p{Z}\u2800]/u
const LETTER = /[\p{L}\p{N}]/u
const ENCLOSING = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u

const looks = new Map<number, string>()

/** The look of a code point: one symbol or more. */
export function symbolsOf(point: number): string {
  const known = point < 128 ? ASCII[point] : looks.get(point)
  if (known !== undefined) return known
  const symbols = lookOf(point)
  if (looks.size >= LOOKS_KEPT) looks.clear()
  looks.set(point, symbols)
  return symbols
}

function lookOf(point: number): string {
  const listed = BY_POINT.get(point)
  if (listed !== undefined) return listed
  const char = String.fromCodePoint(point)
  if (UNSEEN.test(char)) return '~'
  if (BLANK.test(char)) return ','
  const parts = char.normalize('NFKD')
  if (parts === char) return LETTER.test(char) ? '?' : ENCLOSING.test(char) ? '!' : '.'
  // The parts of a decomposed form have no other form.
  const symbols = Array.from(parts, (part) => symbolsOf(part.codePointAt(0) ?? 0))
  return symbols.filter((one) => one !== '~').join('') || '~'
}

/**
 * The visual skeleton of a short text: letters and digits folded, separators replaced by one symbol, invisible
 * characters dropped.
 */
export function skeletonOf(text: string): string {
  return Array.from(text, (char) => symbolsOf(char.codePointAt(0) ?? 0))
    .join('')
    .replaceAll('~', '')
}

/** Every character that looks like an opening bracket. */
export const LESS_LIKE = [
  '<',
  ...Array.from(BY_POINT, ([point, symbols]) => (symbols.startsWith('<') ? String.fromCodePoint(point) : '')),
].join('')
