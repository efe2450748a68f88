// From the words of a query to what is looked for: stems, synonyms, English for foreign words, near spellings.

import { SEARCH_NEAR_WORDS, SEARCH_QUERY_WORDS, SEARCH_TERMS_MAX } from '../../limits.ts'
import type { Engine, Want } from './engine.ts'
import { FOREIGN_STOP, isForeign, segments, translated } from './foreign.ts'
import { glossary, synonyms, type Synonyms } from './lexicon.ts'
import { nearTerms } from './near.ts'
import { STOP } from './stop-words.ts'
import { isUnspaced, pairs, rawWords, stemmed } from './tokens.ts'

// What a term is worth that was not written but means the same. Tuned as the numbers in engine.ts were.
const SYNONYM = 0.6
const PHRASE = 0.8
const JOINED = 0.5
const NEAR = 0.5
const TRANSLATED = 0.9
/** Synonyms of what was translated: another word may have been meant. */
const TRANSLATED_SYNONYM = 0.3

function add(want: Map<string, number>, terms: Iterable<string>, worth: number): void {
  for (const term of terms) want.set(term, Math.max(want.get(term) ?? 0, worth))
}

/** English for one foreign word, with what else that may be called. */
function abroad(table: Synonyms, means: readonly string[]): Map<string, number> {
  const want = new Map(means.map((term) => [term, TRANSLATED]))
  for (const term of means) add(want, table.words.get(term) ?? [], TRANSLATED_SYNONYM)
  return want
}

/**
 * One want for each telling word, each phrase that means something of its own, and each pair that is written as one
 * elsewhere (`power point`). At most SEARCH_TERMS_MAX of them, the first ones among SEARCH_QUERY_WORDS words (or letters of
 * a text without blanks). A word that nothing in the catalog has is tried in other languages, then by its near spellings.
 */
export function wantsOf(text: string, engine: Engine): readonly Want[] {
  const table = synonyms()
  const words = rawWords(text).slice(0, SEARCH_QUERY_WORDS)
  const stems = words.map(stemmed)
  const foreign = isForeign(words)
  const wants = new Map<string, Want>()
  let unknown = 0
  let letters = SEARCH_QUERY_WORDS
  const keep = (name: string, want: Want): void => {
    if (want.size > 0) wants.set(name, want)
  }

  const says = (word: string): boolean =>
    word.length > 1 && !STOP.has(word) && !(foreign && FOREIGN_STOP.has(word))

  /** The words that it took, from `at` on. */
  const look = (at: number): number => {
    const word = words[at] ?? ''
    const term = stems[at] ?? ''
    if (isUnspaced(word)) {
      const run = word.slice(0, letters)
      letters -= run.length
      for (const means of segments(glossary(), run)) keep(means.join(' '), abroad(table, means))
      for (const pair of pairs(run)) if (engine.has(pair)) keep(pair, new Map([[pair, 1]]))
      return 1
    }
    const phrase = table.phrases
      .get(term)
      ?.find(({ parts }) => parts.every((part, i) => stems[at + i] === part))
    if (phrase) keep(phrase.parts.join(' '), new Map(phrase.means.map((one) => [one, PHRASE])))
    if (!says(word)) return 1
    const next = words[at + 1] ?? ''
    const joined = says(next) ? stemmed(word + next) : ''
    if (engine.has(joined)) keep(joined, new Map([[joined, JOINED]]))
    const known = engine.has(term)
    const meant = foreign || !known ? translated(glossary(), words, at) : null
    const want = meant ? abroad(table, meant.means) : new Map<string, number>()
    if (known) want.set(term, 1)
    if (!meant) add(want, table.words.get(term) ?? [], SYNONYM)
    if (want.size === 0 && unknown++ < SEARCH_NEAR_WORDS) add(want, nearTerms(engine, word, foreign), NEAR)
    keep(term, want)
    return meant?.words ?? 1
  }

  for (let at = 0; at < words.length && wants.size < SEARCH_TERMS_MAX;) at += look(at)
  return Array.from(wants.values()).slice(0, SEARCH_TERMS_MAX)
}
