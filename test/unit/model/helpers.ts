// Helpers of the model tests: a request, a collector of deltas, and a call against a script.

import { anthropicModel } from '../../../src/model/anthropic.ts'
import type { Model, ModelDelta, ModelFault, ModelOutcome, ModelRequest } from '../../../src/agent/model.ts'
import { fakeFetch } from '../../fakes/messages-wire.ts'
import type { Exchange, Reply, Script } from '../../fakes/messages-wire.ts'

export const API_KEY = 'sk-ant-api03-verysecretverysecret'
/** The clock of these tests: 1 January 2027. */

export const REQUEST: ModelRequest = {
  model: 'claude-sonnet-5-5',
  system: 'You are a test.',
  tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxTokens: 1_024,
}

export interface Called {
  readonly outcome: ModelOutcome
  readonly deltas: readonly ModelDelta[]
  readonly exchanges: readonly Exchange[]
}

/** Calls a model once and keeps what it said. */
export async function callOnce(
  model: Model,
  request: ModelRequest = REQUEST,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly outcome: ModelOutcome; readonly deltas: readonly ModelDelta[] }> {
  const deltas: ModelDelta[] = []
  const outcome = await model.call(request, (delta) => void deltas.push(delta), signal)
  return { outcome, deltas }
}

/** The adapter on a script, without a socket. */
export function scripted(script: Script): { readonly model: Model; readonly exchanges: readonly Exchange[] } {
  const { fetch, recorder } = fakeFetch(script)
  const model = anthropicModel({ apiKey: API_KEY, baseUrl: 'http://fake.test', fetch })
  return { model, exchanges: recorder.exchanges }
}

export async function callReply(reply: Reply, request: ModelRequest = REQUEST): Promise<Called> {
  const { model, exchanges } = scripted([reply])
  return { ...(await callOnce(model, request)), exchanges }
}

export type Whole = Extract<ModelOutcome, { kind: 'message' }>

export function messageOf(outcome: ModelOutcome): Whole {
  if (outcome.kind === 'message') return outcome
  throw new Error(`Expected a message, got a fault: ${outcome.fault.reason}: ${outcome.fault.detail}`)
}

export function faultOf(outcome: ModelOutcome): ModelFault {
  if (outcome.kind === 'fault') return outcome.fault
  throw new Error(`Expected a fault, got a message: ${JSON.stringify(outcome.content)}`)
}
