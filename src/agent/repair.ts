// Keeps a transcript valid: every tool_use gets exactly one result, at the start of the next user message. Adds results but never
// edits messages that were sent.

import { isToolUse, type Block, type ToolContent, type ToolResultBlock } from './message.ts'

/** The result of a call that was interrupted and may have had side effects. */
export const UNKNOWN_OUTCOME =
  'The outcome of this call is unknown: it was interrupted and will not be repeated automatically. Check whether it took effect before you call it again.'

export interface KnownResult {
  readonly toolUseId: string
  readonly content: ToolContent
  readonly isError: boolean
}

/**
 * The results for the calls of an assistant message, in their order. A call without a known result gets an error with the text
 * `missing`. An id that occurs twice gets one result.
 */
export function resultsFor(
  content: readonly Block[],
  knownResults: readonly KnownResult[],
  missingResultText: string,
): readonly ToolResultBlock[] {
  const byId = new Map(knownResults.map((result) => [result.toolUseId, result]))
  const ids = new Set(content.filter(isToolUse).map((block) => block.id))
  return [...ids].map((id) => {
    const result = byId.get(id)
    return {
      type: 'tool_result',
      tool_use_id: id,
      content: result ? result.content : missingResultText,
      is_error: result ? result.isError : true,
    }
  })
}
