// Reads the Messages API's stream in batches, so that events that arrive together are processed and shown together.

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { MODEL_RESPONSE_MAX_BYTES, MODEL_EVENT_MAX_BYTES } from './limits.ts'

/** The error if a stream or an event exceeds its limit. */
export class StreamTooLarge extends Error {}

/**
 * Yields the events of a stream, including pings, which show that it is alive. Rejects if the connection
 * breaks, and with StreamTooLarge if an event or the stream exceeds its limit; the caller must then cancel
 * the body.
 */
export async function* eventBatches(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly EventSourceMessage[], void> {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let totalBytes = 0
  let eventBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    totalBytes += value.length
    eventBytes += value.length
    if (totalBytes > MODEL_RESPONSE_MAX_BYTES)
      throw new StreamTooLarge(`a response of more than ${MODEL_RESPONSE_MAX_BYTES} bytes`)
    if (eventBytes > MODEL_EVENT_MAX_BYTES)
      throw new StreamTooLarge(`an event of more than ${MODEL_EVENT_MAX_BYTES} bytes`)
    parser.feed(decoder.decode(value, { stream: true }))
    if (events.length === 0) continue
    eventBytes = 0
    yield events.splice(0)
  }
}
