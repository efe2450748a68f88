// Finds tags in text, however they are spelled. Returns their positions and the cost of the search; changes
// nothing.

import { TAG_SYMBOLS_MAX } from './limits.ts'
import { ASCII, LESS_LIKE, symbolsOf } from './skeleton.ts'

/** The position and length of a tag's opening bracket. */
export interface Spelled {
  readonly at: number
  readonly length: number
}

/** Yields matches in order and, as numbers, the work since the previous number (in units, see steps.ts). */
type Search = Generator<Spelled | number, void, void>

// After a bracket, text is read as symbols of skeleton.ts, with one symbol for each run of separators. There
// are two more symbols for mixed runs: ":" for punctuation after spaces, and ";" for any other mixture. "$"
// is the end of the text. After TAG_SYMBOLS_MAX symbols, a bracket or a quote, only the end of the tag is
// searched for: "*" represents skipped text, and "+" skipped text with spaces.
const SEPARATORS = '~ ,-.'
const BLANKS = ' ,'
const MARKS = '-.'
const ENDS = '<>/='

function joined(run: string, more: string): string {
  if (run === '' || run === '~' || run === more) return more
  if (more === '~') return run
  if (BLANKS.includes(run)) return BLANKS.includes(more) ? ',' : ':'
  if (MARKS.includes(more)) return MARKS.includes(run) ? '.' : run
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

const OPENERS = new RegExp(`[${LESS_LIKE}${HIDDEN_LESS}]`, 'gu')

// Measured costs in microseconds: for a bracket, for looking at what follows it, and for each character read
// there.
const A_BRACKET = 0.05
const A_LOOK = 0.2
const A_CHARACTER = 0.04
const REPORT_EVERY = 4_000

/** Work that has not been reported yet, in units. */
interface Unreported {
  units: number
}

function* report(unreported: Unreported): Generator<number, void, void> {
  if (unreported.units < REPORT_EVERY) return
  yield unreported.units
  unreported.units = 0
}

interface Names {
  /** The first symbols of the names. */
  readonly firsts: ReadonlySet<string>
  /** Matches complete tags. */
  readonly tags: RegExp
  /** Matches beginnings of tags that only later text can decide. */
  readonly open: RegExp
}

/**
 * The symbols after an opening bracket, up to where a tag with one of these names must have ended. Empty if
 * no tag begins there. Starts with "/" if there is a slash, otherwise with " " if there is a space. Stops at
 * the next opening bracket, so that the search takes linear time for all brackets of a text together.
 */
function* behind(
  text: string,
  from: number,
  names: Names,
  hidden: boolean,
  unreported: Unreported,
): Generator<number, string, void> {
  let name = ''
  let lead = ''
  let run = ''
  let passed = ''
  unreported.units += A_LOOK
  for (let at = from; at < text.length;) {
    const point = text.codePointAt(at) ?? 0
    at += point > 0xffff ? 2 : 1
    unreported.units += A_CHARACTER
    if (unreported.units >= REPORT_EVERY) yield* report(unreported)
    for (const symbol of (hidden ? hiddenAscii(point) : null) ?? symbolsOf(point)) {
      if (SEPARATORS.includes(symbol)) {
        run = joined(run, symbol)
        continue
      }
      if (name === '') {
        if (run !== '' && run !== '~' && !BLANKS.includes(run)) return ''
        if (symbol === '/') lead = '/'
        else if (lead === '' && run !== '' && BLANKS.includes(run)) lead = ' '
        if (symbol === '/' || symbol === '|') {
          run = ''
          continue
        }
        if (!names.firsts.has(symbol)) return ''
        name = lead + symbol
      } else if (passed === '') name += run + symbol
      else if (ENDS.includes(symbol)) return name + (symbol === '=' || isOneWord(run) ? passed : '+') + symbol
      else if (!isOneWord(run)) passed = '+'
      run = ''
      if (ENDS.includes(symbol)) return name
      if (passed !== '' || (symbol !== '!' && name.length < TAG_SYMBOLS_MAX)) continue
      if (!names.open.test(name)) return name
      passed = '*'
    }
  }
  return name === '' ? '' : `${name}${run}$`
}

function isOneWord(run: string): boolean {
  return run === '' || run === '~' || MARKS.includes(run)
}

const PART = '[~ ,:;.|-]{1,3}'

function lettersOf(word: string): string {
  const symbols = Array.from(word, (char) => ASCII[char.charCodeAt(0)] ?? char).join('')
  return Array.from(symbols, (symbol) => (symbol === 'l' ? '[l|]' : symbol)).join('~?')
}

/**
 * A pattern for a name of several words with any separators. It excludes `<a b="…">`, which is an element a
 * with an attribute.
 */
function severalParts(parts: readonly string[]): string {
  const last = lettersOf(parts.at(-1) ?? '')
  const first = parts.slice(0, -1).map(lettersOf).join(PART)
  return `[/ ]?${first}(?! ${last}~? ?=)${PART}${last}(?![a-z2-9]|-[a-z2-9])`
}

const ATTRIBUTE = '[a-z?][a-z2-9?.~*-]*[~ ,]?='

/**
 * A pattern for a name of one word. Prose and code contain such words, too (`List<Skill, T>`, `a < skill`),
 * so what follows must look like a tag.
 */
function onePart(part: string): string {
  const close = '[~ ,|]{0,3}(?:[>/<]|\\$)'
  // Spaces and a name, and later a character that belongs to a tag.
  const attributes = '[~ ,][a-z?].*[=>/]$'
  const letters = lettersOf(part)
  return `/?${letters}(?=${close}|${attributes}|:${ATTRIBUTE})| ${letters}(?=[~ ,|]{0,3}[>/]|[~ ,:]${ATTRIBUTE})`
}

/**
 * Returns a function that finds tags with these names (words joined by "_"), opening or closing, with or
 * without attributes, in any spelling: with look-alike letters and brackets, combining marks, invisible
 * characters or other separators.
 */
export function tagFinder(names: readonly string[]): (text: string) => Search {
  const parts = names.map((name) => name.split('_'))
  const forms = parts.map((all) => (all.length > 1 ? severalParts(all) : onePart(all[0] ?? '')))
  const single = parts.filter((all) => all.length === 1).map(([word = '']) => lettersOf(word))
  const firsts = new Set(names.map((name) => ASCII[name.charCodeAt(0)]?.charAt(0) ?? ''))
  const looked: Names = {
    firsts,
    tags: new RegExp(`^(?:${forms.join('|')})`),
    open: new RegExp(`^[/ ]?(?:${single.join('|')})[~ ,:]`),
  }
  // Most brackets belong to other tags, so the next character is checked first.
  const mayContinue = ASCII.map((symbols) => '~ /|'.includes(symbols) || firsts.has(symbols.charAt(0)))
  return function* (text) {
    const hides = text.includes(HIDDEN_LESS.charAt(0))
    const unreported: Unreported = { units: 0 }
    for (const { 0: opener, index: at } of text.matchAll(OPENERS)) {
      unreported.units += A_BRACKET
      if (unreported.units >= REPORT_EVERY) yield* report(unreported)
      const from = at + opener.length
      if (mayContinue[text.charCodeAt(from)] === false) continue
      const isSpelled =
        (opener !== HIDDEN_LESS && looked.tags.test(yield* behind(text, from, looked, false, unreported))) ||
        (hides && looked.tags.test(yield* behind(text, from, looked, true, unreported)))
      if (isSpelled) yield { at, length: opener.length }
    }
    yield unreported.units
  }
}

/** Returns all matches in one go, for texts of the size of a message. */
export function rangesOf(search: Search): readonly Spelled[] {
  const found: Spelled[] = []
  for (const one of search) if (typeof one !== 'number') found.push(one)
  return found
}
