// Keeps a transcript valid: every tool_use gets exactly one result, first in the next user message. Only adds; sent
// messages are never edited.

import { isToolUse, type Block, type ToolContent, type ToolResultBlock } from './message.ts'

/** For a call that may have had side effects before it was stopped. */
export const UNKNOWN_OUTCOME =
  'The outcome of this call is unknown: it was stopped while it ran, and it is not repeated automatically. Check whether it took effect before you call it again.'

export interface KnownResult {
  readonly toolUseId: string
  readonly content: ToolContent
  readonly isError: boolean
}

/**
 * The results for an assistant message, in its order. Calls without a known result get an error with the text
 * `missing`. Ids that occur twice get one result.
 */
export function resultsFor(
  content: readonly Block[],
  known: readonly KnownResult[],
  missing: string,
): readonly ToolResultBlock[] {
  const byId = new Map(known.map((result) => [result.toolUseId, result]))
  const ids = new Set(content.filter(isToolUse).map((block) => block.id))
  return [...ids].map((id) => {
    const result = byId.get(id)
    return {
      type: 'tool_result',
      tool_use_id: id,
      content: result ? result.content : missing,
      is_error: result ? result.isError : true,
    }
  })
}
