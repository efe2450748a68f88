// The available models: the setting MODELS, or MODEL and all models with a known price. The demo model is used only without a
// key: with a key, a failing API is an error.

import { CONTEXT_TOKENS } from './limits.ts'
import type { Model, ModelFacts, Price } from '../agent/model.ts'
import { anthropicModel } from './anthropic.ts'
import { DEMO_MODEL } from '../demo/demo.ts'
import { demoModel } from './demo-model.ts'
import { dearest, KNOWN_MODELS, knownModel, UNKNOWN_RATE } from './prices.ts'

/** A model as the setting MODELS lists it. Known facts replace what it omits. */
export interface ModelEntry {
  readonly id: string
  readonly window?: number | undefined
  readonly price?: Price | undefined
  /** Accepts images. */
  readonly images?: boolean | undefined
  /** US dollars per built-in search; only for a model that is known to have one. */
  readonly searchPrice?: number | undefined
}

export interface ModelSettings {
  /** Null: nothing is sent anywhere; the demo model answers. */
  readonly apiKey: string | null
  /** Null: the public API. */
  readonly baseUrl: string | null
  readonly model: string
  /** Null: not set. */
  readonly models: readonly ModelEntry[] | null
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch | undefined
}

/** An available model. */
export interface ResolvedModel extends Model {
  readonly facts: ModelFacts
}

export interface ModelRegistry {
  /** The model of a new thread whose request names none. */
  readonly defaultModel: string
  /** All models that a request may name, the default first. */
  readonly list: readonly ModelFacts[]
  /** Null: not one of them. */
  resolve(id: string): ResolvedModel | null
  /** Why a model is not available here, and which models are, for the caller. */
  whyNot(id: string): string
}

const FREE: Price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
const DEMO: ModelFacts = {
  id: DEMO_MODEL,
  window: CONTEXT_TOKENS,
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
    `The model ${JSON.stringify(id)} is not available: without ANTHROPIC_API_KEY only the demo model is.`,
}

function entryFacts(entry: ModelEntry, fallback: Price): ModelFacts {
  const known = knownModel(entry.id)
  return {
    id: entry.id,
    window: entry.window ?? known?.window ?? null,
    price: entry.price ?? known?.price ?? fallback,
    priced: entry.price !== undefined || known !== null,
    capabilities: { images: entry.images ?? known?.capabilities.images ?? false },
    // A stated price applies to every call.
    longPrompt: entry.price === undefined ? (known?.longPrompt ?? null) : null,
    maxTokensPerSecond: known?.maxTokensPerSecond ?? UNKNOWN_RATE,
    searchPrice: known?.searchPrice == null ? null : (entry.searchPrice ?? known.searchPrice),
  }
}

// An isolate has one settings object in practice: its registry keeps the SDK's client warm for all threads.
const registries = new WeakMap<ModelSettings, ModelRegistry>()

/** The registry for these settings. A listed model without a known price is charged at the highest known one. */
export function modelRegistry(settings: ModelSettings): ModelRegistry {
  const registry = registries.get(settings) ?? makeRegistry(settings)
  registries.set(settings, registry)
  return registry
}

function makeRegistry({ apiKey, baseUrl, model, models, fetch }: ModelSettings): ModelRegistry {
  if (apiKey === null) return DEMO_ONLY
  const named: readonly ModelEntry[] = models ?? [{ id: model }, ...KNOWN_MODELS.map(({ id }) => ({ id }))]
  const stated = named.filter(({ price }) => price !== undefined).map((entry) => entryFacts(entry, FREE))
  const fallback = dearest([...KNOWN_MODELS, ...stated])
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
