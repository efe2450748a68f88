// How text looks: each character by the letter or mark that it stands for (UTS #39, Unicode's confusables), and whether a
// tag is spelled in it. Says where, and changes nothing.

import { LOOKS_KEPT, TAG_SYMBOLS_MAX } from '../limits.ts'
import { CONFUSABLES } from './confusables.ts'

// A skeleton is written in these symbols: folded letters and digits; "<", ">", "/", "|", "="; and one for each run of
// what parts words: "~" nothing visible, " " blanks as XML has them, "," other blanks, "-" hyphens and underscores, "." any
// other mark or mixture. "!" is where a name ends for certain, "$" the end of the text.
const SEPARATORS = '~ ,-.'

const BY_POINT = new Map(
  Object.entries(CONFUSABLES).flatMap(([said, points]) =>
    points.split(' ').map((point) => [Number.parseInt(point, 16), separatorOf(said) ?? said] as const),
  ),
)

function separatorOf(said: string): string | null {
  return said === '_' || said === '-' ? '-' : null
}

/** The folds of confusables.ts for plain letters, and what the other characters of ASCII are to a name. */
const ASCII: readonly string[] = Array.from({ length: 128 }, (_, code) => {
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
/** Letters that look like none of ours, brackets and quotes: no name goes on behind them. */
const NO_NAME = /[\p{L}\p{N}\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u

const looks = new Map<number, string>()

function symbolsOf(point: number): string {
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
  if (parts === char) return NO_NAME.test(char) ? '!' : '.'
  // What a form is made of has no other form.
  const said = Array.from(parts, (part) => symbolsOf(part.codePointAt(0) ?? 0))
  return said.filter((one) => one !== '~').join('') || '~'
}

/** How a short text looks: folded letters and digits, a sign for what parts them, nothing for what nobody sees. */
export function skeletonOf(text: string): string {
  return Array.from(text, (char) => symbolsOf(char.codePointAt(0) ?? 0))
    .join('')
    .replaceAll('~', '')
}

/** ASCII in characters that nobody sees and models read (U+E0020–E007E). */
const HIDDEN_ASCII = 0xe0000
const HIDDEN_LESS = String.fromCodePoint(HIDDEN_ASCII + 0x3c)

function hiddenAscii(point: number): string | null {
  return point >= HIDDEN_ASCII + 0x20 && point < HIDDEN_ASCII + 0x7f
    ? (ASCII[point - HIDDEN_ASCII] ?? null)
    : null
}

const OPENERS = new RegExp(
  `[<${HIDDEN_LESS}${Array.from(BY_POINT, ([point, said]) => (said.startsWith('<') ? String.fromCodePoint(point) : '')).join('')}]`,
  'gu',
)

function joined(run: string, more: string): string {
  if (run === '' || run === '~' || run === more) return more
  if (more === '~') return run
  return run + more === ' ,' || run + more === ', ' ? ',' : '.'
}

/**
 * What stands behind an opening bracket, up to where its name must have ended; empty where none of `firsts` begins it.
 * Begins with "/" where a slash does, else " " for a blank. Looks no further than the next opening bracket, so that all
 * brackets of a text together are looked behind in linear time.
 */
function behind(text: string, from: number, firsts: ReadonlySet<string>, hidden: boolean): string {
  let name = ''
  let lead = ''
  let run = ''
  for (let at = from; at < text.length;) {
    const point = text.codePointAt(at) ?? 0
    at += point > 0xffff ? 2 : 1
    for (const symbol of (hidden ? hiddenAscii(point) : null) ?? symbolsOf(point)) {
      if (SEPARATORS.includes(symbol)) {
        run = joined(run, symbol)
        continue
      }
      if (name === '') {
        if ('-.'.includes(run) && run !== '') return ''
        if (symbol === '/') lead = '/'
        else if (lead === '' && (run === ' ' || run === ',')) lead = ' '
        if (symbol === '/' || symbol === '|') {
          run = ''
          continue
        }
        if (!firsts.has(symbol)) return ''
        name = lead + symbol
      } else name += run + symbol
      run = ''
      if ('<>/=!'.includes(symbol) || name.length >= TAG_SYMBOLS_MAX) return name
    }
  }
  return name === '' ? '' : `${name}${run}$`
}

const PART = '[~ ,.|-]{1,3}'

function lettersOf(word: string): string {
  const symbols = Array.from(word, (char) => ASCII[char.charCodeAt(0)] ?? char).join('')
  return Array.from(symbols, (symbol) => (symbol === 'l' ? '[l|]' : symbol)).join('~?')
}

/** A name of several words: however they are parted; but `<a b="…">` is an element a with an attribute. */
function severalWords(words: readonly string[]): string {
  const last = lettersOf(words.at(-1) ?? '')
  const first = words.slice(0, -1).map(lettersOf).join(PART)
  return `[/ ]?${first}(?! ${last}~? ?=)${PART}${last}(?![a-z2-9]|-[a-z2-9])`
}

/** A name of one word is a word of prose and code as well (`List<Skill, T>`, `a < skill`): it has to go on as a tag. */
function oneWord(word: string): string {
  const close = '[~ ,|]{0,3}(?:[>/<]|\\$)'
  const attributes = ' [a-z][a-z2-9 ~-]{0,60}[=>/]'
  const spaced = `[~ ,|]{0,3}[>/]| [a-z][a-z2-9~-]{0,40}[~ ]?=`
  const letters = lettersOf(word)
  return `/?${letters}(?=${close}|${attributes})| ${letters}(?=${spaced})`
}

/** A place where a tag is spelled: its opening bracket. */
export interface Spelled {
  readonly at: number
  readonly length: number
}

/**
 * Finds the tags of these names (words joined by "_") in a text, opened or closed, with or without attributes, however
 * they are spelled: by letters and brackets that look alike, with marks, invisible characters and other separators.
 */
export function tagFinder(names: readonly string[]): (text: string) => readonly Spelled[] {
  const words = names.map((name) => name.split('_'))
  const forms = words.map((all) => (all.length > 1 ? severalWords(all) : oneWord(all[0] ?? '')))
  const pattern = new RegExp(`^(?:${forms.join('|')})`)
  const firsts = new Set(names.map((name) => ASCII[name.charCodeAt(0)]?.charAt(0) ?? ''))
  // Most brackets are those of other tags: one look at the next character tells.
  const goesOn = ASCII.map((symbols) => '~ /|'.includes(symbols) || firsts.has(symbols.charAt(0)))
  return (text) => {
    const found: Spelled[] = []
    const hides = text.includes(HIDDEN_LESS.charAt(0))
    for (const { 0: opener, index: at } of text.matchAll(OPENERS)) {
      const from = at + opener.length
      if (goesOn[text.charCodeAt(from)] === false) continue
      const spells = (hidden: boolean): boolean => pattern.test(behind(text, from, firsts, hidden))
      if ((opener !== HIDDEN_LESS && spells(false)) || (hides && spells(true)))
        found.push({ at, length: opener.length })
    }
    return found
  }
}
