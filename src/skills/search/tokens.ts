// Splits a text into terms, the same way for queries and for the index: folded, split, stemmed.

import { SEARCH_FOLD_GROWTH, SEARCH_FOLD_SLACK_CHARS, SEARCH_STEMS_KEPT } from './limits.ts'
import { stem } from './stem.ts'
import { STOP } from './stop-words.ts'

const LATIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * Lower case, without compatibility forms and accents: `Präsentation` and `prasentation` match. Folding may lengthen a
 * text (`ﷺ` becomes eighteen characters); it is cut at SEARCH_FOLD_GROWTH times its length.
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

// Names that would lose their meaning when split at punctuation.
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, ' cpp '],
  [/\bc#/g, ' csharp '],
  [/\bf#/g, ' fsharp '],
  [/(^|[^\p{L}\p{N}])\.net\b/gu, '$1 dotnet '],
  [/\basp\.net\b/g, ' asp dotnet '],
  // `R&D`, `A/B`, `CI/CD`: short parts that only mean something together.
  [/(?<![a-z0-9&/])([a-z0-9]{1,2})[&/]([a-z0-9]{1,2})(?![a-z0-9&/])/g, '$1$2'],
  // The language, not the verb.
  [
    /\bgo(?=[-_ ](?:api|best|code|concurren|lang|mcp|micro|modul|pack|program|project|sdk|serv|test))/g,
    'golang',
  ],
  [/\bin go\b/g, 'in golang'],
]

/** Quick check for such names, which spares other texts the replacements. */
const SIGNED = /[+#]|\.net\b|\bgo\b|\b[a-z0-9]{1,2}[&/][a-z0-9]{1,2}\b/

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu

function isUnspaced(word: string): boolean {
  return UNSPACED.test(word)
}

/** The folded words of a text, in order. Text in scripts without spaces is one run. */
export function rawTerms(text: string): readonly string[] {
  let folded = fold(text)
  if (SIGNED.test(folded)) for (const [from, to] of SIGNS) folded = folded.replace(from, to)
  return folded.match(/^[\s!-~]*$/.test(folded) ? /[a-z0-9]+/g : RUNS) ?? []
}

/** Adjacent pairs of letters: without a dictionary, they are what two texts share. */
function pairs(run: string): readonly string[] {
  const letters = Array.from(run)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`)
}

const known = new Map<string, string>()

/** `stem`, cached: the same few thousand words recur. */
function stemmed(word: string): string {
  const found = known.get(word)
  if (found !== undefined) return found
  const own = apart(word)
  const made = stem(own)
  if (known.size >= SEARCH_STEMS_KEPT) known.clear()
  known.set(own, made)
  return made
}

/** A copy of the word: V8 keeps a whole text alive as long as a slice of it is used. */
export function apart(word: string): string {
  return ` ${word}`.slice(1)
}

/** The index terms of a text: stems without stop words, or pairs of letters for scripts without spaces. */
export function terms(text: string): readonly string[] {
  const found: string[] = []
  for (const word of rawTerms(text)) {
    if (word.length < 2 || STOP.has(word)) continue
    if (word > LAST_ASCII && isUnspaced(word)) found.push(...pairs(word))
    else found.push(stemmed(word))
  }
  return found
}

// Sorts after every word that begins with an ASCII letter.
const LAST_ASCII = '\u007F'
