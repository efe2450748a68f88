// An inverted index over the entries of one catalog, scored with BM25F. Knows terms and weights, no languages.

import type { IndexEntry } from '../skill.ts'
import { GROUP_SEPARATOR } from './terms.ts'
import { PostingsBuilder } from './postings.ts'
import { apart, rawTerms, terms } from './tokens.ts'

export type SearchField = 'name' | 'description' | 'tags' | 'headings' | 'body'

/** The fields of an entry that are searched. */
export type Searched = Pick<IndexEntry, 'name' | 'description' | 'tags' | 'search_terms'>

interface Scored<E> {
  readonly entry: E
  readonly score: number
  /** The weighted share of the query's terms that the entry has, rare terms weigh more: above 0, up to 1. */
  readonly share: number
}

// Tuned on half of about 240 tasks over 2,900 real skills, then rounded. Similar values perform equally.
/** For each field: the weight of a term, the usual length in terms, and how much length matters. */
const FIELDS: Readonly<Record<SearchField, readonly [worth: number, usual: number, share: number]>> = {
  name: [3.5, 3, 0.6],
  tags: [2, 4, 0.6],
  description: [2.2, 30, 0.6],
  headings: [0.8, 15, 0.6],
  body: [0.7, 45, 0.6],
}
// Usual lengths are constants, so that a score does not depend on other entries.
/** How quickly repeated terms stop adding to the score. */
const SATURATION = 1.8
/** The share of a score that is lost when no other term of the query matches. */
const COVERAGE = 0.2

export interface SkillSearchEngine<E extends Searched = IndexEntry> {
  /** At most `limit` entries that pass `fits`, best first, ties in entry order. `wanted`: each term once. */
  search(wanted: readonly string[], limit: number, fits: (entry: E) => boolean): readonly Scored<E>[]
}

function joinedName(name: string): readonly string[] {
  // `power-bi` also matches `powerbi`.
  const raw = rawTerms(name)
  return raw.slice(1).map((word, at) => `${raw[at] ?? ''}${word}`)
}

/** Terms of headings and body, as `indexTerms` stored them. */
function readTerms(terms: string): readonly (readonly [SearchField, string])[] {
  const bar = terms.indexOf(GROUP_SEPARATOR)
  return [
    ['headings', terms.slice(0, Math.max(0, bar))],
    ['body', terms.slice(bar + 1)],
  ]
}

function split(made: string): readonly string[] {
  return made === '' ? [] : made.split(' ')
}

/** The searched fields of an entry, each with its terms. */
export function searchFields(entry: Searched): readonly (readonly [SearchField, readonly string[]])[] {
  return [
    ['name', [...terms(entry.name), ...terms(joinedName(entry.name).join(' '))]],
    ['tags', terms(entry.tags.join(' '))],
    ['description', terms(entry.description)],
    ...readTerms(entry.search_terms).map(([field, made]) => [field, split(made)] as const),
  ]
}

// Average characters of a word and its space: a field's length is only estimated.
const WORD_CHARS = 7

function weigh(field: SearchField, length: number): number {
  const [worth, usual, share] = FIELDS[field]
  return worth / (1 - share + (share * length) / usual)
}

export function buildEngine<E extends Searched>(entries: readonly E[]): SkillSearchEngine<E> {
  const builder = new PostingsBuilder()
  const known = new Map<string, number>()
  const idOf = (term: string): number => {
    const id = known.get(term)
    if (id !== undefined) return id
    known.set(apart(term), known.size)
    return known.size - 1
  }
  // Cached by the written word: most words of a catalog occur a hundred times.
  const meant = new Map<string, readonly number[]>()
  const addText = (doc: number, text: string, weight: number): void => {
    for (const word of rawTerms(text)) {
      let ids = meant.get(word)
      if (!ids) meant.set(apart(word), (ids = terms(word).map(idOf)))
      for (const id of ids) builder.add(doc, id, weight)
    }
  }
  for (const [doc, entry] of entries.entries()) {
    const joined = joinedName(entry.name)
    const name = weigh('name', joined.length + 1)
    addText(doc, entry.name, name)
    addText(doc, joined.join(' '), name)
    addText(doc, entry.tags.join(' '), weigh('tags', entry.tags.length))
    addText(doc, entry.description, weigh('description', entry.description.length / WORD_CHARS))
    for (const [field, made] of readTerms(entry.search_terms)) {
      const weight = weigh(field, made.length / WORD_CHARS)
      for (const term of split(made)) builder.add(doc, idOf(term), weight)
    }
  }
  const { starts, docs, weights } = builder.done()
  const size = entries.length

  return {
    search(wanted, limit, fits) {
      const total = new Float64Array(size)
      const covered = new Float64Array(size)
      let whole = 0
      for (const term of wanted) {
        const id = known.get(term)
        const from = id === undefined ? 0 : (starts[id] ?? 0)
        const to = id === undefined ? 0 : (starts[id + 1] ?? from)
        const rarity = Math.log(1 + (size - (to - from) + 0.5) / (to - from + 0.5))
        whole += rarity
        for (let at = from; at < to; at++) {
          const doc = docs[at] ?? 0
          const weight = weights[at] ?? 0
          total[doc] = (total[doc] ?? 0) + (rarity * weight * (SATURATION + 1)) / (weight + SATURATION)
          covered[doc] = (covered[doc] ?? 0) + rarity
        }
      }
      const found: Scored<E>[] = []
      let least = 0
      for (const [at, entry] of entries.entries()) {
        const share = (covered[at] ?? 0) / whole
        const score = (total[at] ?? 0) * (1 - COVERAGE + COVERAGE * share)
        // Thousands of entries share a term with a query, and only a few are returned: the others are never sorted.
        if (!(score > least) || !fits(entry)) continue
        const index = found.findIndex((one) => one.score < score)
        found.splice(index === -1 ? found.length : index, 0, { entry, score, share })
        if (found.length > limit) found.pop()
        if (found.length === limit) least = found.at(-1)?.score ?? 0
      }
      return found
    },
  }
}
