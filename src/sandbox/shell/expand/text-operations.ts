// Operations of `${…}` on one text: trim, replace, and change case.

import { compilePattern, nextPosition, type GlobPattern } from '../pattern/match.ts'

/** Removes the shortest (`#`, `%`) or longest (`##`, `%%`) match at the start or the end. */
export function trim(text: string, operator: '#' | '##' | '%' | '%%', pattern: GlobPattern): string {
  if (operator === '#' || operator === '##') {
    const ends = pattern.endsAt(text, 0)
    const end = operator === '#' ? ends[0] : ends.at(-1)
    return end === undefined ? text : text.slice(end)
  }
  const start = operator === '%' ? lastStart(text, pattern) : firstStart(text, pattern)
  return start === null ? text : text.slice(0, start)
}

/** The start of the longest match that ends at the end of the text. */
function firstStart(text: string, pattern: GlobPattern): number | null {
  for (let start = 0; start <= text.length; start = next(text, start))
    if (pattern.endsAt(text, start).at(-1) === text.length) return start
  return null
}

function lastStart(text: string, pattern: GlobPattern): number | null {
  for (let start = text.length; start >= 0; start--) {
    if (isSecondHalf(text, start)) continue
    if (pattern.endsAt(text, start).at(-1) === text.length) return start
  }
  return null
}

function next(text: string, position: number): number {
  return position >= text.length ? position + 1 : nextPosition(text, position)
}

function isSecondHalf(text: string, position: number): boolean {
  return /^[\udc00-\udfff]$/.test(text[position] ?? '') && /^[\ud800-\udbff]$/.test(text[position - 1] ?? '')
}

/** Replaces matches. `replacement` receives the matched text. */
export function replace(
  text: string,
  where: 'first' | 'all' | 'start' | 'end',
  pattern: GlobPattern,
  replacement: (matched: string) => string,
): string {
  const { literal } = pattern
  if (literal === '' && where !== 'start' && where !== 'end') return text
  if (literal !== null && where === 'all') return text.replaceAll(literal, () => replacement(literal))
  if (literal !== null && where === 'first') return text.replace(literal, () => replacement(literal))
  if (where === 'start') {
    const end = pattern.endsAt(text, 0).at(-1)
    return end === undefined ? text : replacement(text.slice(0, end)) + text.slice(end)
  }
  if (where === 'end') {
    const start = firstStart(text, pattern)
    return start === null ? text : text.slice(0, start) + replacement(text.slice(start))
  }
  // In an empty text, bash finds only patterns that begin with `*`.
  if (text === '') return startsWithStar(pattern) && matchesNothing(pattern) ? replacement('') : ''
  let result = ''
  let copied = 0
  for (let position = 0; position < text.length;) {
    const end = pattern.endsAt(text, position).at(-1)
    if (end === undefined) {
      position = nextPosition(text, position)
      continue
    }
    result += text.slice(copied, position) + replacement(text.slice(position, end))
    copied = end
    if (where === 'first') break
    position = end === position ? nextPosition(text, position) : end
  }
  return result + text.slice(copied)
}

function matchesNothing(pattern: GlobPattern): boolean {
  return pattern.endsAt('', 0).length > 0
}

function startsWithStar({ items: [first] }: GlobPattern): boolean {
  return first?.kind === 'star' || (first?.kind === 'group' && first.operator === '*')
}

/** In a replacement, `&` is the matched text, unless a backslash precedes it. */
export function fillReplacement(replacement: string, matched: string): string {
  return replacement.replaceAll(/\\([\\&])|&/g, (_, quoted: string | undefined) => quoted ?? matched)
}

/** `pattern` selects the characters to change; null for all. */
export function changeCase(
  text: string,
  operator: '^' | '^^' | ',' | ',,' | '~' | '~~',
  pattern: GlobPattern | null,
): string {
  let result = ''
  let first = true
  for (const char of text) {
    const applies = (first || operator.length === 2) && (pattern === null || pattern.test(char))
    result += applies ? changed(char, operator[0] ?? '') : char
    first = false
  }
  return result
}

function changed(char: string, operator: string): string {
  const upper = sameLength(char.toUpperCase(), char)
  const lower = sameLength(char.toLowerCase(), char)
  if (operator === '^') return upper
  if (operator === ',') return lower
  return char === upper ? lower : upper
}

/** The C library maps single characters to single characters, so `ß` does not change. */
function sameLength(mapped: string, char: string): string {
  return Array.from(mapped).length === 1 ? mapped : char
}

export function upper(text: string): string {
  return changeCase(text, '^^', null)
}

export function lower(text: string): string {
  return changeCase(text, ',,', null)
}

export { compilePattern }
