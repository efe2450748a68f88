// Maps each character to the letter or sign that it resembles (UTS #39, Unicode's confusables).

import { CACHED_LOOK_ALIKES_MAX } from './limits.ts'
import { CONFUSABLES } from './confusables.ts'

// The symbols of a skeleton are folded letters and digits; "<", ">", "/", "|", "="; and separators: "~" for
// invisible characters, " " for XML space, "," for other space, "-" for hyphens and underscores, "." for any
// other sign. "?" is a letter that resembles none of these letters, and "!" a bracket or quote.

const SYMBOLS_BY_CODE_POINT = new Map(
  Object.entries(CONFUSABLES).flatMap(([symbol, points]) =>
    points.split(' ').map((point) => [Number.parseInt(point, 16), separatorOf(symbol) ?? symbol] as const),
  ),
)

function separatorOf(symbol: string): string | null {
  return symbol === '_' || symbol === '-' ? '-' : null
}

/**
 * The symbol of each ASCII character: letters are folded as in confusables.ts, others mapped to their role in
 * a name.
 */
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

const INVISIBLE = /[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const BLANK = /[\s\p{Z}\u2800]/u
const LETTER = /[\p{L}\p{N}]/u
const ENCLOSING = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u

const cachedLooks = new Map<number, string>()

/** The symbols that a code point resembles: at least one. */
export function symbolsOf(point: number): string {
  const cached = point < 128 ? ASCII[point] : cachedLooks.get(point)
  if (cached !== undefined) return cached
  const symbols = computeSymbols(point)
  if (cachedLooks.size >= CACHED_LOOK_ALIKES_MAX) cachedLooks.clear()
  cachedLooks.set(point, symbols)
  return symbols
}

function computeSymbols(point: number): string {
  const listed = SYMBOLS_BY_CODE_POINT.get(point)
  if (listed !== undefined) return listed
  const char = String.fromCodePoint(point)
  if (INVISIBLE.test(char)) return '~'
  if (BLANK.test(char)) return ','
  const parts = char.normalize('NFKD')
  if (parts === char) return LETTER.test(char) ? '?' : ENCLOSING.test(char) ? '!' : '.'
  // The parts of a decomposed character cannot be decomposed further.
  const symbols = Array.from(parts, (part) => symbolsOf(part.codePointAt(0) ?? 0))
  return symbols.filter((symbol) => symbol !== '~').join('') || '~'
}

/**
 * The visual skeleton of a short text: letters and digits folded, separators replaced by one symbol,
 * invisible characters dropped.
 */
export function skeletonOf(text: string): string {
  return Array.from(text, (char) => symbolsOf(char.codePointAt(0) ?? 0))
    .join('')
    .replaceAll('~', '')
}

/** All characters that look like an opening angle bracket. */
export const LESS_THAN_LOOK_ALIKES = [
  '<',
  ...Array.from(SYMBOLS_BY_CODE_POINT, ([point, symbols]) =>
    symbols.startsWith('<') ? String.fromCodePoint(point) : '',
  ),
].join('')
