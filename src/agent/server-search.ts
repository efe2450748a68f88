// Reads the blocks of the model's own web search, which its provider runs within a call. Pure; never edits existing blocks.

import { normalizeUrl } from './addresses.ts'
import type { ApiMessage, Block } from './message.ts'

/**
 * The source name for results of the provider's search and of our own. It must not begin with `web:`, which is followed by the host
 * of a page, because a host may have any name.
 */
export const SEARCH_SOURCES: readonly string[] = ['search:web']

const RESULT_TYPE = 'web_search_tool_result'

/** The fields of a block that may be incomplete. */
type Fields = Readonly<Record<string, unknown>>

/** The hits in a search result block; empty for a failed search and for any other block. */
function hitsIn({ type, content }: Fields): readonly unknown[] {
  return type === RESULT_TYPE && Array.isArray(content) ? content : []
}

/** The number of searches in these blocks that found something. */
export function countSuccessfulSearches(content: readonly Fields[]): number {
  return content.filter((block) => hitsIn(block).length > 0).length
}

/** The number of searches that may be billed: all that were started, except those that failed. */
export function billableSearches(content: readonly Fields[]): number {
  const failures = content.filter(
    (block) => block['type'] === RESULT_TYPE && !Array.isArray(block['content']),
  )
  const started = content.filter((block) => block['type'] === 'server_tool_use')
  return Math.max(0, started.length - failures.length)
}

/** The normalized addresses that the model's searches in this message found, as one list per search. */
export function searchResultAddresses({ role, content }: ApiMessage): readonly (readonly string[])[] {
  if (role !== 'assistant') return []
  return content.map((block) => hitsIn(block).flatMap(addressOf)).filter((addresses) => addresses.length > 0)
}

function addressOf(hit: unknown): readonly string[] {
  const url = typeof hit === 'object' && hit !== null && 'url' in hit ? hit.url : null
  const address = typeof url === 'string' ? normalizeUrl(url) : null
  return address === null ? [] : [address]
}

/**
 * Adds a failure result for each search without a result. Once a turn is over, the API refuses such searches;
 * they remain if a run ended during a pause or a response was cut off. Computed only from the messages, so
 * that every later request contains the same blocks.
 */
export function withClosedSearches(messages: readonly ApiMessage[]): readonly ApiMessage[] {
  const answeredIds = new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === RESULT_TYPE ? [block['tool_use_id']] : [])),
    ),
  )
  const isOpen = (block: Block): boolean => block.type === 'server_tool_use' && !answeredIds.has(block['id'])
  return messages.flatMap((message, index) => {
    const failures = message.content.filter(isOpen).map(failureFor)
    if (failures.length === 0) return [message]
    const next = messages.slice(index + 1).find(({ role }) => role === 'user')
    // The API continues the search when it receives the results of other tools.
    const willContinue = !next || next.content[0]?.type === 'tool_result'
    return willContinue ? [message] : [message, { role: 'assistant', content: failures }]
  })
}

function failureFor({ id }: Block): Block {
  const content = { type: `${RESULT_TYPE}_error`, error_code: 'unavailable' }
  return { type: RESULT_TYPE, tool_use_id: id, content }
}
