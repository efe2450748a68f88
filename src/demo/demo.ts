// The built-in demo model, which replaces the Messages API behind the same SDK client. It is deterministic and works offline. It
// is meant for trying and testing Satchel, and is never a fallback for a failing API.

import { estimateTokens } from '../lib/tokens.ts'
import { planStep } from './plan.ts'
import { asList, parseObject } from '../lib/json.ts'

/** The demo model's ID. Its properties and prices are in prices.ts. */
export const DEMO_MODEL = 'demo'

function sseFrame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function* streamAnswer(body: string): Generator<string> {
  const request = parseObject(body) ?? {}
  const { text, calls } = planStep(request)
  // Deterministic: the same request gives the same IDs, and the next request of the conversation gives different ones.
  const id = asList(request['messages']).length
  const inputTokens = estimateTokens(body)
  const usage = { input_tokens: inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = {
    id: `msg_demo_${id}`,
    type: 'message',
    role: 'assistant',
    model: DEMO_MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  yield sseFrame('message_start', { message })
  yield sseFrame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  for (const word of text.match(/\s*\S+\s*/g) ?? [])
    yield sseFrame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word } })
  yield sseFrame('content_block_stop', { index: 0 })
  for (const [callIndex, call] of calls.entries()) {
    const index = callIndex + 1
    const block = { type: 'tool_use', id: `toolu_demo_${id}_${callIndex}`, name: call.name, input: {} }
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    yield sseFrame('content_block_start', { index, content_block: block })
    yield sseFrame('content_block_delta', { index, delta })
    yield sseFrame('content_block_stop', { index })
  }
  const outputTokens = estimateTokens(text + JSON.stringify(calls))
  const delta = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  yield sseFrame('message_delta', { delta, usage: { output_tokens: outputTokens } })
  yield sseFrame('message_stop', {})
}

/** A `fetch` that implements only the streaming Messages API. */
export const demoFetch: typeof fetch = async (_address, init) => {
  // The SDK sends the body as text. Any other body is treated as an empty request.
  const body = typeof init?.body === 'string' ? init.body : ''
  const frames = streamAnswer(body)
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = frames.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}
