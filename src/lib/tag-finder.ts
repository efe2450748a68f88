// Finds tags in text, however they are spelled. Returns their positions and the cost of the search; changes
// nothing.

import { TAG_SYMBOLS_MAX } from './limits.ts'
import { ASCII, LESS_THAN_LOOK_ALIKES, symbolsOf } from './skeleton.ts'

/** The position and length of a tag's opening bracket. */
export interface TagMatch {
  readonly offset: number
  readonly length: number
}

/** Yields matches in order and, as numbers, the work since the previous number (in units, see steps.ts). */
type TagSearch = Generator<TagMatch | number, void, void>

// After a bracket, text is read as symbols of skeleton.ts, with one symbol for each run of separators. There
// are two more symbols for mixed runs: ":" for punctuation after spaces, and ";" for any other mixture. "$"
// is the end of the text. After TAG_SYMBOLS_MAX symbols, a bracket or a quote, only the end of the tag is
// searched for: "*" represents skipped text, and "+" skipped text with spaces.
const SEPARATORS = '~ ,-.'
const BLANKS = ' ,'
const MARKS = '-.'
const TAG_CHARACTERS = '<>/='

function mergeSeparators(separators: string, next: string): string {
  if (separators === '' || separators === '~' || separators === next) return next
  if (next === '~') return separators
  if (BLANKS.includes(separators)) return BLANKS.includes(next) ? ',' : ':'
  if (MARKS.includes(next)) return MARKS.includes(separators) ? '.' : separators
  return ';'
}

/** Invisible characters that models read as ASCII (U+E0020–E007E). */
const HIDDEN_ASCII = 0xe0000
const HIDDEN_LESS = String.fromCodePoint(HIDDEN_ASCII + 0x3c)

function hiddenAscii(point: number): string | null {
  return point >= HIDDEN_ASCII + 0x20 && point < HIDDEN_ASCII + 0x7f
    ? (ASCII[point - HIDDEN_ASCII] ?? null)
    : null
}

const OPENERS = new RegExp(`[${LESS_THAN_LOOK_ALIKES}${HIDDEN_LESS}]`, 'gu')

// Measured costs in microseconds: for a bracket, for starting to read the text after it, and for each character
// of that text.
const BRACKET_UNITS = 0.05
const READ_START_UNITS = 0.2
const CHARACTER_UNITS = 0.04
const REPORT_EVERY_UNITS = 4_000

/** Work that has not been reported yet, in units. */
interface Unreported {
  units: number
}

function* reportUnits(unreported: Unreported): Generator<number, void, void> {
  if (unreported.units < REPORT_EVERY_UNITS) return
  yield unreported.units
  unreported.units = 0
}

interface NamePatterns {
  /** The first symbols of the names. */
  readonly firstSymbols: ReadonlySet<string>
  /** Matches complete tags. */
  readonly completeTags: RegExp
  /** Matches beginnings of possible tags for which later text decides. */
  readonly undecidedStarts: RegExp
}

/**
 * The symbols after an opening bracket, up to where a tag with one of these names must have ended. Empty if
 * no tag begins there. Starts with "/" if there is a slash, otherwise with " " if there is a space. Stops at
 * the next opening bracket, so that the search takes linear time for all brackets of a text together.
 */
function* readSymbolsAfter(
  text: string,
  startOffset: number,
  names: NamePatterns,
  readsHiddenAscii: boolean,
  unreported: Unreported,
): Generator<number, string, void> {
  let name = ''
  let prefix = ''
  let separators = ''
  let skipped = ''
  unreported.units += READ_START_UNITS
  for (let offset = startOffset; offset < text.length;) {
    const point = text.codePointAt(offset) ?? 0
    offset += point > 0xffff ? 2 : 1
    unreported.units += CHARACTER_UNITS
    if (unreported.units >= REPORT_EVERY_UNITS) yield* reportUnits(unreported)
    for (const symbol of (readsHiddenAscii ? hiddenAscii(point) : null) ?? symbolsOf(point)) {
      if (SEPARATORS.includes(symbol)) {
        separators = mergeSeparators(separators, symbol)
        continue
      }
      if (name === '') {
        if (separators !== '' && separators !== '~' && !BLANKS.includes(separators)) return ''
        if (symbol === '/') prefix = '/'
        else if (prefix === '' && separators !== '' && BLANKS.includes(separators)) prefix = ' '
        if (symbol === '/' || symbol === '|') {
          separators = ''
          continue
        }
        if (!names.firstSymbols.has(symbol)) return ''
        name = prefix + symbol
      } else if (skipped === '') name += separators + symbol
      else if (TAG_CHARACTERS.includes(symbol))
        return name + (symbol === '=' || isOneWord(separators) ? skipped : '+') + symbol
      else if (!isOneWord(separators)) skipped = '+'
      separators = ''
      if (TAG_CHARACTERS.includes(symbol)) return name
      if (skipped !== '' || (symbol !== '!' && name.length < TAG_SYMBOLS_MAX)) continue
      if (!names.undecidedStarts.test(name)) return name
      skipped = '*'
    }
  }
  return name === '' ? '' : `${name}${separators}$`
}

