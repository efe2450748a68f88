// A ModelRequest as the body of a Messages API call. Fixed key order, nothing edited: requests only extend.

import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import type { ModelRequest } from '../agent/model.ts'

// Models that take `thinking: adaptive`: the fifth generation and later (Haiku from 5.5).
const THINKS = /^claude-(?:(?:opus|sonnet)-(?:[5-9]|\d{2})(?:[-@]|$)|haiku-5-[5-9]|(?:fable|mythos)-)/

/**
 * The body of one call. Everything that is frozen stands before `messages`, everything that may differ from call to
 * call after it, so that the bytes up to the end of the messages extend those of the call before.
 * The top-level `cache_control` puts the moving breakpoint on the last block without marking (and so changing) it.
 * A message without content is left out: the API refuses one, and an empty answer is legal.
 */
export function requestBody(request: ModelRequest): MessageCreateParamsStreaming {
  const { model, system, tools, messages, maxTokens, effort, forbidTools } = request
  const body = {
    model,
    ...(system !== '' && {
      system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    }),
    ...(tools.length > 0 && { tools }),
    messages: messages.filter((message) => message.content.length > 0),
    max_tokens: maxTokens,
    cache_control: { type: 'ephemeral' },
    ...(THINKS.test(model) && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(effort !== undefined && { output_config: { effort } }),
    ...(forbidTools === true && tools.length > 0 && { tool_choice: { type: 'none' } }),
    stream: true,
  }
  // Blocks and schemas are the provider's or the thread's own JSON, kept verbatim; the SDK only serialises them.
  return body as unknown as MessageCreateParamsStreaming
}
