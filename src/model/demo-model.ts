// The demo model as a model: its answers come over the same wire and through the same adapter as those of the real ones.

import type { Model } from '../agent/model.ts'
import { DEMO_MODEL, demoFetch } from '../demo/demo.ts'
import { anthropicModel } from './anthropic.ts'

/** The demo model behind the same adapter as the real one. It needs no key and goes nowhere. */
export function demoModel(): Model {
  const model = anthropicModel({ apiKey: 'demo', baseUrl: 'http://demo.invalid', fetch: demoFetch })
  return {
    call: (request, onDelta, signal) => model.call({ ...request, model: DEMO_MODEL }, onDelta, signal),
  }
}
