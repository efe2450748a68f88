// The context window, list price and output rate of known models. All of these models accept images.

import type { ModelFacts, Price } from '../agent/model.ts'

const MILLION = 1_000_000

/** US dollars for a million tokens. */
function price(input: number, output: number, cacheWrite: number, cacheRead: number): Price {
  return { input, output, cacheWrite, cacheRead }
}

const FABLE = price(10, 50, 12.5, 1)
const FABLE_5_1 = price(10, 50, 12.5, 0.25)
const OPUS = price(5, 25, 6.25, 0.5)
const SONNET_4 = price(3, 15, 3.75, 0.3)
const HAIKU_LONG = { aboveTokens: 100_000, price: price(0.5, 2.5, 0.625, 0.05) }

/**
 * The price of a search with any model, in addition to the tokens of its results (platform.claude.com, November
 * 2026).
 */
const SEARCH_PRICE_USD = 10 / 1_000

/**
 * Maximum output tokens per second, from which the cost of a lost call is estimated: twice the fastest rate in public
 * comparisons (artificialanalysis.ai: Opus 45 to 70, Sonnet 60 to 90, Haiku 110 to 200). The time to the first token
 * and the time to notice a dead connection are charged at the same rate, which adds a margin. If a rate is too high,
 * a lost call is overcharged by seconds of output; if it is too low, a run could exceed its budget.
 */
const LARGE_MODEL_TOKENS_PER_S = 140
const SONNET_TOKENS_PER_S = 180
const HAIKU_TOKENS_PER_S = 400
/** The rate of models that are not in the table. The fastest public hosts of open models claim about this. */
export const UNKNOWN_MODEL_TOKENS_PER_S = 3_000

// List prices from platform.claude.com, November 2026: [id, window in tokens, price, output rate, long-prompt tier].
const MODEL_TABLE: readonly (readonly [string, number, Price, number, ModelFacts['longPrompt']?])[] = [
  ['claude-fable-5-2', MILLION, FABLE_5_1, LARGE_MODEL_TOKENS_PER_S],
  ['claude-fable-5-1', MILLION, FABLE_5_1, LARGE_MODEL_TOKENS_PER_S],
  ['claude-fable-5', MILLION, FABLE, LARGE_MODEL_TOKENS_PER_S],
  ['claude-mythos-5-2', MILLION, FABLE_5_1, LARGE_MODEL_TOKENS_PER_S],
  ['claude-mythos-5-1', MILLION, FABLE_5_1, LARGE_MODEL_TOKENS_PER_S],
  ['claude-mythos-5', MILLION, FABLE, LARGE_MODEL_TOKENS_PER_S],
  ['claude-opus-5-5', MILLION, price(4, 20, 5, 0.2), LARGE_MODEL_TOKENS_PER_S],
  ['claude-opus-5', MILLION, OPUS, LARGE_MODEL_TOKENS_PER_S],
  ['claude-opus-4-8', MILLION, OPUS, LARGE_MODEL_TOKENS_PER_S],
  ['claude-opus-4-7', MILLION, OPUS, LARGE_MODEL_TOKENS_PER_S],
  ['claude-opus-4-6', MILLION, OPUS, LARGE_MODEL_TOKENS_PER_S],
  ['claude-opus-4-5', 200_000, OPUS, LARGE_MODEL_TOKENS_PER_S],
  ['claude-sonnet-5-5', MILLION, price(2, 10, 2.5, 0.1), SONNET_TOKENS_PER_S],
  ['claude-sonnet-5', MILLION, price(2, 10, 2.5, 0.2), SONNET_TOKENS_PER_S],
  ['claude-sonnet-4-6', MILLION, SONNET_4, SONNET_TOKENS_PER_S],
  ['claude-sonnet-4-5', 200_000, SONNET_4, SONNET_TOKENS_PER_S],
  ['claude-haiku-5-5', MILLION, price(0.1, 0.5, 0.125, 0.01), HAIKU_TOKENS_PER_S, HAIKU_LONG],
  ['claude-haiku-4-5', 200_000, price(1, 5, 1.25, 0.1), HAIKU_TOKENS_PER_S],
]

/** All models whose list price is known, in the order of the table. */
export const KNOWN_MODELS: readonly ModelFacts[] = MODEL_TABLE.map(
  ([id, window, listPrice, rate, longPrompt]) => ({
    id,
    window,
    price: listPrice,
    priced: true,
    capabilities: { images: true },
    longPrompt: longPrompt ?? null,
    maxTokensPerSecond: rate,
    searchPrice: SEARCH_PRICE_USD,
  }),
)

const BY_ID = new Map(KNOWN_MODELS.map((facts) => [facts.id, facts]))

// Matches the suffixes of `claude-opus-4-5-20251101`, `claude-opus-4-5@20251101` and `claude-opus-5-latest`, which mean
// the same model. `claude-sonnet-5-9` is a different model, whose price is unknown.
const VERSION_SUFFIX = /(?:[-@]\d{8}|-latest)$/

/** The facts about the model with this ID, or null if it is unknown. */
export function knownModel(id: string): ModelFacts | null {
  const facts = BY_ID.get(id) ?? BY_ID.get(id.replace(VERSION_SUFFIX, ''))
  return facts ? { ...facts, id } : null
}

/**
 * The highest price of these models for each kind of token. Used where a price is unknown, so that the
 * estimate is not too low.
 */
export function highestPrices(models: readonly ModelFacts[]): Price {
  const highest = (tokenKind: keyof Price): number =>
    Math.max(
      0,
      ...models.flatMap((model) => [model.price[tokenKind], model.longPrompt?.price[tokenKind] ?? 0]),
    )
  return {
    input: highest('input'),
    output: highest('output'),
    cacheWrite: highest('cacheWrite'),
    cacheRead: highest('cacheRead'),
  }
}
