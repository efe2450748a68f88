// A ModelRequest as the body of a Messages API call. Fixed key order, nothing edited: requests only extend.

import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import type { ApiMessage, Block } from '../agent/message.ts'
import type { ModelRequest } from '../agent/model.ts'
import { EARLIER_ENDS } from '../agent/prompt-cache.ts'

// Models that take `thinking: adaptive`: the fifth generation and later (Haiku from 5.5).
const THINKS = /^claude-(?:(?:opus|sonnet)-(?:[5-9]|\d{2})(?:[-@]|$)|haiku-5-[5-9]|(?:fable|mythos)-)/

const EPHEMERAL = { type: 'ephemeral' } as const

/** Whether the API lets a block carry a breakpoint. */
function markable(block: Block): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking' && block['text'] !== ''
}

/**
 * Breakpoints where earlier requests ended: what stands before an answer is the request that it answered. The API looks
 * for what it remembers no more than 20 blocks before a breakpoint, and one step may add four times as many.
 */
function withBreakpoints(messages: readonly ApiMessage[]): readonly ApiMessage[] {
  const ends = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at - 1] : [])).slice(-EARLIER_ENDS)
  return messages.map((message, at) => {
    const last = ends.includes(at) ? message.content.findLastIndex(markable) : -1
    const block = message.content[last]
    if (block === undefined) return message
    return { ...message, content: message.content.with(last, { ...block, cache_control: EPHEMERAL }) }
  })
}

/**
 * The body of one call. Everything that is frozen stands before `messages`, everything that may differ from call to
 * call after it: but for breakpoints, which are no content and move on with each step, the bytes up to the end of the
 * messages extend those of the call before. The top-level `cache_control` puts one on the last block that can have one.
 * A message without content is left out: the API refuses one, and an empty answer is legal.
 */
export function requestBody(request: ModelRequest): MessageCreateParamsStreaming {
  const { model, system, tools, messages, maxTokens, effort, forbidTools } = request
  const body = {
    model,
    ...(system !== '' && {
      system: [{ type: 'text', text: system, cache_control: EPHEMERAL }],
    }),
    ...(tools.length > 0 && { tools }),
    messages: withBreakpoints(messages.filter((message) => message.content.length > 0)),
    max_tokens: maxTokens,
    cache_control: EPHEMERAL,
    ...(THINKS.test(model) && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(effort !== undefined && { output_config: { effort } }),
    ...(forbidTools === true && tools.length > 0 && { tool_choice: { type: 'none' } }),
    stream: true,
  }
  // Blocks and schemas are the provider's or the thread's own JSON, kept verbatim; the SDK only serialises them.
  return body as unknown as MessageCreateParamsStreaming
}
