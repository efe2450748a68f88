// Counts the open event streams of each key in an isolate, because each stream takes memory and, on a local
// server, two file descriptors.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { SSE_KEY_STREAMS_MAX, SSE_LIFE_MS } from './limits.ts'

export class KeyStreams {
  readonly #maxPerKey: number
  readonly #now: Clock
  /** The open streams of each key, each with the latest time at which it ends (epoch milliseconds). */
  readonly #openStreams = new Map<string, Map<object, number>>()

  constructor(maxPerKey: number, now: Clock) {
    this.#maxPerKey = maxPerKey
    this.#now = now
  }

  isFull(key: string): boolean {
    const streams = this.#openStreams.get(key)
    if (!streams || streams.size < this.#maxPerKey) return false
    // If an object was shut down, the end of its streams was never reported.
    for (const [stream, until] of streams) if (until <= this.#now()) streams.delete(stream)
    return streams.size >= this.#maxPerKey
  }

  add(key: string, stream: object): void {
    const streams = this.#openStreams.get(key) ?? new Map<object, number>()
    this.#openStreams.set(key, streams.set(stream, this.#now() + SSE_LIFE_MS))
  }

  remove(key: string, stream: object): void {
    const streams = this.#openStreams.get(key)
    streams?.delete(stream)
    if (streams?.size === 0) this.#openStreams.delete(key)
  }
}

export const isolateStreams = new KeyStreams(SSE_KEY_STREAMS_MAX, systemClock)
