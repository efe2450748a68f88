// Computes how many tokens of a prompt the provider is certain to have cached, so that a call without a response is not charged as
// if it had written all of them to the cache again. Pure.

import { PROMPT_CACHE_LIFETIME_MS } from './limits.ts'
import { imagesOf, type Tokens } from './message.ts'
import type { ModelRequest } from './model.ts'

/**
 * Number of earlier requests at whose ends a request sets cache breakpoints (src/model/request.ts). Together with those at the
 * system prompt and the last block, these are the four breakpoints that the API accepts.
 */
export const EARLIER_BREAKPOINTS_MAX = 2

/** The properties of a request that decide what the provider finds in its cache. */
export interface SentPrompt {
  /** The number of messages. */
  readonly messages: number
  /** The options that must be equal in two requests for one to find the cached messages of the other. */
  readonly cacheKey: string
  /** When the request was sent. */
  readonly at: number
}

/** A request, and the tokens that the API reported when it began to respond. */
export interface ReportedPrompt {
  readonly sent: SentPrompt
  readonly tokens: Tokens
}

/** A request, and the number of its tokens that the provider has cached. */
export interface CachedPrompt extends SentPrompt {
  readonly tokens: number
}

type Prompt = Pick<ModelRequest, 'model' | 'effort' | 'forbidTools' | 'messages'>

export function sentPrompt({ model, effort, forbidTools, messages }: Prompt, at: number): SentPrompt {
  const images = messages.reduce((sum, { content }) => sum + imagesOf(content).length, 0)
  const cacheKey = [model, effort ?? '', forbidTools === true ? 'no tools' : '', images].join('|')
  return { messages: messages.length, cacheKey, at }
}

/** What the provider has cached according to its report about a request, or null if nothing is known. */
export function toCachedPrompt(sent: SentPrompt | null, reported: Tokens): CachedPrompt | null {
  const tokens = reported.cache_creation_input_tokens + reported.cache_read_input_tokens
  return sent === null || tokens === 0 ? null : { ...sent, tokens }
}

/** The number of tokens of a request that the provider is certain to read from its cache. */
export function certainlyCachedTokens(
  cached: CachedPrompt | null,
  { cacheKey, at }: SentPrompt,
  messages: ModelRequest['messages'],
): number {
  if (
    cached === null ||
    cached.cacheKey !== cacheKey ||
    at < cached.at ||
    at - cached.at > PROMPT_CACHE_LIFETIME_MS
  )
    return 0
  // The provider looks up its cache only at breakpoints: the end of this request and the ends of the latest earlier requests.
  const newMessages = messages.slice(cached.messages)
  const responses = newMessages.filter(({ role }) => role === 'assistant').length
  const hasBreakpoint =
    responses === 0 ? messages.length === cached.messages : newMessages[0]?.role === 'assistant'
  return hasBreakpoint && responses <= EARLIER_BREAKPOINTS_MAX ? cached.tokens : 0
}
