// Calculates the cost of model calls, and estimates tokens that no call has measured. Pure.

import { estimateTokens } from '../lib/tokens.ts'
import { IMAGE_TOKENS_ESTIMATE } from './limits.ts'
import { imagesOf, promptTokens, type ApiMessage, type Tokens } from './message.ts'
import type { ModelFacts, Price } from './model.ts'

const MILLION = 1_000_000

/** The price list for a call whose prompt has this many tokens. */
export function priceAt(facts: ModelFacts, prompt: number): Price {
  const longPrompt = facts.longPrompt
  return longPrompt && prompt > longPrompt.aboveTokens ? longPrompt.price : facts.price
}

/** The cost of one call in US dollars. */
export function costOf(facts: ModelFacts, tokens: Tokens): number {
  const price = priceAt(facts, promptTokens(tokens))
  const millionths =
    tokens.input_tokens * price.input +
    tokens.output_tokens * price.output +
    tokens.cache_creation_input_tokens * price.cacheWrite +
    tokens.cache_read_input_tokens * price.cacheRead
  return millionths / MILLION + searchCost(facts, tokens.web_search_requests)
}

/** The cost in US dollars of this many searches by the provider. */
export function searchCost(facts: ModelFacts, searches = 0): number {
  return searches * (facts.searchPrice ?? 0)
}

function highestInputPrice(price: Price): number {
  return Math.max(price.input, price.cacheWrite, price.cacheRead)
}

/**
 * The highest possible cost of a call in US dollars: the entire prompt at its highest price, and the maximum
 * output.
 */
export function worstCaseCost(facts: ModelFacts, prompt: number, output: number): number {
  const price = priceAt(facts, prompt)
  return (prompt * highestInputPrice(price) + output * price.output) / MILLION
}

/** The discount in US dollars if this many tokens of the prompt are read from the cache. */
export function cachedDiscount(facts: ModelFacts, prompt: number, cached: number): number {
  const price = priceAt(facts, prompt)
  return (cached * (highestInputPrice(price) - price.cacheRead)) / MILLION
}

/** Estimates the tokens of messages that no call has measured: text by its length, each image at the maximum cost of an image. */
export function estimateUnmeasuredTokens(messages: readonly ApiMessage[]): number {
  const images = new Set<unknown>(messages.flatMap(({ content }) => imagesOf(content)))
  const text = JSON.stringify(messages, (_, value: unknown) => (images.has(value) ? null : value))
  return estimateTokens(text) + images.size * IMAGE_TOKENS_ESTIMATE
}
