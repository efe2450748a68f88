// Computes what the provider has certainly cached of a prompt: a call without an answer is not charged as if it had
// written everything to the cache again. Pure.

import { PROMPT_CACHED_MS } from './limits.ts'
import { imagesOf, type Tokens } from './message.ts'
import type { ModelRequest } from './model.ts'

/**
 * Ends of earlier requests that a request marks, so that the provider looks up its cache there (src/model/request.ts).
 * With the system prompt and the last block these are the four marks that the API accepts.
 */
export const EARLIER_ENDS = 2

/** The parts of a request that decide what the provider finds in its cache. */
export interface SentPrompt {
  /** Number of its messages. */
  readonly messages: number
  /** If this differs from an earlier request's, that one's messages are not found. */
  readonly like: string
  /** When it was sent. */
  readonly at: number
}

/** A request, and what the API reported about it when it began to answer. */
export interface ReportedPrompt {
  readonly sent: SentPrompt
  readonly tokens: Tokens
}

/** A request, and how many of its tokens the provider has cached. */
export interface CachedPrompt extends SentPrompt {
  readonly tokens: number
}

type Prompt = Pick<ModelRequest, 'model' | 'effort' | 'forbidTools' | 'messages'>

export function sentPrompt({ model, effort, forbidTools, messages }: Prompt, at: number): SentPrompt {
  const images = messages.reduce((sum, { content }) => sum + imagesOf(content).length, 0)
  const like = [model, effort ?? '', forbidTools === true ? 'no tools' : '', images].join('|')
  return { messages: messages.length, like, at }
}

/** What the provider has cached, according to its report about a request; null if nothing is known. */
export function toCachedPrompt(sent: SentPrompt | null, reported: Tokens): CachedPrompt | null {
  const tokens = reported.cache_creation_input_tokens + reported.cache_read_input_tokens
  return sent === null || tokens === 0 ? null : { ...sent, tokens }
}

/** Tokens of a request that the provider certainly reads from its cache. */
export function certainlyCachedTokens(
  known: CachedPrompt | null,
  { like, at }: SentPrompt,
  messages: ModelRequest['messages'],
): number {
  if (known === null || known.like !== like || at < known.at || at - known.at > PROMPT_CACHED_MS) return 0
  // A request is marked at its end, and before its last answers: the provider looks up its cache nowhere else.
  const since = messages.slice(known.messages)
  const answers = since.filter(({ role }) => role === 'assistant').length
  const markUnseen = answers === 0 ? messages.length === known.messages : since[0]?.role === 'assistant'
  return markUnseen && answers <= EARLIER_ENDS ? known.tokens : 0
}
