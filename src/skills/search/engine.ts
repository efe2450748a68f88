// An inverted index over the entries of one catalog, and BM25F over it. Knows terms and weights, nothing of languages.

import type { IndexEntry } from '../skill.ts'
import { GROUP_SEPARATOR } from './terms.ts'
import { PostingsBuilder } from './postings.ts'
import { apart, rawTerms, terms } from './tokens.ts'

export type SearchField = 'name' | 'description' | 'tags' | 'headings' | 'body'

/** What is searched of an entry. */
export type Searched = Pick<IndexEntry, 'name' | 'description' | 'tags' | 'words'>

interface Scored<E> {
  readonly entry: E
  readonly score: number
  /** How much of what was asked for it has, rare words counting more: from above 0 to 1. */
  readonly share: number
}

// Tuned on half of some 240 tasks over 2,900 real skills, then rounded: neighbours of these numbers do as well.
/** Of a field: what a word in it is worth, the length in words at which it counts as usual, and how far length matters. */
const FIELDS: Readonly<Record<SearchField, readonly [worth: number, usual: number, share: number]>> = {
  name: [3.5, 3, 0.6],
  tags: [2, 4, 0.6],
  description: [2.2, 30, 0.6],
  headings: [0.8, 15, 0.6],
  body: [0.7, 45, 0.6],
}
// Usual lengths are fixed, so that a score does not move with what else is in a catalog.
/** How fast a word that comes again stops to count. */
const SATURATION = 1.8
/** The share of a score that is lost where nothing of the rest of the query is found. */
const COVERAGE = 0.2

export interface SkillSearchEngine<E extends Searched = IndexEntry> {
  /** At most `limit` of those that `fits`, best first; equal scores in the order of the entries. `wanted`: each term once. */
  search(wanted: readonly string[], limit: number, fits: (entry: E) => boolean): readonly Scored<E>[]
}

function joinedName(name: string): readonly string[] {
  // `power-bi` is also asked for as `powerbi`.
  const raw = rawTerms(name)
  return raw.slice(1).map((word, at) => `${raw[at] ?? ''}${word}`)
}

/** Headings and body, as `indexTerms` has made them into terms. */
function readTerms(words: string): readonly (readonly [SearchField, string])[] {
  const bar = words.indexOf(GROUP_SEPARATOR)
  return [
    ['headings', words.slice(0, Math.max(0, bar))],
    ['body', words.slice(bar + 1)],
  ]
}

function split(made: string): readonly string[] {
  return made === '' ? [] : made.split(' ')
}

/** The parts of an entry that are searched, each as its terms. */
export function searchFields(entry: Searched): readonly (readonly [SearchField, readonly string[]])[] {
  return [
    ['name', [...terms(entry.name), ...terms(joinedName(entry.name).join(' '))]],
    ['tags', terms(entry.tags.join(' '))],
    ['description', terms(entry.description)],
    ...readTerms(entry.words).map(([field, made]) => [field, split(made)] as const),
  ]
}

// A word of a description with its blank, on average: lengths are only roughly worth anything.
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
  // By the word as written: most words of a catalog come a hundred times.
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
    for (const [field, made] of readTerms(entry.words)) {
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
        // Thousands share a word with a question, and a handful is wanted: the others are never sorted.
        if (!(score > least) || !fits(entry)) continue
        const place = found.findIndex((one) => one.score < score)
        found.splice(place === -1 ? found.length : place, 0, { entry, score, share })
        if (found.length > limit) found.pop()
        if (found.length === limit) least = found.at(-1)?.score ?? 0
      }
      return found
    },
  }
}
