// What is known of each model before it is called: window and list price. Never guesses a price.

import { CONTEXT_TOKENS } from '../limits.ts'
import type { Usage } from '../agent/message.ts'
import type { ModelFacts, Price } from '../agent/model.ts'

const MILLION = 1_000_000

/** US dollars for a million tokens. */
function price(input: number, output: number, cacheWrite: number, cacheRead: number): Price {
  return { input, output, cacheWrite, cacheRead }
}

const FABLE = price(10, 50, 12.5, 1)
const FABLE_LATER = price(10, 50, 12.5, 0.25)
const OPUS = price(5, 25, 6.25, 0.5)
const SONNET_4 = price(3, 15, 3.75, 0.3)
const HAIKU_LONG = { aboveTokens: 100_000, price: price(0.5, 2.5, 0.625, 0.05) }

// List prices of platform.claude.com, November 2026: [id, window in tokens, price, tier for long prompts].
const TABLE: readonly (readonly [string, number, Price, ModelFacts['longPrompt']?])[] = [
  ['claude-fable-5-2', MILLION, FABLE_LATER],
  ['claude-fable-5-1', MILLION, FABLE_LATER],
  ['claude-fable-5', MILLION, FABLE],
  ['claude-mythos-5-2', MILLION, FABLE_LATER],
  ['claude-mythos-5-1', MILLION, FABLE_LATER],
  ['claude-mythos-5', MILLION, FABLE],
  ['claude-opus-5-5', MILLION, price(4, 20, 5, 0.2)],
  ['claude-opus-5', MILLION, OPUS],
  ['claude-opus-4-8', MILLION, OPUS],
  ['claude-opus-4-7', MILLION, OPUS],
  ['claude-opus-4-6', MILLION, OPUS],
  ['claude-opus-4-5', 200_000, OPUS],
  ['claude-sonnet-5-5', MILLION, price(2, 10, 2.5, 0.1)],
  ['claude-sonnet-5', MILLION, price(2, 10, 2.5, 0.2)],
  ['claude-sonnet-4-6', MILLION, SONNET_4],
  ['claude-sonnet-4-5', 200_000, SONNET_4],
  ['claude-haiku-5-5', MILLION, price(0.1, 0.5, 0.125, 0.01), HAIKU_LONG],
  ['claude-haiku-4-5', 200_000, price(1, 5, 1.25, 0.1)],
  ['demo', CONTEXT_TOKENS, price(0, 0, 0, 0)],
]

const KNOWN: ReadonlyMap<string, ModelFacts> = new Map(
  TABLE.map(([id, contextTokens, cost, longPrompt]) => [
    id,
    { id, contextTokens, price: cost, longPrompt: longPrompt ?? null },
  ]),
)

// `claude-opus-4-5-20251101`, `claude-opus-4-5@20251101` and `claude-opus-5-latest` are the model they begin with;
// `claude-sonnet-5-9` is another model, whose price nobody has told us.
const PINNED = /(?:[-@]\d{8}|-latest)$/

/** Facts of a model id. Unknown ids keep their name, with the default window and no price. */
export function factsOf(model: string): ModelFacts {
  return (
    KNOWN.get(model) ??
    KNOWN.get(model.replace(PINNED, '')) ?? {
      id: model,
      contextTokens: CONTEXT_TOKENS,
      price: null,
      longPrompt: null,
    }
  )
}

/** US dollars of one call; null when the price is unknown. */
export function costOf(facts: ModelFacts, usage: Omit<Usage, 'cost_usd'>): number | null {
  const prompt = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  const tier = facts.longPrompt !== null && prompt > facts.longPrompt.aboveTokens ? facts.longPrompt : facts
  if (tier.price === null) return null
  const millionths =
    usage.input_tokens * tier.price.input +
    usage.output_tokens * tier.price.output +
    usage.cache_creation_input_tokens * tier.price.cacheWrite +
    usage.cache_read_input_tokens * tier.price.cacheRead
  return millionths / MILLION
}
