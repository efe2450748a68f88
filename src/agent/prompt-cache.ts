// What the provider surely remembers of a prompt: a call that nobody heard from again is not charged as if it had written
// all of it to the cache once more. Pure.

import { PROMPT_CACHED_MS } from './limits.ts'
import { imagesOf, type Tokens } from './message.ts'
import type { ModelRequest } from './model.ts'

/**
 * Ends of earlier requests that a request marks, so that the provider looks there for what it remembers (src/model/request.ts);
 * with the system prompt and the last block the four marks that the API takes.
 */
export const EARLIER_ENDS = 2

/** A request, as far as it decides what the provider finds in its cache. */
export interface SentPrompt {
  /** How many messages it had. */
  readonly messages: number
  /** Where this differs from an earlier request, that one's messages are not found. */
  readonly like: string
  /** When it was sent. */
  readonly at: number
}

/** A request, and what the API reported of it when it began to answer. */
export interface ReportedPrompt {
  readonly sent: SentPrompt
  readonly tokens: Tokens
}

/** A request that the provider remembers so much of. */
export interface CachedPrompt extends SentPrompt {
  readonly tokens: number
}

type Prompt = Pick<ModelRequest, 'model' | 'effort' | 'forbidTools' | 'messages'>

export function sentPrompt({ model, effort, forbidTools, messages }: Prompt, at: number): SentPrompt {
  const images = messages.reduce((sum, { content }) => sum + imagesOf(content).length, 0)
  const like = [model, effort ?? '', forbidTools === true ? 'no tools' : '', images].join('|')
  return { messages: messages.length, like, at }
}

/** What the provider remembers by what it reported of a request; null: nothing that is known. */
export function cachedBy(sent: SentPrompt | null, reported: Tokens): CachedPrompt | null {
  const tokens = reported.cache_creation_input_tokens + reported.cache_read_input_tokens
  return sent === null || tokens === 0 ? null : { ...sent, tokens }
}

/** Tokens of a request that the provider surely reads from its cache. */
export function surelyCached(
  known: CachedPrompt | null,
  { like, at }: SentPrompt,
  messages: ModelRequest['messages'],
): number {
  if (known === null || known.like !== like || at < known.at || at - known.at > PROMPT_CACHED_MS) return 0
  // A request is marked at its end, and before its last answers: elsewhere nobody looks for what is remembered.
  const since = messages.slice(known.messages)
  const answers = since.filter(({ role }) => role === 'assistant').length
  const marked = answers === 0 ? messages.length === known.messages : since[0]?.role === 'assistant'
  return marked && answers <= EARLIER_ENDS ? known.tokens : 0
}
