// The model's own web search, which its provider runs within a call: reads its blocks in a conversation. Pure, and
// edits none of them.

import { normalizeUrl } from './addresses.ts'
import type { ApiMessage, Block } from './message.ts'

/**
 * The source name of the provider's search results; our own search uses the same. A page is `web:HOST`, and a host may
 * have any name.
 */
export const SEARCH_SOURCES: readonly string[] = ['search:web']

const RESULT = 'web_search_tool_result'

/** The fields of a block, which may be incomplete. */
type Fields = Readonly<Record<string, unknown>>

/** What a search found; nothing for a failed search or any other block. */
function found({ type, content }: Fields): readonly unknown[] {
  return type === RESULT && Array.isArray(content) ? content : []
}

/** Number of searches in these blocks that found something. */
export function countSuccessfulSearches(content: readonly Fields[]): number {
  return content.filter((block) => found(block).length > 0).length
}

/** Searches that may be billed: all that were started, without those that failed. */
export function billableSearches(content: readonly Fields[]): number {
  const failures = content.filter((block) => block['type'] === RESULT && !Array.isArray(block['content']))
  const begun = content.filter((block) => block['type'] === 'server_tool_use')
  return Math.max(0, begun.length - failures.length)
}

/** The results of the model's searches in this message: for each search its addresses, as `spelled` writes them. */
export function searchResultAddresses({ role, content }: ApiMessage): readonly (readonly string[])[] {
  if (role !== 'assistant') return []
  return content.map((block) => found(block).flatMap(addressOf)).filter((addresses) => addresses.length > 0)
}

function addressOf(hit: unknown): readonly string[] {
  const url = typeof hit === 'object' && hit !== null && 'url' in hit ? hit.url : null
  const address = typeof url === 'string' ? normalizeUrl(url) : null
  return address === null ? [] : [address]
}

/**
 * Closes open searches with a failure message. The API accepts no search without a result once the turn is over, for
 * example after a run that ended within a pause, or an answer that was cut. Computed from the messages only, so that
 * every later request is the same.
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
    // With the results of other tools the API continues the search.
    const goesOn = !next || next.content[0]?.type === 'tool_result'
    return goesOn ? [message] : [message, { role: 'assistant', content: closing }]
  })
}

function failed({ id }: Block): Block {
  const content = { type: `${RESULT}_error`, error_code: 'unavailable' }
  return { type: RESULT, tool_use_id: id, content }
}
