// Turns a text into search terms, in the same way for queries and for the index: folds, splits and stems it.

import { SEARCH_FOLD_GROWTH, SEARCH_FOLD_SLACK_CHARS, SEARCH_CACHED_WORDS_MAX } from './limits.ts'
import { stem } from './stem.ts'
import { STOP_WORDS } from './stop-words.ts'

const LATIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * Converts a text to lower case and removes accents and compatibility forms, so that `Präsentation` and `prasentation`
 * match. This may lengthen a text (`ﷺ` becomes eighteen characters), so the result is cut.
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

// Rewrites names that would lose their meaning when split at punctuation.
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/g, ' cpp '],
  [/\bc#/g, ' csharp '],
  [/\bf#/g, ' fsharp '],
  [/(^|[^\p{L}\p{N}])\.net\b/gu, '$1 dotnet '],
  [/\basp\.net\b/g, ' asp dotnet '],
  // Joins short parts that only mean something together: `R&D`, `A/B`, `CI/CD`.
  [/(?<![a-z0-9&/])([a-z0-9]{1,2})[&/]([a-z0-9]{1,2})(?![a-z0-9&/])/g, '$1$2'],
  // "go" as the language, not the verb.
  [
    /\bgo(?=[-_ ](?:api|best|code|concurren|lang|mcp|micro|modul|pack|program|project|sdk|serv|test))/g,
    'golang',
  ],
  [/\bin go\b/g, 'in golang'],
]

/** A quick test for such names, so that the replacements can be skipped for most texts. */
const HAS_REPLACEMENT = /[+#]|\.net\b|\bgo\b|\b[a-z0-9]{1,2}[&/][a-z0-9]{1,2}\b/

/** Matches scripts that do not separate words with spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu

function isUnspaced(word: string): boolean {
  return UNSPACED.test(word)
}

/** The folded words of a text, in order. A run of text in a script without spaces is one word. */
export function rawTerms(text: string): readonly string[] {
  let folded = fold(text)
  if (HAS_REPLACEMENT.test(folded)) for (const [from, to] of REPLACEMENTS) folded = folded.replace(from, to)
  return folded.match(/^[\s!-~]*$/.test(folded) ? /[a-z0-9]+/g : RUNS) ?? []
}

/** Adjacent pairs of characters, by which texts in scripts without spaces are compared without a dictionary. */
function pairs(run: string): readonly string[] {
  const letters = Array.from(run)
  return letters.length < 2
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`)
}

const stemByWord = new Map<string, string>()

/** The stem of a word, cached because the same few thousand words recur. */
function cachedStem(word: string): string {
  const found = stemByWord.get(word)
  if (found !== undefined) return found
  const copy = copyOf(word)
  const stemmed = stem(copy)
  if (stemByWord.size >= SEARCH_CACHED_WORDS_MAX) stemByWord.clear()
  stemByWord.set(copy, stemmed)
  return stemmed
}

/** A copy of the word, because V8 keeps a complete text in memory as long as a slice of it is used. */
export function copyOf(word: string): string {
  return ` ${word}`.slice(1)
}

/**
 * The search terms of a text: stems, without stop words, and pairs of characters for scripts without spaces. `kept`: stop
 * words that mean something in this text.
 */
export function terms(text: string, kept?: ReadonlySet<string>): readonly string[] {
  const found: string[] = []
  for (const word of rawTerms(text)) {
    if (word.length < 2 || (STOP_WORDS.has(word) && !kept?.has(word))) continue
    if (word > LAST_ASCII && isUnspaced(word)) found.push(...pairs(word))
    else found.push(cachedStem(word))
  }
  return found
}

// Sorts after every word that begins with an ASCII character.
const LAST_ASCII = '\u007F'
