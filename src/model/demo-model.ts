// Implements the Model port with the demo model. Its responses have the wire format of the Messages API.

import type { Model } from '../agent/model.ts'
import { DEMO_MODEL, demoFetch } from '../demo/demo.ts'
import { anthropicModel } from './anthropic.ts'

/** The demo model, behind the same adapter as real models. Needs no key and sends nothing. */
export function demoModel(): Model {
  const model = anthropicModel({ apiKey: 'demo', baseUrl: 'http://demo.invalid', fetch: demoFetch })
  return {
    call: (request, onDelta, signal) => model.call({ ...request, model: DEMO_MODEL }, onDelta, signal),
  }
}
