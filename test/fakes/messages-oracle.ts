// Checks the frozen prefix over all requests of a thread: each must extend the previous one byte for byte, contain what
// the model said verbatim, and answer every tool call exactly once in the next message.

import type { Exchange, WireBlock } from './messages-wire.ts'

interface WireMessage {
  readonly role: string
  readonly content: string | readonly WireBlock[]
}

interface WireRequest {
  readonly model: string
  readonly system?: unknown
  readonly tools?: unknown
  readonly messages: readonly WireMessage[]
}

// Breakpoints are not content: the API ignores them when it compares, caches and validates a prefix.
const BREAKPOINT = ',"cache_control":{"type":"ephemeral"}'

/**
 * The request without breakpoints, byte for byte. In text a quote is escaped, so that text is never taken for a
 * breakpoint.
 */
function contentOf(exchange: Exchange): string {
  return exchange.raw.replaceAll(BREAKPOINT, '')
}

function parse(exchange: Exchange): WireRequest {
  // The cast is safe: a request without these fields fails the comparisons below, as it should.
  return JSON.parse(contentOf(exchange)) as WireRequest
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

// With these stop reasons a message may be left out later: it was refused, or truncated and requested again.
const MAY_BE_DROPPED: ReadonlySet<string | null> = new Set(['refusal', 'max_tokens', null])

function idsOf(blocks: readonly WireBlock[], type: string, field: string): readonly string[] {
  return blocks.filter((block) => block.type === type).map((block) => JSON.stringify(block[field]))
}

/** Problems with the pairing of calls and results in one request. */
export function pairingProblems(messages: readonly WireMessage[]): readonly string[] {
  const problems: string[] = []
  const blocksAt = (at: number): readonly WireBlock[] => {
    const content = messages[at]?.content ?? []
    return typeof content === 'string' ? [{ type: 'text', text: content }] : content
  }
  if (messages[0]?.role !== 'user') problems.push('messages[0] is not of the user')
  for (const [at, message] of messages.entries()) {
    const blocks = blocksAt(at)
    if (blocks.length === 0) problems.push(`messages[${at}] is empty`)
    const results = idsOf(blocks, 'tool_result', 'tool_use_id')
    const called = messages[at - 1]?.role === 'assistant' ? idsOf(blocksAt(at - 1), 'tool_use', 'id') : []
    if (results.toSorted().join() !== called.toSorted().join())
      problems.push(`messages[${at}] answers [${results.join()}] where [${called.join()}] was called`)
    const leading = blocks.slice(0, results.length).every((block) => block.type === 'tool_result')
    if (!leading) problems.push(`messages[${at}] has something before a tool_result`)
    const open = message.role === 'assistant' && at === messages.length - 1
    if (open && blocks.some((block) => block.type === 'tool_use'))
      problems.push('the last call is unanswered')
    const next = messages.slice(at + 1).find(({ role }) => role === 'user')
    const mayContinue =
      next === undefined || idsOf(blocksAt(messages.indexOf(next)), 'tool_result', 'tool_use_id')[0]
    const later = messages.slice(at).flatMap((_, n) => blocksAt(at + n))
    const found = idsOf(later, 'web_search_tool_result', 'tool_use_id')
    const searches = idsOf(blocks, 'server_tool_use', 'id').filter((id) => !found.includes(id))
    if (mayContinue === undefined && searches.length > 0)
      problems.push(`messages[${at}] has web_search ${searches.join()} without a web_search_tool_result`)
  }
  return problems
}

function extensionProblems(earlier: Exchange, later: Exchange): readonly string[] {
  const problems: string[] = []
  const [a, b] = [parse(earlier), parse(later)]
  for (const part of ['model', 'system', 'tools'] as const)
    if (!same(a[part], b[part])) problems.push(`${part} changed`)
  // Byte for byte, not only by value: the new request contains the old messages unchanged.
  const sent = JSON.stringify(a.messages).slice(0, -1)
  if (!contentOf(earlier).includes(sent)) problems.push('messages are not plain JSON')
  if (!contentOf(later).includes(sent)) problems.push('earlier messages changed')
  const added = b.messages.slice(a.messages.length)
  const { returned, stop } = earlier
  if (returned === null || returned.length === 0) return problems
  // Calls that the output limit cut off are left out.
  const expected = stop === 'max_tokens' ? returned.filter(({ type }) => type !== 'tool_use') : returned
  const kept = added[0]?.role === 'assistant' && same(added[0].content, expected)
  if (!kept && !(MAY_BE_DROPPED.has(stop) && added[0]?.role !== 'assistant'))
    problems.push(`what the model said is not what follows: ${JSON.stringify(added[0])}`)
  return problems
}

/** All problems of a thread's requests, in order; empty if there are none. */
export function prefixProblems(exchanges: readonly Exchange[]): readonly string[] {
  const problems: string[] = []
  for (const [at, exchange] of exchanges.entries()) {
    const earlier = exchanges[at - 1]
    const found = [
      ...pairingProblems(parse(exchange).messages),
      ...(earlier === undefined ? [] : extensionProblems(earlier, exchange)),
    ]
    problems.push(...found.map((problem) => `request ${at}: ${problem}`))
  }
  return problems
}

/** Throws with all problems of the requests of one thread. */
export function checkExtends(exchanges: readonly Exchange[]): void {
  const problems = prefixProblems(exchanges)
  if (problems.length > 0) throw new Error(`The prefix was not kept.\n${problems.join('\n')}`)
}

/**
 * Exchanges grouped by thread. Threads are distinguished by their first message, so each test's threads begin with
 * different words.
 */
export function byThread(exchanges: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const threads = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const key = JSON.stringify(parse(exchange).messages[0])
    threads.set(key, [...(threads.get(key) ?? []), exchange])
  }
  return [...threads.values()]
}
