// Searches deferred tools and writes the result for the model. Loaded with the first search.

import type { ToolResult } from '../../agent/tool.ts'
import { escapedLine } from '../../lib/framework-tags.ts'
import { cutText } from '../../lib/text.ts'
import type { DeferredCatalog } from '../record/offered.ts'
import { errorResult } from '../record/builtin.ts'
import { definitionsFrame, showDefinitions } from './definition-text.ts'
import { TOOLS_SELECTED_MAX } from './limits.ts'
import { searchTools } from './search.ts'
import { CATALOG_UNREADABLE } from './tool-search.ts'

export async function search(catalog: DeferredCatalog, query: string): Promise<ToolResult> {
  const { tools, permits } = catalog
  const { tools: found, others, missing, more } = searchTools(catalog, query)
  const defined = await catalog.define(found)
  if (!defined.ok) return errorResult(CATALOG_UNREADABLE)
  const hits = defined.value
  const missingLines = missing.map((name) => `There is no tool named ${escapedLine(name)}.`)
  if (more > 0)
    missingLines.push(`${more} more names were not looked up: select at most ${TOOLS_SELECTED_MAX}.`)
  if (hits.length === 0) {
    const why =
      missingLines.length > 0
        ? missingLines.join('\n')
        : `No tools matched: ${cutText(escapedLine(query), 200)}`
    const what = tools.some(permits)
      ? 'Search again with other words: what the tool does, and to what.'
      : 'No more tools are available at present. Continue without them.'
    return { content: `${why}\n${what}`, isError: false }
  }
  const { text, shown, left } = showDefinitions(hits.map(({ row }) => row))
  const notes = [
    ...left.map(({ name }) => `There was no room for ${name}: select it alone.`),
    ...missingLines,
    ...(others.length > 0
      ? [`If none of these fits, select others by name: ${others.map(({ row }) => row.name).join(', ')}.`]
      : []),
  ]
  const after = notes.length > 0 ? `\n${notes.join('\n')}` : ''
  const before = shown.length === 1 ? 'Found one tool.' : `Found ${shown.length} tools.`
  return { content: text, frame: definitionsFrame(before, after), isError: false, reveals: shown }
}
