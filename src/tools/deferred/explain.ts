// Explains to the model why a call of call_tool was not made, and shows the definition that it needs. Loaded when needed.

import { schemaOf, type ToolResult, type ToolRow } from '../../agent/tool.ts'
import { defuseTags, escapedLine } from '../../lib/framework-tags.ts'
import { cutText } from '../../lib/text.ts'
import { errorResult } from '../record/builtin.ts'
import type { DeferredCatalog } from '../record/offered.ts'
import { definitionsFrame, showDefinitions } from './definition-text.ts'
import { CALL_TOOL_NAME, TOOL_SEARCH_NAME } from './names.ts'
import { readInput, type NamedCall } from './read-call.ts'
import { definedToolNamed, nearNames } from './search.ts'

/** Returns the error for a call whose target the model was not shown. */
export async function explain(catalog: DeferredCatalog, call: NamedCall): Promise<ToolResult> {
  const tool = await definedToolNamed(catalog, call.name)
  if (!tool) return explainMissing(catalog, call.name)
  const read = readInput(call, schemaOf(tool.row))
  const why = read.ok ? `Not run: ${TOOL_SEARCH_NAME} had not shown this tool before this step.` : read.error
  return withDefinition(why, tool.row)
}

/** Returns the error for a name that is not the name of a tool that the run may call. */
export function explainMissing(catalog: DeferredCatalog, name: string): ToolResult {
  const shown = cutText(escapedLine(name), 64)
  const near = nearNames(catalog, name)
  const what =
    near.length > 0
      ? `Similar names: ${near.join(', ')}. Look one up with ${TOOL_SEARCH_NAME} ("select:…") before you call it.`
      : `Look for one with ${TOOL_SEARCH_NAME}, or continue without it.`
  return errorResult(
    `Not run: there is no tool named ${shown} that ${CALL_TOOL_NAME} can call. ${what} Tools in your own list are called directly.`,
  )
}

/** Returns an error with the definition of the tool, which the model may call from now on. */
export function withDefinition(why: string, row: ToolRow): ToolResult {
  const { text, shown } = showDefinitions([row])
  if (shown.length === 0) return errorResult(`${why} Its definition is too long to be shown.`)
  const before = `${defuseTags(why)} Here is its definition: call it again with an input for it.`
  return { content: text, frame: definitionsFrame(before, ''), isError: true, reveals: shown }
}
