// The available models: those in the variable MODELS, or else MODEL and all models with a known price. Without an API
// key, only the demo model is available.

import { DEMO_CONTEXT_WINDOW_TOKENS } from './limits.ts'
import type { Model, ModelFacts, Price } from '../agent/model.ts'
import { anthropicModel } from './anthropic.ts'
import { DEMO_MODEL } from '../demo/demo.ts'
import { demoModel } from './demo-model.ts'
import { highestPrices, KNOWN_MODELS, knownModel, UNKNOWN_RATE } from './prices.ts'

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
export interface ResolvedModel extends Model {
  readonly facts: ModelFacts
}

export interface ModelRegistry {
  /** The model of a new thread if its request names none. */
  readonly defaultModel: string
  /** All models that a request may name, the default first. */
  readonly list: readonly ModelFacts[]
  /** The model with this ID, or null if it is not available. */
  resolve(id: string): ResolvedModel | null
  /** A message for the caller that says why a model is not available and which ones are. */
  whyNot(id: string): string
}

const FREE: Price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
const DEMO: ModelFacts = {
  id: DEMO_MODEL,
  window: DEMO_CONTEXT_WINDOW_TOKENS,
  price: FREE,
  priced: true,
  capabilities: { images: false },
  longPrompt: null,
  maxTokensPerSecond: UNKNOWN_RATE,
  searchPrice: null,
}

const DEMO_RESOLVED: ResolvedModel = { ...demoModel(), facts: DEMO }

const DEMO_ONLY: ModelRegistry = {
  defaultModel: DEMO_MODEL,
  list: [DEMO],
  resolve: (id) => (id === DEMO_MODEL ? DEMO_RESOLVED : null),
  whyNot: (id) =>
    `The model ${JSON.stringify(id)} is not available. Without ANTHROPIC_API_KEY, only the demo model is.`,
}

function entryFacts(entry: ModelEntry, fallback: Price): ModelFacts {
  const known = knownModel(entry.id)
  return {
    id: entry.id,
    window: entry.window ?? known?.window ?? null,
    price: entry.price ?? known?.price ?? fallback,
    priced: entry.price !== undefined || known !== null,
    capabilities: { images: entry.images ?? known?.capabilities.images ?? false },
    // A price in MODELS applies to prompts of any length.
    longPrompt: entry.price === undefined ? (known?.longPrompt ?? null) : null,
    maxTokensPerSecond: known?.maxTokensPerSecond ?? UNKNOWN_RATE,
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
  const named: readonly ModelEntry[] = models ?? [{ id: model }, ...KNOWN_MODELS.map(({ id }) => ({ id }))]
  const stated = named.filter(({ price }) => price !== undefined).map((entry) => entryFacts(entry, FREE))
  const fallback = highestPrices([...KNOWN_MODELS, ...stated])
  const facts = new Map(named.map((entry) => [entry.id, entryFacts(entry, fallback)] as const))
  const anthropic = anthropicModel({ apiKey, baseUrl, fetch })
  const list = [...facts.values()].sort((a, b) => Number(b.id === model) - Number(a.id === model))
  return {
    defaultModel: model,
    list,
    resolve: (id) => {
      const found = facts.get(id) ?? (models === null ? knownModel(id) : null)
      return found && { ...anthropic, facts: found }
    },
    whyNot: (id) =>
      id === DEMO_MODEL
        ? 'The demo model is not available when ANTHROPIC_API_KEY is set.'
        : `There is no model ${JSON.stringify(id)} here. Available: ${list.map((entry) => entry.id).join(', ')}.`,
  }
}
