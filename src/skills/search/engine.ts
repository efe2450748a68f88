// An inverted index of the skills in one catalog, scored with BM25F. Independent of languages: tokens.ts
// creates the terms.

import type { IndexEntry } from '../skill.ts'
import { GROUP_SEPARATOR } from './terms.ts'
import { PostingsBuilder } from './postings.ts'
import { copyOf, rawTerms, terms } from './tokens.ts'

export type SearchField = 'name' | 'description' | 'tags' | 'headings' | 'body'

/** The fields of an entry that the search uses. */
export type SearchableEntry = Pick<IndexEntry, 'name' | 'description' | 'tags' | 'search_terms'>

interface Scored<E> {
  readonly entry: E
  readonly score: number
  /** The share of the query's terms that the entry contains, weighted by rarity: above 0, at most 1. */
  readonly share: number
}

/**
 * For each field: the weight of a term, the usual length in terms, and how much the length matters. Tuned with half
 * of about 240 tasks on 2,900 real skills, then rounded; similar values work equally well. The usual lengths are
 * constants, so that a score does not depend on other entries.
 */
const FIELDS: Readonly<Record<SearchField, readonly [worth: number, usual: number, share: number]>> = {
  name: [3.5, 3, 0.6],
  tags: [2, 4, 0.6],
  description: [2.2, 30, 0.6],
  headings: [0.8, 15, 0.6],
  body: [0.7, 45, 0.6],
}
/** The `k1` of BM25: how slowly repeated terms stop adding to the score. */
const SATURATION = 1.8
/**
 * The share of its score that an entry loses if it matches none of the query's terms. The more terms match,
 * the smaller the loss.
 */
const COVERAGE = 0.2

export interface SkillSearchEngine<E extends SearchableEntry = IndexEntry> {
  /**
   * At most `limit` entries that pass `isCandidate`, best first, ties in entry order. `queryTerms` must contain each term
   * once.
   */
  search(
    queryTerms: readonly string[],
    limit: number,
    isCandidate: (entry: E) => boolean,
  ): readonly Scored<E>[]
}

/** Adjacent words of a name, joined, so that `powerbi` also matches `power-bi`. */
function joinedName(name: string): readonly string[] {
  const raw = rawTerms(name)
  return raw.slice(1).map((word, posting) => `${raw[posting] ?? ''}${word}`)
}

/** The terms of headings and body, as `indexTerms` stored them. */
function readTerms(terms: string): readonly (readonly [SearchField, string])[] {
  const bar = terms.indexOf(GROUP_SEPARATOR)
  return [
    ['headings', terms.slice(0, Math.max(0, bar))],
    ['body', terms.slice(bar + 1)],
  ]
}

function split(storedTerms: string): readonly string[] {
  return storedTerms === '' ? [] : storedTerms.split(' ')
}

/** The searched fields of an entry, each with its terms. */
export function searchFields(entry: SearchableEntry): readonly (readonly [SearchField, readonly string[]])[] {
  return [
    ['name', [...terms(entry.name), ...terms(joinedName(entry.name).join(' '))]],
    ['tags', terms(entry.tags.join(' '))],
    ['description', terms(entry.description)],
    ...readTerms(entry.search_terms).map(([field, storedTerms]) => [field, split(storedTerms)] as const),
  ]
}

// The average length of a word with its space, from which the number of terms in a field is estimated.
const WORD_CHARS = 7

function weigh(field: SearchField, length: number): number {
  const [worth, usual, share] = FIELDS[field]
  return worth / (1 - share + (share * length) / usual)
}

export function buildEngine<E extends SearchableEntry>(entries: readonly E[]): SkillSearchEngine<E> {
  const builder = new PostingsBuilder()
  const termIds = new Map<string, number>()
  const idOf = (term: string): number => {
    const id = termIds.get(term)
    if (id !== undefined) return id
    termIds.set(copyOf(term), termIds.size)
    return termIds.size - 1
  }
  // Caches the IDs of terms by the word as written: most words of a catalog occur a hundred times.
  const idsByWord = new Map<string, readonly number[]>()
  const addText = (doc: number, text: string, weight: number): void => {
    for (const word of rawTerms(text)) {
      let ids = idsByWord.get(word)
      if (!ids) idsByWord.set(copyOf(word), (ids = terms(word).map(idOf)))
      for (const id of ids) builder.add(doc, id, weight)
    }
  }
  for (const [doc, entry] of entries.entries()) {
    const joinedWords = joinedName(entry.name)
    const name = weigh('name', joinedWords.length + 1)
    addText(doc, entry.name, name)
    addText(doc, joinedWords.join(' '), name)
    addText(doc, entry.tags.join(' '), weigh('tags', entry.tags.length))
    addText(doc, entry.description, weigh('description', entry.description.length / WORD_CHARS))
    for (const [field, storedTerms] of readTerms(entry.search_terms)) {
      const weight = weigh(field, storedTerms.length / WORD_CHARS)
      for (const term of split(storedTerms)) builder.add(doc, idOf(term), weight)
    }
  }
  const { starts, docs, weights } = builder.finish()
  const entryCount = entries.length

  return {
    search(queryTerms, limit, isCandidate) {
      const scores = new Float64Array(entryCount)
      const covered = new Float64Array(entryCount)
      let totalRarity = 0
      for (const term of queryTerms) {
        const id = termIds.get(term)
        const from = id === undefined ? 0 : (starts[id] ?? 0)
        const to = id === undefined ? 0 : (starts[id + 1] ?? from)
        const rarity = Math.log(1 + (entryCount - (to - from) + 0.5) / (to - from + 0.5))
        totalRarity += rarity
        for (let posting = from; posting < to; posting++) {
          const doc = docs[posting] ?? 0
          const weight = weights[posting] ?? 0
          scores[doc] = (scores[doc] ?? 0) + (rarity * weight * (SATURATION + 1)) / (weight + SATURATION)
          covered[doc] = (covered[doc] ?? 0) + rarity
        }
      }
      const best: Scored<E>[] = []
      let lowestScore = 0
      for (const [posting, entry] of entries.entries()) {
        const share = (covered[posting] ?? 0) / totalRarity
        const score = (scores[posting] ?? 0) * (1 - COVERAGE + COVERAGE * share)
        // Keeps only the best entries, in order, because thousands may share a term with the query.
        if (!(score > lowestScore) || !isCandidate(entry)) continue
        const index = best.findIndex((other) => other.score < score)
        best.splice(index === -1 ? best.length : index, 0, { entry, score, share })
        if (best.length > limit) best.pop()
        if (best.length === limit) lowestScore = best.at(-1)?.score ?? 0
      }
      return best
    },
  }
}
