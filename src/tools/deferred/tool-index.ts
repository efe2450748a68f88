// The index of deferred tools: which have a term, with what weight (BM25F over name, source, description and the fields of
// the input). Made once for a catalog. Pure.

import { isObject } from '../../lib/json-object.ts'
import type { SearchedTool } from '../record/offered.ts'
import { TOOL_FIELD_TEXT_MAX_CHARS, TOOL_FIELDS_DEPTH_MAX, TOOL_FIELDS_MAX_CHARS } from './limits.ts'
import { intentOfTool, type ToolIntent } from './intent.ts'
import { ownNameOf, toolTerms } from './tool-terms.ts'

/** The tools that have a term, by their index in the list, and its weight in each. */
interface Postings {
  readonly slots: number[]
  readonly weights: number[]
}

export interface ToolIndex {
  readonly postings: ReadonlyMap<string, Postings>
  /** The number of the server or group of each tool. */
  readonly sources: readonly number[]
  /** The terms of the name of each tool. */
  readonly names: readonly (readonly string[])[]
  readonly intents: readonly ToolIntent[]
}

/** For each field: the weight of a term, its usual length in terms, and how much the length matters. */
const FIELDS = {
  name: [2, 3, 0.6],
  source: [1.5, 2, 0.3],
  description: [1.5, 14, 0.5],
  fields: [0.4, 8, 0.6],
  texts: [0.25, 40, 0.6],
} as const satisfies Record<string, readonly [worth: number, usual: number, share: number]>

/** By the list of tools, which is one array as long as the catalog is the same. */
const indexes = new WeakMap<readonly SearchedTool[], ToolIndex>()

export function indexOf(tools: readonly SearchedTool[]): ToolIndex {
  let index = indexes.get(tools)
  if (!index) indexes.set(tools, (index = buildIndex(tools)))
  return index
}

function buildIndex(tools: readonly SearchedTool[]): ToolIndex {
  const postings = new Map<string, Postings>()
  const numbers = new Map<string, number>()
  const sources = tools.map((tool, slot) => {
    for (const [term, weight] of weightsOf(tool)) {
      const having = postings.get(term) ?? { slots: [], weights: [] }
      postings.set(term, having)
      having.slots.push(slot)
      having.weights.push(weight)
    }
    // A tool without a source has one of its own.
    const source = tool.origin?.server ?? tool.group ?? ` ${tool.row.name}`
    const number = numbers.get(source) ?? numbers.size
    numbers.set(source, number)
    return number
  })
  return {
    postings,
    sources,
    names: tools.map((tool) => [...new Set(toolTerms(ownNameOf(tool)))]),
    intents: tools.map(intentOfTool),
  }
}

function weightsOf(tool: SearchedTool): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  // The cast is safe: textsOf() returns these keys.
  for (const [field, text] of Object.entries(textsOf(tool)) as [keyof typeof FIELDS, string][]) {
    const found = toolTerms(text)
    const [worth, usual, share] = FIELDS[field]
    const weight = worth / (1 - share + (share * found.length) / usual)
    // Fields of an input repeat words; it only matters which they have.
    for (const term of new Set(found)) weights.set(term, (weights.get(term) ?? 0) + weight)
  }
  return weights
}

function textsOf(tool: SearchedTool): Record<keyof typeof FIELDS, string> {
  const { origin, group, text } = tool
  const fields = fieldTexts(text.input_schema)
  return {
    name: ownNameOf(tool),
    source: `${origin?.server ?? ''} ${group ?? ''}`,
    description: text.description,
    fields: fields
      .map(({ name }) => name)
      .join(' ')
      .slice(0, TOOL_FIELDS_MAX_CHARS),
    texts: fields
      .map((field) => field.text)
      .join(' ')
      .slice(0, TOOL_FIELDS_MAX_CHARS),
  }
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
      const { description } = property
      const text = typeof description === 'string' ? description.slice(0, TOOL_FIELD_TEXT_MAX_CHARS) : ''
      return [{ name, text: `${text} ${choices.join(' ')}` }, ...fieldTexts(property, depth + 1)]
    }),
  ]
}
