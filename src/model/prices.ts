// Window and list price of the models that we know. Guesses neither. All of them can be shown images.

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

/** $10 for 1,000 searches, whichever model makes them; their results are paid as tokens (platform.claude.com, November 2026). */
const SEARCH = 10 / 1_000

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
]

/** Every model whose list price is known, in the order of the table. */
export const KNOWN_MODELS: readonly ModelFacts[] = TABLE.map(([id, window, list, longPrompt]) => ({
  id,
  window,
  price: list,
  priced: true,
  capabilities: { images: true },
  longPrompt: longPrompt ?? null,
  searchPrice: SEARCH,
}))

const BY_ID = new Map(KNOWN_MODELS.map((facts) => [facts.id, facts]))

// `claude-opus-4-5-20251101`, `claude-opus-4-5@20251101` and `claude-opus-5-latest` are the model they begin with;
// `claude-sonnet-5-9` is another model, whose price nobody has told us.
const PINNED = /(?:[-@]\d{8}|-latest)$/

/** What is known of a model by its id; null: nothing. */
export function knownModel(id: string): ModelFacts | null {
  const facts = BY_ID.get(id) ?? BY_ID.get(id.replace(PINNED, ''))
  return facts ? { ...facts, id } : null
}

/** In each of its parts the highest of these prices: nobody is charged less by leaving a price out. */
export function dearest(models: readonly ModelFacts[]): Price {
  const highest = (part: keyof Price): number =>
    Math.max(0, ...models.flatMap((model) => [model.price[part], model.longPrompt?.price[part] ?? 0]))
  return {
    input: highest('input'),
    output: highest('output'),
    cacheWrite: highest('cacheWrite'),
    cacheRead: highest('cacheRead'),
  }
}
