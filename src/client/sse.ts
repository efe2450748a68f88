// Parses a response body of Server-Sent Events. Does not handle connections; client.ts does.

import { createParser } from 'eventsource-parser'

import type { Event } from '../agent/events.ts'

/**
 * The events of `body`, until it closes. Rejects when the connection breaks, after every complete frame, and for a frame that is
 * not an event. Passes unknown types through.
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
    await reader.cancel().catch(() => {}) // closes the connection when the reader leaves early; it may already be broken
  }
}

function parse(data: string): Event {
  const event: unknown = JSON.parse(data)
  if (typeof event !== 'object' || event === null || !('type' in event) || !('seq' in event))
    throw new Error('a frame without type and number')
  return event as Event // the server's contract
}
