// A thread whose model searches the web by itself: whether its runs may, what that may cost, and what is sent. Makes no
// search itself.

import type { ApiMessage } from '../../agent/message.ts'
import { withClosedSearches } from '../../agent/server-search.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { searchBarred } from '../../tools/web/server-search.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'

/** The maximum number of searches of one model call; 0: the thread has no such tool. */
export function serverSearches(tools: readonly ToolRow[]): number {
  return tools.reduce((most, { spec }) => ('max_uses' in spec ? most + spec.max_uses : most), 0)
}

/** The conversation as the model gets it. */
export function toSend({ row, transcript }: Parts<'row' | 'transcript'>): readonly ApiMessage[] {
  const messages = transcript.forModel()
  return serverSearches(row.data.tools) > 0 ? withClosedSearches(messages) : messages
}

/**
 * Such calls cannot be refused one by one, and the list of tools is frozen, so no run continues once the tool is
 * disabled. Returns the reason for the receipt; null if it is allowed.
 */
export async function barredSearch(
  { row, out }: Parts<'row', 'toolSettings'>,
  run: Run,
): Promise<string | null> {
  const set = await out.toolSettings(row.data.workspace)
  const why = searchBarred(set.ok ? set.value : null, run.options.tools)
  return why && `This thread was started with the model's own web_search, which ${why}. Start a new thread.`
}
