// For threads whose model searches the web itself: whether a run may use that, how many searches it may make,
// and which messages are sent. Makes no searches.

import type { ApiMessage } from '../../agent/message.ts'
import { withClosedSearches } from '../../agent/server-search.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { searchRefusal } from '../../tools/web/server-search.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'

/** The maximum number of searches in one model call; 0 if the thread has no such tool. */
export function maxServerSearches(tools: readonly ToolRow[]): number {
  return tools.reduce((total, { spec }) => ('max_uses' in spec ? total + spec.max_uses : total), 0)
}

/** The messages to send to the model. */
export function messagesToSend({ row, transcript }: Parts<'row' | 'transcript'>): readonly ApiMessage[] {
  const messages = transcript.forModel()
  return maxServerSearches(row.data.tools) > 0 ? withClosedSearches(messages) : messages
}

/**
 * The model's own searches cannot be refused one by one, and the list of tools is frozen, so no run may
 * continue once the tool is disabled. Returns the reason for the receipt, or null if the tool is allowed.
 */
export async function whySearchDisabled(
  { row, ports }: Parts<'row', 'toolSettings'>,
  run: Run,
): Promise<string | null> {
  const settings = await ports.toolSettings(row.data.workspace)
  const why = searchRefusal(settings.ok ? settings.value : null, run.options.tools)
  return why && `This thread was started with the model's own web_search, which ${why}. Start a new thread.`
}
