// Whether a tag is spelled in a text, however it looks. Says where, and changes nothing; says what looking has cost.

import { TAG_SYMBOLS_MAX } from './limits.ts'
import { ASCII, LESS_LIKE, symbolsOf } from './skeleton.ts'

/** A place where a tag is spelled: its opening bracket. */
export interface Spelled {
  readonly at: number
  readonly length: number
}

/** The places in their order, and in between, as numbers, what was done since the last one (units, see steps.ts). */
type Search = Generator<Spelled | number, void, void>

// Behind a bracket the symbols of skeleton.ts are read, one for each run of separators. Two more for runs of several
// kinds: ":" marks right behind blanks, ";" any other mixture. "$" is the end of the text. Past TAG_SYMBOLS_MAX, or a
// bracket or quote, it is only looked for what ends a tag: "*" stands for all that was passed over, "+" where blanks were
// in it.
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

/** ASCII in characters that nobody sees and models read (U+E0020–E007E). */
const HIDDEN_ASCII = 0xe0000
const HIDDEN_LESS = String.fromCodePoint(HIDDEN_ASCII + 0x3c)

function hiddenAscii(point: number): string | null {
  return point >= HIDDEN_ASCII + 0x20 && point < HIDDEN_ASCII + 0x7f
    ? (ASCII[point - HIDDEN_ASCII] ?? null)
    : null
}

const OPENERS = new RegExp(`[${LESS_LIKE}${HIDDEN_LESS}]`, 'gu')

// Measured, in microseconds: a bracket, a look behind it, and each character that is looked at there.
const A_BRACKET = 0.05
const A_LOOK = 0.2
const A_CHARACTER = 0.04
const REPORT_EVERY = 4_000

/** Units that were not reported yet. */
interface Unreported {
  units: number
}

function* report(unreported: Unreported): Generator<number, void, void> {
  if (unreported.units < REPORT_EVERY) return
  yield unreported.units
  unreported.units = 0
}

interface Names {
  /** Symbols by which a name begins. */
  readonly firsts: ReadonlySet<string>
  /** What is spelled, whole. */
  readonly tags: RegExp
  /** A beginning of which only what comes far behind it says whether it is a tag. */
  readonly open: RegExp
}

/**
 * What stands behind an opening bracket, up to where a tag of the names must have ended; empty where none begins. Begins
 * with "/" where a slash does, else " " for a blank. Looks no further than the next opening bracket, so that all brackets
 * of a text together are looked behind in linear time.
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

/** A name of several words: however they are parted; but `<a b="…">` is an element a with an attribute. */
function severalMessage(words: readonly string[]): string {
  const last = lettersOf(words.at(-1) ?? '')
  const first = words.slice(0, -1).map(lettersOf).join(PART)
  return `[/ ]?${first}(?! ${last}~? ?=)${PART}${last}(?![a-z2-9]|-[a-z2-9])`
}

const ATTRIBUTE = '[a-z?][a-z2-9?.~*-]*[~ ,]?='

/** A name of one word is a word of prose and code as well (`List<Skill, T>`, `a < skill`): it has to go on as a tag. */
function oneWord(word: string): string {
  const close = '[~ ,|]{0,3}(?:[>/<]|\\$)'
  // Blanks and a name, and some time a sign of tags.
  const attributes = '[~ ,][a-z?].*[=>/]$'
  const letters = lettersOf(word)
  return `/?${letters}(?=${close}|${attributes}|:${ATTRIBUTE})| ${letters}(?=[~ ,|]{0,3}[>/]|[~ ,:]${ATTRIBUTE})`
}

/**
 * Finds the tags of these names (words joined by "_") in a text, opened or closed, with or without attributes, however
 * they are spelled: by letters and brackets that look alike, with marks, invisible characters and other separators.
 */
export function tagFinder(names: readonly string[]): (text: string) => Search {
  const words = names.map((name) => name.split('_'))
  const forms = words.map((all) => (all.length > 1 ? severalMessage(all) : oneWord(all[0] ?? '')))
  const single = words.filter((all) => all.length === 1).map(([word = '']) => lettersOf(word))
  const firsts = new Set(names.map((name) => ASCII[name.charCodeAt(0)]?.charAt(0) ?? ''))
  const looked: Names = {
    firsts,
    tags: new RegExp(`^(?:${forms.join('|')})`),
    open: new RegExp(`^[/ ]?(?:${single.join('|')})[~ ,:]`),
  }
  // Most brackets are those of other tags: one look at the next character tells.
  const goesOn = ASCII.map((symbols) => '~ /|'.includes(symbols) || firsts.has(symbols.charAt(0)))
  return function* (text) {
    const hides = text.includes(HIDDEN_LESS.charAt(0))
    const unreported: Unreported = { units: 0 }
    for (const { 0: opener, index: at } of text.matchAll(OPENERS)) {
      unreported.units += A_BRACKET
      if (unreported.units >= REPORT_EVERY) yield* report(unreported)
      const from = at + opener.length
      if (goesOn[text.charCodeAt(from)] === false) continue
      const isSpelled =
        (opener !== HIDDEN_LESS && looked.tags.test(yield* behind(text, from, looked, false, unreported))) ||
        (hides && looked.tags.test(yield* behind(text, from, looked, true, unreported)))
      if (isSpelled) yield { at, length: opener.length }
    }
    yield unreported.units
  }
}

/** All places at once, for texts of a message's size. */
export function rangesOf(search: Search): readonly Spelled[] {
  const found: Spelled[] = []
  for (const one of search) if (typeof one !== 'number') found.push(one)
  return found
}
