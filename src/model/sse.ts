// The Messages API's stream, as the events that came together: what came at once is handled and shown at once.

import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** Pings included: they are signs of life. Rejects when the connection breaks. */
export async function* eventBatches(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly EventSourceMessage[], void> {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(decoder.decode(value, { stream: true }))
    if (events.length > 0) yield events.splice(0)
  }
}
