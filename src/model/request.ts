// Converts a ModelRequest to the body of a Messages API call. The order of keys is fixed and no content is edited, so
// that each request extends the previous one.

import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import type { ApiMessage, Block } from '../agent/message.ts'
import type { ModelRequest } from '../agent/model.ts'
import { EARLIER_BREAKPOINTS_MAX } from '../agent/prompt-cache.ts'

// Models that accept `thinking: adaptive`: the fifth generation and later (Haiku from 5.5).
const ADAPTIVE_THINKING =
  /^claude-(?:(?:opus|sonnet)-(?:[5-9]|\d{2})(?:[-@]|$)|haiku-5-[5-9]|(?:fable|mythos)-)/

const EPHEMERAL = { type: 'ephemeral' } as const

/** Whether the API allows a cache breakpoint on a block. */
function canHaveBreakpoint(block: Block): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking' && block['text'] !== ''
}

/**
 * Adds cache breakpoints where earlier requests ended, which is before each response. They are needed because the API
 * finds a cached prefix only up to 20 blocks before a breakpoint, and one step may add four times as many.
 */
function withBreakpoints(messages: readonly ApiMessage[]): readonly ApiMessage[] {
  const earlierEnds = messages
    .flatMap(({ role }, index) => (role === 'assistant' ? [index - 1] : []))
    .slice(-EARLIER_BREAKPOINTS_MAX)
  return messages.map((message, index) => {
    const blockIndex = earlierEnds.includes(index) ? message.content.findLastIndex(canHaveBreakpoint) : -1
    const block = message.content[blockIndex]
    if (block === undefined) return message
    return { ...message, content: message.content.with(blockIndex, { ...block, cache_control: EPHEMERAL }) }
  })
}

/**
 * The body of one call. Everything that is fixed comes before `messages`, and everything that may vary between calls
 * after it. Up to the end of the messages, the bytes extend those of the previous call, except for cache breakpoints,
 * which are not content. The top-level `cache_control` adds a breakpoint to the last block that allows one. Messages
 * without content, such as empty responses, are left out, because the API refuses them.
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
    ...(ADAPTIVE_THINKING.test(model) && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(effort !== undefined && { output_config: { effort } }),
    ...(forbidTools === true && tools.length > 0 && { tool_choice: { type: 'none' } }),
    stream: true,
  }
  // The cast is safe: blocks and schemas are JSON that is kept verbatim, and the SDK only serializes them.
  return body as unknown as MessageCreateParamsStreaming
}
