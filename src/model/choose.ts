// Which model answers. Without a key the demo model, and only then: with a key, a failing API is an error.

import type { Clock } from '../lib/clock.ts'
import type { Model } from '../agent/model.ts'
import { anthropicModel } from './anthropic.ts'
import { demoModel } from './demo.ts'

export interface ModelChoice {
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly fetch?: typeof fetch | undefined
  readonly now?: Clock | undefined
}

/** The model for these settings. A base URL alone does not make a real model: without a key nothing is sent. */
export function chooseModel(choice: ModelChoice): { readonly model: Model; readonly demo: boolean } {
  const { apiKey, ...rest } = choice
  if (apiKey === null) return { model: demoModel(), demo: true }
  return { model: anthropicModel({ apiKey, ...rest }), demo: false }
}
