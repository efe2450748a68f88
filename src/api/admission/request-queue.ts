// A queue for requests that are expensive for an isolate. It limits the numbers of running requests, of waiting requests and of
// requests of one key, and serves the keys in turn.

import type { Clock } from '../../lib/clock.ts'
import { fail, type Result } from '../../lib/result.ts'
import { WeightedSemaphore } from '../../lib/weighted-semaphore.ts'
import type { Slot, SemaphoreRules, Sleep } from '../../lib/semaphore-slot.ts'

export interface QueueRules extends Required<Omit<SemaphoreRules, 'capacity' | 'reservedForOthers'>> {
  /** The number of slots, and so of requests that run concurrently. */
  readonly concurrency: number
  /** If true, a key gets another slot only while more slots are free than it already holds. */
  readonly leavesSlotsFree?: boolean
}

export class RequestQueue {
  readonly #semaphore: WeightedSemaphore
  readonly #requestsMaxPerKey: number

  constructor({ concurrency, leavesSlotsFree = false, ...rules }: QueueRules, now: Clock, sleep?: Sleep) {
    this.#requestsMaxPerKey = rules.requestsMaxPerKey
    const reservedForOthers = leavesSlotsFree ? 'same_as_held' : 0
    this.#semaphore = new WeightedSemaphore(
      { ...rules, capacity: concurrency, reservedForOthers },
      now,
      sleep,
    )
  }

  /**
   * Waits for a slot, then runs `work`. Failures, each with a retry time: `rate_limited` if this key has too many requests in the
   * queue; `overloaded` if too many requests are waiting or the wait was too long.
   */
  async run<T>(key: string, work: (slot: Slot) => Promise<Result<T>>): Promise<Result<T>> {
    const result = await this.#semaphore.run({ key, thread: '' }, 1, work)
    if (result.ok) return result.value
    if (result.error === 'busy')
      return fail('overloaded', 'Too many other requests are being served. Try again later.', {
        retryAfterS: 2,
      })
    const detail = `This key already has ${this.#requestsMaxPerKey} requests of this kind in progress. Wait for one of them to finish.`
    return fail('rate_limited', detail, { retryAfterS: 2 })
  }
}
