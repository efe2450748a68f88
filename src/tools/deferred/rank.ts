// Ranks deferred tools by the words of a query (BM25F), by how much of their name it has, and by whether they read or change
// what it asks to read or change. A word also counts, for less, for words of the same meaning or beginning, and one that no
// tool has for words that differ in one letter. Pure.

import type { SearchedTool } from '../record/offered.ts'
import { intentOfQuery, type ToolIntent } from './intent.ts'
import { synonymsOf, synonymWorth } from './synonyms.ts'
import { indexOf, type ToolIndex } from './tool-index.ts'
import { isMisspelt, searchedTerms, toolTerms } from './tool-terms.ts'
import { VAGUE_TERMS } from './wording.ts'

/** The `k1` of BM25, and the share of its score that a tool loses if it has none of the query's words. */
const SATURATION = 1.8
const COVERAGE = 0.5
/** The share that a tool loses if the query has none of the words of its name, and what a synonym of such a word counts. */
const NAME_COVERAGE = 0.4
const NAME_SYNONYM_WORTH = 0.7
/** What remains of the score of a tool that changes something if the query asks to see it, and the other way round. */
const OTHER_INTENT = 0.8
/** What a tool gains by what the other tools of its server or group have of the query. */
const SOURCE_WORTH = 0.1
/** What a vague word is worth in place of any other. */
const VAGUE_WORTH = 0.6
/** What a word is worth that only begins like one of the query, the shortest word for that, and how much longer one may be. */
const BEGINNING_WORTH = 0.6
const BEGINNING_MIN_CHARS = 5
const BEGINNING_MORE_CHARS = 4
/** What a similar word is worth in place of a word that no tool has, and the shortest word that has similar ones. */
const SIMILAR_WORTH = 0.6
const SIMILAR_MIN_CHARS = 4
/** The shortest part of a word that is written as two. */
const PART_MIN_CHARS = 3
/** The rarity of words that most names begin with, in names. */
const USUAL_RARITY = 0.3
const USUAL = new Set(toolTerms('get list show search find fetch read query'))

const vague = new Set(toolTerms(VAGUE_TERMS))

/** At most `limit` tools, best first; ties are in the order of `tools`. */
export function rankTools(
  tools: readonly SearchedTool[],
  text: string,
  limit: number,
  isCandidate: (tool: SearchedTool) => boolean,
): readonly SearchedTool[] {
  const index = indexOf(tools)
  const intent = intentOfQuery(text)
  const scores = new Float64Array(tools.length)
  const covered = new Float64Array(tools.length)
  const ofSources = new Float64Array(tools.length)
  // What each word of a name counts as mentioned by the query.
  const mentioned = new Map<string, number>()
  let total = 0
  for (const term of withCompounds(index, searchedTerms(text))) {
    const { best, worth } = scoresOf(index, term, mentioned)
    const share = vague.has(term) ? VAGUE_WORTH : 1
    total += worth * share
    const bestOfSource = new Float64Array(tools.length)
    for (const [slot, one] of best.entries()) {
      if (one === 0) continue
      const score = one * share
      scores[slot] = (scores[slot] ?? 0) + score
      covered[slot] = (covered[slot] ?? 0) + Math.min(worth * share, score)
      const source = index.sources[slot] ?? 0
      bestOfSource[source] = Math.max(bestOfSource[source] ?? 0, score)
    }
    for (const [source, score] of bestOfSource.entries()) ofSources[source] = (ofSources[source] ?? 0) + score
  }
  const ranked = tools.flatMap((tool, slot) => {
    const own = scores[slot] ?? 0
    if (own === 0 || !isCandidate(tool)) return []
    const score =
      own *
      (1 - COVERAGE + (COVERAGE * (covered[slot] ?? 0)) / total) *
      (1 - NAME_COVERAGE + NAME_COVERAGE * nameShare(index, slot, mentioned)) *
      (isOtherIntent(intent, index.intents[slot] ?? null) ? OTHER_INTENT : 1)
    return [{ tool, score: score + SOURCE_WORTH * (ofSources[index.sources[slot] ?? 0] ?? 0) }]
  })
  return ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ tool }) => tool)
}

