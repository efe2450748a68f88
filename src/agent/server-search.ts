// The model's own web search, which its provider carries out within a call: what its blocks in a conversation say. Pure, and
// edits none of them.

import { spelled } from './addresses.ts'
import type { ApiMessage, Block } from './message.ts'

/** Where results of searches come from; ours is the same. A page is `web:HOST`, and a host may be called anything. */
export const SEARCH_SOURCES: readonly string[] = ['search:web']

const RESULT = 'web_search_tool_result'

/** Of a block, perhaps one that is still growing. */
type Fields = Readonly<Record<string, unknown>>

/** What a search found; of one that failed, and of any other block, nothing. */
function found({ type, content }: Fields): readonly unknown[] {
  return type === RESULT && Array.isArray(content) ? content : []
}

/** Searches among these blocks that found something. */
export function searchesIn(content: readonly Fields[]): number {
  return content.filter((block) => found(block).length > 0).length
}

/** Searches that may be billed: all that were begun, but for those that failed. */
export function searchesBegun(content: readonly Fields[]): number {
  const failures = content.filter((block) => block['type'] === RESULT && !Array.isArray(block['content']))
  const begun = content.filter((block) => block['type'] === 'server_tool_use')
  return Math.max(0, begun.length - failures.length)
}

/** What the model's searches in this message found: for each search its addresses, as `spelled` writes them. */
export function addressesFound({ role, content }: ApiMessage): readonly (readonly string[])[] {
  if (role !== 'assistant') return []
  return content.map((block) => found(block).flatMap(addressOf)).filter((addresses) => addresses.length > 0)
}

function addressOf(hit: unknown): readonly string[] {
  const url = typeof hit === 'object' && hit !== null && 'url' in hit ? hit.url : null
  const address = typeof url === 'string' ? spelled(url) : null
  return address === null ? [] : [address]
}

/**
 * The API takes no search without a result once the turn is over, as where a run ended within a pause or an answer was cut:
 * such a message is followed by one that says the search failed. Made from the messages before and behind alone, so that
 * every later request has it, too.
 */
export function withClosedSearches(messages: readonly ApiMessage[]): readonly ApiMessage[] {
  const answered = new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === RESULT ? [block['tool_use_id']] : [])),
    ),
  )
  const open = (block: Block): boolean => block.type === 'server_tool_use' && !answered.has(block['id'])
  return messages.flatMap((message, at) => {
    const closing = message.content.filter(open).map(failed)
    if (closing.length === 0) return [message]
    const next = messages.slice(at + 1).find(({ role }) => role === 'user')
    // With the results of other tools the API goes on with the search.
    const goesOn = !next || next.content[0]?.type === 'tool_result'
    return goesOn ? [message] : [message, { role: 'assistant', content: closing }]
  })
}

function failed({ id }: Block): Block {
  const content = { type: `${RESULT}_error`, error_code: 'unavailable' }
  return { type: RESULT, tool_use_id: id, content }
}
