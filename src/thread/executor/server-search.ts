// A thread whose model searches the web by itself: whether its runs may, what that may cost, and what is sent. Makes no search.

import type { ApiMessage } from '../../agent/message.ts'
import { withClosedSearches } from '../../agent/server-search.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { searchBarred } from '../../tools/web/server-search.ts'
import type { Parts } from '../parts.ts'
import type { Run } from '../rows/run.ts'

/** The most that one call to the model may make; 0: the thread has no such tool. */
export function serverSearches(tools: readonly ToolRow[]): number {
  return tools.reduce((most, { spec }) => ('max_uses' in spec ? most + spec.max_uses : most), 0)
}

/** What the model is sent of the conversation. */
export function toSend({ row, transcript }: Parts<'row' | 'transcript'>): readonly ApiMessage[] {
  const said = transcript.forModel()
  return serverSearches(row.data.tools) > 0 ? withClosedSearches(said) : said
}

/**
 * No call of such a tool can be refused one by one, and the list of tools is frozen: where it is not to be used any more no
 * run goes on. Why, for the receipt; null: nothing bars it.
 */
export async function barredSearch(
  { row, out }: Parts<'row', 'toolSettings'>,
  run: Run,
): Promise<string | null> {
  const set = await out.toolSettings(row.data.workspace)
  const why = searchBarred(set.ok ? set.value : null, run.options.tools)
  return why && `This thread began with the model's own web_search, which ${why}. Start a new thread.`
}
