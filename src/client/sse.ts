// A response body of Server-Sent Events as our events. Knows nothing of connections: that is client.ts.

import { createParser } from 'eventsource-parser'

import type { Event } from '../agent/events.ts'

/**
 * The events of `body`, until it closes. Rejects when the connection breaks, after every frame that came whole, and
 * when a frame is no event. Types of later versions pass through.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void> {
  const frames: string[] = []
  const parser = createParser({ onEvent: (message) => frames.push(message.data) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const data of frames.splice(0)) yield parse(data)
    }
  } finally {
    await reader.cancel().catch(() => {}) // closes the connection when the reader leaves early; it may be broken already
  }
}

function parse(data: string): Event {
  const event: unknown = JSON.parse(data)
  if (typeof event !== 'object' || event === null || !('type' in event) || !('seq' in event))
    throw new Error('a frame without type and number')
  return event as Event // the server's own contract
}