function isOneWord(separators: string): boolean {
  return separators === '' || separators === '~' || MARKS.includes(separators)
}

const SEPARATOR_PATTERN = '[~ ,:;.|-]{1,3}'

function letterPattern(word: string): string {
  const symbols = Array.from(word, (char) => ASCII[char.charCodeAt(0)] ?? char).join('')
  return Array.from(symbols, (symbol) => (symbol === 'l' ? '[l|]' : symbol)).join('~?')
}

/**
 * A pattern for a name of several words with any separators. It excludes `<a b="…">`, which is an element a
 * with an attribute.
 */
function multiWordPattern(nameParts: readonly string[]): string {
  const last = letterPattern(nameParts.at(-1) ?? '')
  const first = nameParts.slice(0, -1).map(letterPattern).join(SEPARATOR_PATTERN)
  return `[/ ]?${first}(?! ${last}~? ?=)${SEPARATOR_PATTERN}${last}(?![a-z2-9]|-[a-z2-9])`
}

const ATTRIBUTE = '[a-z?][a-z2-9?.~*-]*[~ ,]?='

/**
 * A pattern for a name of one word. Prose and code contain such words, too (`List<Skill, T>`, `a < skill`),
 * so what follows must look like a tag.
 */
function singleWordPattern(part: string): string {
  const close = '[~ ,|]{0,3}(?:[>/<]|\\$)'
  // Spaces and a name, and later a character that belongs to a tag.
  const attributes = '[~ ,][a-z?].*[=>/]$'
  const letters = letterPattern(part)
  return `/?${letters}(?=${close}|${attributes}|:${ATTRIBUTE})| ${letters}(?=[~ ,|]{0,3}[>/]|[~ ,:]${ATTRIBUTE})`
}

/**
 * Returns a function that finds tags with these names (words joined by "_"), opening or closing, with or
 * without attributes, in any spelling: with look-alike letters and brackets, combining marks, invisible
 * characters or other separators.
 */
export function tagFinder(names: readonly string[]): (text: string) => TagSearch {
  const namePartLists = names.map((name) => name.split('_'))
  const namePatternSources = namePartLists.map((nameParts) =>
    nameParts.length > 1 ? multiWordPattern(nameParts) : singleWordPattern(nameParts[0] ?? ''),
  )
  const singleWordSources = namePartLists
    .filter((nameParts) => nameParts.length === 1)
    .map(([word = '']) => letterPattern(word))
  const firstSymbols = new Set(names.map((name) => ASCII[name.charCodeAt(0)]?.charAt(0) ?? ''))
  const namePatterns: NamePatterns = {
    firstSymbols,
    completeTags: new RegExp(`^(?:${namePatternSources.join('|')})`),
    undecidedStarts: new RegExp(`^[/ ]?(?:${singleWordSources.join('|')})[~ ,:]`),
  }
  // Most brackets belong to other tags, so the next character is checked first.
  const mayStartTag = ASCII.map((symbols) => '~ /|'.includes(symbols) || firstSymbols.has(symbols.charAt(0)))
  return function* (text) {
    const hasHiddenBrackets = text.includes(HIDDEN_LESS.charAt(0))
    const unreported: Unreported = { units: 0 }
    for (const { 0: opener, index: offset } of text.matchAll(OPENERS)) {
      unreported.units += BRACKET_UNITS
      if (unreported.units >= REPORT_EVERY_UNITS) yield* reportUnits(unreported)
      const startOffset = offset + opener.length
      if (mayStartTag[text.charCodeAt(startOffset)] === false) continue
      const isTag =
        (opener !== HIDDEN_LESS &&
          namePatterns.completeTags.test(
            yield* readSymbolsAfter(text, startOffset, namePatterns, false, unreported),
          )) ||
        (hasHiddenBrackets &&
          namePatterns.completeTags.test(
            yield* readSymbolsAfter(text, startOffset, namePatterns, true, unreported),
          ))
      if (isTag) yield { offset, length: opener.length }
    }
    yield unreported.units
  }
}

/** Returns all matches in one go, for texts of the size of a message. */
export function collectMatches(search: TagSearch): readonly TagMatch[] {
  const matches: TagMatch[] = []
  for (const item of search) if (typeof item !== 'number') matches.push(item)
  return matches
}
