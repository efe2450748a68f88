// Counts the open event streams of each key in an isolate, because each stream takes memory and, on a local
// server, two file descriptors.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { SSE_KEY_STREAMS_MAX, SSE_LIFE_MS } from './limits.ts'

export class KeyStreams {
  readonly #max: number
  readonly #now: Clock
  /** For each key: the open streams, with the latest time at which each of them ends. */
  readonly #open = new Map<string, Map<object, number>>()

  constructor(max: number, now: Clock) {
    this.#max = max
    this.#now = now
  }

  isFull(key: string): boolean {
    const streams = this.#open.get(key)
    if (!streams || streams.size < this.#max) return false
    // If an object was shut down, the end of its streams was never reported.
    for (const [stream, until] of streams) if (until <= this.#now()) streams.delete(stream)
    return streams.size >= this.#max
  }

  add(key: string, stream: object): void {
    const streams = this.#open.get(key) ?? new Map<object, number>()
    this.#open.set(key, streams.set(stream, this.#now() + SSE_LIFE_MS))
  }

  ended(key: string, stream: object): void {
    const streams = this.#open.get(key)
    streams?.delete(stream)
    if (streams?.size === 0) this.#open.delete(key)
  }
}

export const isolateStreams = new KeyStreams(SSE_KEY_STREAMS_MAX, systemClock)
