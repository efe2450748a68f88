// How a text falls into words, the same for a query and for what is indexed: folded, cut, stemmed.

import { SEARCH_FOLD_GROWTH, SEARCH_FOLD_SLACK_CHARS, SEARCH_STEMS_KEPT } from './limits.ts'
import { stem } from './stem.ts'
import { STOP } from './stop-words.ts'

const LATIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * Lower case, compatibility forms made plain, accents dropped: `Präsentation` and `prasentation` meet. What grows by it
 * (`ﷺ` is eighteen characters then) is measured after it: past SEARCH_FOLD_GROWTH times its length it is cut.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\s!-~]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .slice(0, SEARCH_FOLD_GROWTH * text.length + SEARCH_FOLD_SLACK_CHARS)
    .replace(/[ßøłđæœı]/g, (letter) => LATIN[letter] ?? letter)
}

// Names that would lose what tells them apart when they are cut at signs.
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, ' cpp '],
  [/\bc#/g, ' csharp '],
  [/\bf#/g, ' fsharp '],
  [/(^|[^\p{L}\p{N}])\.net\b/gu, '$1 dotnet '],
  [/\basp\.net\b/g, ' asp dotnet '],
  // `R&D`, `A/B`, `CI/CD`: short pieces that only together mean something.
  [/(?<![a-z0-9&/])([a-z0-9]{1,2})[&/]([a-z0-9]{1,2})(?![a-z0-9&/])/g, '$1$2'],
  // The language, not the verb.
  [
    /\bgo(?=[-_ ](?:api|best|code|concurren|lang|mcp|micro|modul|pack|program|project|sdk|serv|test))/g,
    'golang',
  ],
  [/\bin go\b/g, 'in golang'],
]

/** Where one of them may stand: other texts are not looked through for each. */
const SIGNED = /[+#]|\.net\b|\bgo\b|\b[a-z0-9]{1,2}[&/][a-z0-9]{1,2}\b/

/** Scripts that are written without blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu

function isUnspaced(word: string): boolean {
  return UNSPACED.test(word)
}

/** The words of a text, folded, in its order. Text without blanks comes as one run. */
export function rawTerms(text: string): readonly string[] {
  let folded = fold(text)
  if (SIGNED.test(folded)) for (const [from, to] of SIGNS) folded = folded.replace(from, to)
  return folded.match(/^[\s!-~]*$/.test(folded) ? /[a-z0-9]+/g : RUNS) ?? []
}

/** Pairs of neighbours: without a dictionary of the language they are what two texts have in common. */
function pairs(run: string): readonly string[] {
  const letters = Array.from(run)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`)
}

const known = new Map<string, string>()

/** `stem`, remembered: the same few thousand words come again and again. */
function stemmed(word: string): string {
  const found = known.get(word)
  if (found !== undefined) return found
  const own = apart(word)
  const made = stem(own)
  if (known.size >= SEARCH_STEMS_KEPT) known.clear()
  known.set(own, made)
  return made
}

/** The same word in memory of its own: V8 keeps all of a text as long as a piece of it is kept. */
export function apart(word: string): string {
  return ` ${word}`.slice(1)
}

/** What a text is indexed by: its stemmed words but stop words, or pairs of letters where words have no bounds. */
export function terms(text: string): readonly string[] {
  const found: string[] = []
  for (const word of rawTerms(text)) {
    if (word.length < 2 || STOP.has(word)) continue
    if (word > LAST_ASCII && isUnspaced(word)) found.push(...pairs(word))
    else found.push(stemmed(word))
  }
  return found
}

// Every word that begins with a letter of ASCII comes before this.
const LAST_ASCII = '\u007F'
