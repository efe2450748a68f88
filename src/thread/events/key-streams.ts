// Counts the open event streams of each key in an isolate: each takes memory, and on a local server two file
// descriptors.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { SSE_KEY_STREAMS_MAX, SSE_LIFE_MS } from './limits.ts'

export class KeyStreams {
  readonly #max: number
  readonly #now: Clock
  /** By key: the latest time at which each stream ends. */
  readonly #open = new Map<string, Map<object, number>>()

  constructor(max: number, now: Clock) {
    this.#max = max
    this.#now = now
  }

  isFull(key: string): boolean {
    const ofKey = this.#open.get(key)
    if (!ofKey || ofKey.size < this.#max) return false
    // An object that was cut off does not report the end of its streams.
    for (const [stream, until] of ofKey) if (until <= this.#now()) ofKey.delete(stream)
    return ofKey.size >= this.#max
  }

  opened(key: string, stream: object): void {
    const ofKey = this.#open.get(key) ?? new Map<object, number>()
    this.#open.set(key, ofKey.set(stream, this.#now() + SSE_LIFE_MS))
  }

  ended(key: string, stream: object): void {
    const ofKey = this.#open.get(key)
    ofKey?.delete(stream)
    if (ofKey?.size === 0) this.#open.delete(key)
  }
}

export const isolateStreams = new KeyStreams(SSE_KEY_STREAMS_MAX, systemClock)
