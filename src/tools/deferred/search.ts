// Searches deferred tools. `select:a,b` names tools, `+part words` requires a part of the name, a pattern in RE2
// syntax is matched, and any other query is searched by its words. Pure.

import { findCloseNames } from '../../lib/suggest.ts'
import { isNameOf } from '../../skills/mcp-tool-names.ts'
import { readQuery } from '../../skills/search/query.ts'
import { fold } from '../../skills/search/tokens.ts'
import { compilePattern } from '../files/pattern.ts'
import type { DeferredCatalog, OfferedTool, SearchedTool } from '../record/offered.ts'
import {
  NEAR_NAMES_MAX,
  TOOL_PATTERN_COST_MAX_US,
  TOOL_PATTERN_MAX_CHARS,
  TOOLS_FOUND_MAX,
  FURTHER_TOOLS_MAX,
  TOOLS_SELECTED_MAX,
} from './limits.ts'
import { rankTools } from './rank.ts'

export interface FoundTools {
  readonly tools: readonly SearchedTool[]
  /** Further matches, of which the result only shows the names. */
  readonly others: readonly SearchedTool[]
  /** Selected names that do not exist. */
  readonly missing: readonly string[]
  /** How many selected names were not looked up. */
  readonly more: number
}

export function searchTools(catalog: DeferredCatalog, query: string): FoundTools {
  const parsed = readQuery(query)
  if (parsed === null) return found([])
  if (parsed.form === 'select') {
    const names = parsed.names.slice(0, TOOLS_SELECTED_MAX)
    const hits = names.map((name) => toolNamed(catalog, name))
    return {
      tools: [...new Set(hits.filter((tool) => tool !== null))],
      others: [],
      missing: names.filter((_, index) => hits[index] === null),
      more: parsed.names.length - names.length,
    }
  }
  const { requiredParts, text } = parsed
  if (requiredParts.length > 0) return found(withParts(catalog, requiredParts, text))
  const matched = matchedTools(catalog, text)
  if (matched.length > 0) return found(matched)
  return found(rankTools(catalog.tools, text, TOOLS_FOUND_MAX + FURTHER_TOOLS_MAX, catalog.permits))
}

function found(tools: readonly SearchedTool[]): FoundTools {
  return {
    tools: tools.slice(0, TOOLS_FOUND_MAX),
    others: tools.slice(TOOLS_FOUND_MAX),
    missing: [],
    more: 0,
  }
}

/** Returns the tool with this name if the run may call it, otherwise null. */
function toolNamed({ tools, permits }: DeferredCatalog, name: string): SearchedTool | null {
  const tool = tools.find(({ row }) => row.name === name) ?? tools.find(({ row }) => isNameOf(row.name, name))
  return tool && permits(tool) ? tool : null
}

/** Like `toolNamed`, with the definition. Also null if the definition cannot be used. */
export async function definedToolNamed(catalog: DeferredCatalog, name: string): Promise<OfferedTool | null> {
  const tool = toolNamed(catalog, name)
  const defined = tool && (await catalog.define([tool]))
  return (defined?.ok && defined.value[0]) || null
}

function withParts(
  { tools, permits }: DeferredCatalog,
  parts: readonly string[],
  text: string,
): readonly SearchedTool[] {
  const fits = (tool: SearchedTool): boolean => {
    const name = fold(tool.row.name)
    return permits(tool) && parts.every((part) => name.includes(part))
  }
  const ranked = text === '' ? [] : rankTools(tools, text, TOOLS_FOUND_MAX, fits)
  const others = tools.filter((tool) => fits(tool) && !ranked.includes(tool))
  return [...ranked, ...others].slice(0, TOOLS_FOUND_MAX)
}

/** Characters that occur in patterns, and hardly ever in words that people search for. */
const PATTERN_SIGNS = /[|^$\\[\]{}*]|\.\+|\(.*\)/

/**
 * Returns the tools that match the query as a pattern, matches of the name first. Empty if the query is not a pattern,
 * or too slow.
 */
function matchedTools({ tools, permits }: DeferredCatalog, text: string): readonly SearchedTool[] {
  if (text.length > TOOL_PATTERN_MAX_CHARS || !PATTERN_SIGNS.test(text)) return []
  const pattern = compilePattern(text.replace(/^\/(.+)\/i?$/s, '$1'), { ignoreCase: true })
  if (!pattern.ok) return []
  const byName: SearchedTool[] = []
  const byDescription: SearchedTool[] = []
  for (const tool of tools) {
    if (byName.length === TOOLS_FOUND_MAX || pattern.value.cost() > TOOL_PATTERN_COST_MAX_US) break
    if (!permits(tool)) continue
    if (pattern.value.test(tool.row.name)) byName.push(tool)
    else if (byDescription.length < TOOLS_FOUND_MAX && pattern.value.test(tool.text.description))
      byDescription.push(tool)
  }
  return [...byName, ...byDescription].slice(0, TOOLS_FOUND_MAX)
}

/** Returns the names of permitted tools that are similar to this name, which does not exist. */
export function nearNames({ tools, permits }: DeferredCatalog, name: string): readonly string[] {
  const close = findCloseNames(
    name,
    tools.filter(permits).map(({ row }) => row.name),
  )
  const ranked = rankTools(tools, name, NEAR_NAMES_MAX, permits).map(({ row }) => row.name)
  return [...new Set([...close, ...ranked])].slice(0, NEAR_NAMES_MAX)
}
