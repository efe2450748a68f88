// The demo model as a Model: its answers use the same wire format and adapter as real ones.

import type { Model } from '../agent/model.ts'
import { DEMO_MODEL, demoFetch } from '../demo/demo.ts'
import { anthropicModel } from './anthropic.ts'

/** The demo model behind the adapter of the real one. Needs no key and sends nothing. */
export function demoModel(): Model {
  const model = anthropicModel({ apiKey: 'demo', baseUrl: 'http://demo.invalid', fetch: demoFetch })
  return {
    call: (request, onDelta, signal) => model.call({ ...request, model: DEMO_MODEL }, onDelta, signal),
  }
}
