// The available models: the models in the variable MODELS or, without it, MODEL and all models with a known price.
// Without an API key, only the demo model is available.

import { DEMO_CONTEXT_WINDOW_TOKENS } from './limits.ts'
import type { Model, ModelFacts, Price } from '../agent/model.ts'
import { anthropicModel } from './anthropic.ts'
import { DEMO_MODEL } from '../demo/demo.ts'
import { demoModel } from './demo-model.ts'
import { highestPrices, KNOWN_MODELS, knownModel, UNKNOWN_MODEL_TOKENS_PER_S } from './prices.ts'

/** A model as listed in the variable MODELS. Known facts are used for fields that are omitted. */
export interface ModelEntry {
  readonly id: string
  readonly window?: number | undefined
  readonly price?: Price | undefined
  /** Whether the model accepts images. */
  readonly images?: boolean | undefined
  /** US dollars per built-in search. Used only if the model is known to have one. */
  readonly searchPrice?: number | undefined
}

export interface ModelSettings {
  /** If null, only the demo model is available and nothing is sent anywhere. */
  readonly apiKey: string | null
  /** Null for the public API. */
  readonly baseUrl: string | null
  readonly model: string
  /** Null if not set. */
  readonly models: readonly ModelEntry[] | null
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch | undefined
}

/** An available model. */
interface ResolvedModel extends Model {
  readonly facts: ModelFacts
}

export interface ModelRegistry {
  /** The model of a new thread if its request names none. */
  readonly defaultModel: string
  /** All models that a request may name, the default first. */
  readonly list: readonly ModelFacts[]
  /** The model with this ID, or null if it is not available. */
  resolve(id: string): ResolvedModel | null
  /** A message for the caller that says why this model is not available, and which models are. */
  unavailableMessage(id: string): string
}

const NO_COST: Price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
const DEMO_FACTS: ModelFacts = {
  id: DEMO_MODEL,
  window: DEMO_CONTEXT_WINDOW_TOKENS,
  price: NO_COST,
  priced: true,
  capabilities: { images: false },
  longPrompt: null,
  maxTokensPerSecond: UNKNOWN_MODEL_TOKENS_PER_S,
  searchPrice: null,
}

const DEMO_RESOLVED: ResolvedModel = { ...demoModel(), facts: DEMO_FACTS }

const DEMO_ONLY: ModelRegistry = {
  defaultModel: DEMO_MODEL,
  list: [DEMO_FACTS],
  resolve: (id) => (id === DEMO_MODEL ? DEMO_RESOLVED : null),
  unavailableMessage: (id) =>
    `The model ${JSON.stringify(id)} is not available. Without ANTHROPIC_API_KEY, only the demo model is.`,
}

function entryFacts(entry: ModelEntry, fallbackPrice: Price): ModelFacts {
  const known = knownModel(entry.id)
  return {
    id: entry.id,
    window: entry.window ?? known?.window ?? null,
    price: entry.price ?? known?.price ?? fallbackPrice,
    priced: entry.price !== undefined || known !== null,
    capabilities: { images: entry.images ?? known?.capabilities.images ?? false },
    // A price in MODELS applies to prompts of any length.
    longPrompt: entry.price === undefined ? (known?.longPrompt ?? null) : null,
    maxTokensPerSecond: known?.maxTokensPerSecond ?? UNKNOWN_MODEL_TOKENS_PER_S,
    searchPrice: known?.searchPrice == null ? null : (entry.searchPrice ?? known.searchPrice),
  }
}

// In practice, an isolate has one settings object, so that all threads share one registry and its SDK client.
const registries = new WeakMap<ModelSettings, ModelRegistry>()

/** The registry for these settings. A listed model whose price is unknown is charged at the highest known price. */
export function modelRegistry(settings: ModelSettings): ModelRegistry {
  const registry = registries.get(settings) ?? makeRegistry(settings)
  registries.set(settings, registry)
  return registry
}

function makeRegistry({ apiKey, baseUrl, model, models, fetch }: ModelSettings): ModelRegistry {
  if (apiKey === null) return DEMO_ONLY
  const entries: readonly ModelEntry[] = models ?? [{ id: model }, ...KNOWN_MODELS.map(({ id }) => ({ id }))]
  const pricedFacts = entries
    .filter(({ price }) => price !== undefined)
    .map((entry) => entryFacts(entry, NO_COST))
  const fallbackPrice = highestPrices([...KNOWN_MODELS, ...pricedFacts])
  const facts = new Map(entries.map((entry) => [entry.id, entryFacts(entry, fallbackPrice)] as const))
  const anthropic = anthropicModel({ apiKey, baseUrl, fetch })
  const list = [...facts.values()].sort((a, b) => Number(b.id === model) - Number(a.id === model))
  return {
    defaultModel: model,
    list,
    resolve: (id) => {
      const modelFacts = facts.get(id) ?? (models === null ? knownModel(id) : null)
      return modelFacts && { ...anthropic, facts: modelFacts }
    },
    unavailableMessage: (id) =>
      id === DEMO_MODEL
        ? 'The demo model is not available when ANTHROPIC_API_KEY is set.'
        : `There is no model ${JSON.stringify(id)} here. Available: ${list.map((entry) => entry.id).join(', ')}.`,
  }
}
