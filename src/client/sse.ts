// Parses a response body of Server-Sent Events. Connections are handled in client.ts.

import { createParser } from 'eventsource-parser'

import type { Event } from '../agent/events.ts'

/**
 * Yields the events of `body` until it closes. Throws for a frame that is not an event, and if the connection breaks, after all
 * complete frames were yielded. Events of unknown types are yielded unchanged.
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
    // Closes the connection if the consumer stops early. The connection may already be broken.
    await reader.cancel().catch(() => {})
  }
}

function parse(data: string): Event {
  const event: unknown = JSON.parse(data)
  if (typeof event !== 'object' || event === null || !('type' in event) || !('seq' in event))
    throw new Error('a frame lacks `type` or `seq`')
  // The cast trusts the API contract.
  return event as Event
}
