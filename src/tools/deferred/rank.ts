// Ranks deferred tools by the words of a query: BM25F over name, source, description and fields of the input, in which a
// word also counts, for less, for words of the same meaning. Pure.

import { schemaOf } from '../../agent/tool.ts'
import { isObject } from '../../lib/json-object.ts'
import { queryTerms } from '../../skills/search/rank.ts'
import { terms } from '../../skills/search/tokens.ts'
import type { OfferedTool } from '../record/offered.ts'
import { TOOL_FIELDS_DEPTH_MAX } from './limits.ts'
import { SYNONYM_WORTH, synonymsOf } from './synonyms.ts'

/** The tools that have a term, by their index in the list, and its weight in each. */
interface Postings {
  readonly slots: number[]
  readonly weights: number[]
}

type Index = ReadonlyMap<string, Postings>

/** For each field: the weight of a term, its usual length in terms, and how much the length matters. */
const FIELDS = {
  name: [3, 3, 0.4],
  source: [1.5, 2, 0.3],
  description: [2, 14, 0.5],
  fields: [0.4, 8, 0.6],
  texts: [0.25, 40, 0.6],
} as const satisfies Record<string, readonly [worth: number, usual: number, share: number]>
/** The `k1` of BM25, and the share of its score that a tool loses if it has none of the query's words. */
const SATURATION = 1.8
const COVERAGE = 0.5

/** By the list of tools, which is one array as long as the catalog is the same. */
const indexes = new WeakMap<readonly OfferedTool[], Index>()

function indexOf(tools: readonly OfferedTool[]): Index {
  let index = indexes.get(tools)
  if (!index) indexes.set(tools, (index = buildIndex(tools)))
  return index
}

/** At most `limit` tools, best first; ties are in the order of `tools`. */
export function rankTools(
  tools: readonly OfferedTool[],
  text: string,
  limit: number,
  isCandidate: (tool: OfferedTool) => boolean,
): readonly OfferedTool[] {
  const index = indexOf(tools)
  const scores = new Float64Array(tools.length)
  const covered = new Float64Array(tools.length)
  let total = 0
  for (const term of queryTerms(splitNames(text))) {
    const best = new Float64Array(tools.length)
    const worth = addTerm(index, term, 1, best)
    const others = synonymsOf(term).map((other) =>
      addTerm(index, other, SYNONYM_WORTH, best, worth || Infinity),
    )
    // A word that no tool has in any form says nothing about which one is meant.
    const most = Math.max(worth, ...others)
    if (most === 0) continue
    total += most
    for (const [slot, score] of best.entries()) {
      if (score === 0) continue
      scores[slot] = (scores[slot] ?? 0) + score
      covered[slot] = (covered[slot] ?? 0) + Math.min(most, score)
    }
  }
  const ranked = tools.flatMap((tool, slot) => {
    const score = (scores[slot] ?? 0) * (1 - COVERAGE + (COVERAGE * (covered[slot] ?? 0)) / total)
    return score > 0 && isCandidate(tool) ? [{ tool, score }] : []
  })
  return ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ tool }) => tool)
}

/** Raises the scores of the tools that have the term, and returns what having it is worth. */
function addTerm(index: Index, term: string, worth: number, best: Float64Array, most = Infinity): number {
  const postings = index.get(term)
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

function buildIndex(tools: readonly OfferedTool[]): Index {
  const index = new Map<string, Postings>()
  for (const [slot, tool] of tools.entries()) {
    const weights = new Map<string, number>()
    // The cast is safe: textsOf() returns these keys.
    for (const [field, text] of Object.entries(textsOf(tool)) as [keyof typeof FIELDS, string][]) {
      const found = terms(splitNames(text))
      const [worth, usual, share] = FIELDS[field]
      const weight = worth / (1 - share + (share * found.length) / usual)
      // Fields of an input repeat words; it only matters which they have.
      for (const term of new Set(found)) weights.set(term, (weights.get(term) ?? 0) + weight)
    }
    for (const [term, weight] of weights) {
      const postings = index.get(term) ?? { slots: [], weights: [] }
      index.set(term, postings)
      postings.slots.push(slot)
      postings.weights.push(weight)
    }
  }
  return index
}

function textsOf({ row, origin, group }: OfferedTool): Record<keyof typeof FIELDS, string> {
  const { spec } = row
  const fields = fieldTexts(schemaOf(row))
  return {
    name: origin?.tool ?? row.name,
    source: `${origin?.server ?? ''} ${group ?? ''}`,
    description: 'description' in spec ? spec.description : '',
    fields: fields.map(({ name }) => name).join(' '),
    texts: fields.map(({ text }) => text).join(' '),
  }
}

/** Separates the words of names in camel case and with underscores. */
function splitNames(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/_/g, ' ')
}

interface FieldText {
  readonly name: string
  readonly text: string
}

/** The fields of an input, and those inside of them. */
function fieldTexts(schema: Readonly<Record<string, unknown>>, depth = 0): readonly FieldText[] {
  const { properties, items } = schema
  const inner = isObject(items) && depth < TOOL_FIELDS_DEPTH_MAX ? fieldTexts(items, depth + 1) : []
  if (!isObject(properties) || depth > TOOL_FIELDS_DEPTH_MAX) return inner
  return [
    ...inner,
    ...Object.entries(properties).flatMap(([name, property]): readonly FieldText[] => {
      if (!isObject(property)) return [{ name, text: '' }]
      const choices = Array.isArray(property['enum'])
        ? property['enum'].filter((value) => typeof value === 'string')
        : []
      const text = typeof property['description'] === 'string' ? property['description'] : ''
      return [{ name, text: `${text} ${choices.join(' ')}` }, ...fieldTexts(property, depth + 1)]
    }),
  ]
}
