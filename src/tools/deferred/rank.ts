// Ranks deferred tools by the words of a query (BM25F). A word also counts, for less, for words of the same meaning, and one
// that no tool has for words that begin like it or differ in one letter. Pure.

import type { SearchedTool } from '../record/offered.ts'
import { synonymsOf, synonymWorth } from './synonyms.ts'
import { indexOf, type ToolIndex } from './tool-index.ts'
import { isMisspelt, searchedTerms } from './tool-terms.ts'

/** The `k1` of BM25, and the share of its score that a tool loses if it has none of the query's words. */
const SATURATION = 1.8
const COVERAGE = 0.5
/** What a tool gains by what the other tools of its server or group have of the query. */
const SOURCE_WORTH = 0.1
/** What a similar word is worth in place of a word that no tool has, and the shortest word that has similar ones. */
const SIMILAR_WORTH = 0.6
const SIMILAR_MIN_CHARS = 4

/** At most `limit` tools, best first; ties are in the order of `tools`. */
export function rankTools(
  tools: readonly SearchedTool[],
  text: string,
  limit: number,
  isCandidate: (tool: SearchedTool) => boolean,
): readonly SearchedTool[] {
  const index = indexOf(tools)
  const scores = new Float64Array(tools.length)
  const covered = new Float64Array(tools.length)
  const ofSources = new Float64Array(tools.length)
  let total = 0
  for (const term of searchedTerms(text)) {
    const { best, worth } = scoresOf(index, term)
    total += worth
    const bestOfSource = new Float64Array(tools.length)
    for (const [slot, score] of best.entries()) {
      if (score === 0) continue
      scores[slot] = (scores[slot] ?? 0) + score
      covered[slot] = (covered[slot] ?? 0) + Math.min(worth, score)
      const source = index.sources[slot] ?? 0
      bestOfSource[source] = Math.max(bestOfSource[source] ?? 0, score)
    }
    for (const [source, score] of bestOfSource.entries()) ofSources[source] = (ofSources[source] ?? 0) + score
  }
  const ranked = tools.flatMap((tool, slot) => {
    const own = scores[slot] ?? 0
    if (own === 0 || !isCandidate(tool)) return []
    const score = own * (1 - COVERAGE + (COVERAGE * (covered[slot] ?? 0)) / total)
    return [{ tool, score: score + SOURCE_WORTH * (ofSources[index.sources[slot] ?? 0] ?? 0) }]
  })
  return ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ tool }) => tool)
}

/**
 * What a word of the query adds to the score of each tool, and at most to any. A word that no tool has in any form adds
 * nothing: it does not say which one is meant.
 */
function scoresOf(index: ToolIndex, term: string): { readonly best: Float64Array; readonly worth: number } {
  const best = new Float64Array(index.sources.length)
  const own = addTerm(index, term, 1, best)
  const synonyms = synonymsOf(term)
  const share = synonymWorth(synonyms.length)
  const others = synonyms.map((other) => addTerm(index, other, share, best, own || Infinity))
  const worth = Math.max(own, ...others)
  if (worth > 0 || term.length < SIMILAR_MIN_CHARS) return { best, worth }
  const similar = [...index.postings.keys()].filter(
    (other) =>
      other.length >= SIMILAR_MIN_CHARS &&
      (other.startsWith(term) || term.startsWith(other) || isMisspelt(term, other)),
  )
  return { best, worth: Math.max(0, ...similar.map((other) => addTerm(index, other, SIMILAR_WORTH, best))) }
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
