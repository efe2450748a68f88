// Explains to the model why a call of call_tool was not made, and shows the definition that it needs. Loaded when needed.

import type { ToolResult, ToolRow } from '../../agent/tool.ts'
import { defuseTags, escapeXml } from '../../lib/framework-tags.ts'
import { cutText, stripInvisible } from '../../lib/text.ts'
import { errorResult } from '../record/builtin.ts'
import type { DeferredCatalog } from '../record/offered.ts'
import { definitionsFrame, showDefinitions } from './definition-text.ts'
import { CALL_TOOL_NAME, TOOL_SEARCH_NAME } from './names.ts'
import { readInput, type NamedCall } from './read-call.ts'
import { nearNames, toolNamed } from './search.ts'

/** Why a call has no target that the model was shown. */
export function explain(catalog: DeferredCatalog, call: NamedCall): ToolResult {
  const tool = toolNamed(catalog, call.name)
  if (!tool) return explainMissing(catalog, call.name)
  const { spec } = tool.row
  const read = readInput(call, 'input_schema' in spec ? spec.input_schema : {})
  const why = read.ok ? `Not run: ${TOOL_SEARCH_NAME} had not shown this tool before this step.` : read.error
  return withDefinition(`${why} Here is its definition: call it again with an input for it.`, tool.row)
}

/** The error for a name that no tool has that the run may call. */
export function explainMissing(catalog: DeferredCatalog, name: string): ToolResult {
  const shown = cutText(escapeXml(stripInvisible(name).replace(/\s+/g, ' ').trim()), 64)
  const near = nearNames(catalog, name)
  const what =
    near.length > 0
      ? `Similar names: ${near.join(', ')}. Look one up with ${TOOL_SEARCH_NAME} ("select:…") before you call it.`
      : `Look for one with ${TOOL_SEARCH_NAME}, or continue without it.`
  return errorResult(
    `Not run: there is no tool named ${shown} that ${CALL_TOOL_NAME} can call. ${what} Tools in your own list are called directly.`,
  )
}

/** An error with the definition of the tool, which the model can call from now on. */
export function withDefinition(why: string, row: ToolRow): ToolResult {
  const { text, shown } = showDefinitions([row])
  if (shown.length === 0)
    return errorResult(`${why.replace(/ Here is .*$/, '')} Its definition is too long to be shown.`)
  return { content: text, frame: definitionsFrame(defuseTags(why), ''), isError: true, reveals: shown }
}