/** The terms with those that two of them are together, and with the two that one of them is, as the tools have it. */
function withCompounds({ postings }: ToolIndex, terms: readonly string[]): readonly string[] {
  const together = terms.slice(1).map((term, nth) => `${terms[nth]}${term}`)
  const apart = terms
    .filter((term) => !postings.has(term))
    .flatMap((term) => {
      for (let at = PART_MIN_CHARS; at <= term.length - PART_MIN_CHARS; at++) {
        const parts = [term.slice(0, at), term.slice(at)]
        if (parts.every((part) => postings.has(part))) return parts
      }
      return []
    })
  return [...new Set([...terms, ...together.filter((term) => postings.has(term)), ...apart])]
}

function isOtherIntent(wanted: ToolIntent, done: ToolIntent): boolean {
  return wanted !== null && done !== null && wanted !== done
}

/** How much of the name of a tool the query says, from 0 to 1. */
function nameShare(index: ToolIndex, slot: number, mentioned: ReadonlyMap<string, number>): number {
  let have = 0
  let all = 0
  for (const term of index.names[slot] ?? []) {
    const having = index.postings.get(term)?.slots.length ?? 0
    const rarity = USUAL.has(term) ? USUAL_RARITY : rarityOf(having, index.sources.length)
    all += rarity
    have += rarity * (mentioned.get(term) ?? 0)
  }
  return all === 0 ? 1 : have / all
}

/**
 * What a word of the query adds to the score of each tool, and at most to any. A word that no tool has in any form adds
 * nothing: it does not say which one is meant. Adds the words of names that it means to `mentioned`.
 */
function scoresOf(
  index: ToolIndex,
  term: string,
  mentioned: Map<string, number>,
): { readonly best: Float64Array; readonly worth: number } {
  const best = new Float64Array(index.sources.length)
  const own = addTerm(index, term, 1, best)
  mentioned.set(term, 1)
  const addOthers = (others: readonly string[], share: number): readonly number[] =>
    others.map((other) => {
      mentioned.set(other, Math.max(mentioned.get(other) ?? 0, NAME_SYNONYM_WORTH))
      return addTerm(index, other, share, best, own || Infinity)
    })
  const synonyms = synonymsOf(term)
  const worth = Math.max(
    own,
    ...addOthers(synonyms, synonymWorth(synonyms.length)),
    ...addOthers(beginningAlike(index, term), BEGINNING_WORTH),
  )
  if (worth > 0 || term.length < SIMILAR_MIN_CHARS) return { best, worth }
  return { best, worth: Math.max(0, ...addOthers(similarTo(index, term), SIMILAR_WORTH)) }
}

function beginningAlike(index: ToolIndex, term: string): readonly string[] {
  if (term.length < BEGINNING_MIN_CHARS) return []
  return [...index.postings.keys()].filter(
    (other) =>
      other !== term &&
      other.length >= BEGINNING_MIN_CHARS &&
      Math.abs(other.length - term.length) <= BEGINNING_MORE_CHARS &&
      (other.startsWith(term) || term.startsWith(other)),
  )
}

function similarTo(index: ToolIndex, term: string): readonly string[] {
  return [...index.postings.keys()].filter(
    (other) =>
      other.length >= SIMILAR_MIN_CHARS &&
      (other.startsWith(term) || term.startsWith(other) || isMisspelt(term, other)),
  )
}

/** Raises the scores of the tools that have the term, and returns what having it is worth. */
function addTerm(index: ToolIndex, term: string, worth: number, best: Float64Array, most = Infinity): number {
  const postings = index.postings.get(term)
  if (!postings) return 0
  const { slots, weights } = postings
  const factor = worth * Math.min(most, rarityOf(slots.length, best.length))
  for (const [at, slot] of slots.entries()) {
    const score = factor * saturated(weights[at] ?? 0)
    if (score > (best[slot] ?? 0)) best[slot] = score
  }
  return factor
}

function rarityOf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}

function saturated(weight: number): number {
  return (weight * (SATURATION + 1)) / (weight + SATURATION)
}
