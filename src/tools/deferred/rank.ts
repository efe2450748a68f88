// Ranks deferred tools by the words of a query, with the index that also finds skills. Pure.

import { isObject } from '../../lib/json-object.ts'
import { buildEngine, type SearchableEntry, type SkillSearchEngine } from '../../skills/search/engine.ts'
import { queryTerms } from '../../skills/search/rank.ts'
import { terms } from '../../skills/search/tokens.ts'
import type { OfferedTool } from '../record/offered.ts'
import { synonymsOf } from './synonyms.ts'

interface Indexed extends SearchableEntry {
  readonly tool: OfferedTool
}

type Engine = SkillSearchEngine<Indexed>

/** By the list of tools, which is cached with its index. */
const engines = new WeakMap<readonly OfferedTool[], Engine>()

function engineFor(tools: readonly OfferedTool[]): Engine {
  let engine = engines.get(tools)
  if (!engine) engines.set(tools, (engine = buildEngine(tools.map(indexed))))
  return engine
}

/** At most `limit` tools, best first. */
export function rankTools(
  tools: readonly OfferedTool[],
  text: string,
  limit: number,
  isCandidate: (tool: OfferedTool) => boolean,
): readonly OfferedTool[] {
  const written = queryTerms(text)
  const searched = [...new Set([...written, ...written.flatMap(synonymsOf)])]
  return engineFor(tools)
    .search(searched, limit, ({ tool }) => isCandidate(tool))
    .map(({ entry }) => entry.tool)
}

function indexed(tool: OfferedTool): Indexed {
  const { row, origin, group } = tool
  const { spec } = row
  const schema = 'input_schema' in spec ? spec.input_schema : {}
  const fields = fieldTexts(schema)
  return {
    tool,
    name: words(nameWithoutSource(row.name)),
    description: 'description' in spec ? spec.description : '',
    tags: [origin?.server, group].flatMap((name) => (name == null ? [] : words(name))),
    search_terms: `${termsOf(fields.map(({ name }) => words(name)))}|${termsOf(fields.map(({ text }) => text))}`,
  }
}

/** The name of a tool of an MCP server begins with `mcp_`. */
function nameWithoutSource(name: string): string {
  return name.startsWith('mcp_') ? name.slice('mcp_'.length) : name
}

/** Separates the words of a name in camel case. */
function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_.:/-]+/g, ' ')
}

function termsOf(texts: readonly string[]): string {
  return [...new Set(terms(texts.join(' ')))].join(' ')
}

interface FieldText {
  readonly name: string
  readonly text: string
}

/** The fields of an input, and those inside of them. */
function fieldTexts(schema: Readonly<Record<string, unknown>>, depth = 0): readonly FieldText[] {
  const { properties, items } = schema
  const inner = isObject(items) && depth < DEPTH_MAX ? fieldTexts(items, depth + 1) : []
  if (!isObject(properties) || depth > DEPTH_MAX) return inner
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

/** How deep the fields of an input are searched. */
const DEPTH_MAX = 2
