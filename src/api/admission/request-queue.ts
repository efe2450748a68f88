// A queue for requests that are expensive for an isolate. It limits how many run, how many wait, and how many belong to one key, and
// serves the keys in turn.

import type { Clock } from '../../lib/clock.ts'
import { fail, type Result } from '../../lib/result.ts'
import {
  WeightedSemaphore,
  type QueueTurn,
  type SemaphoreRules,
  type Sleep,
} from '../../lib/weighted-semaphore.ts'

export interface QueueRules extends Required<Omit<SemaphoreRules, 'bytes' | 'reserve'>> {
  /** The number of slots, which is how many requests run concurrently. */
  readonly width: number
  /** If true, a key gets another slot only while more slots are free than it already holds. */
  readonly leavesFree?: boolean
}

export class RequestQueue {
  readonly #semaphore: WeightedSemaphore
  readonly #each: number

  constructor({ width, leavesFree = false, ...rules }: QueueRules, now: Clock, sleep?: Sleep) {
    this.#each = rules.each
    const reserve = leavesFree ? 'held' : 0
    this.#semaphore = new WeightedSemaphore({ ...rules, bytes: width, reserve }, now, sleep)
  }

  /**
   * Waits for a slot, then runs `work`. Failures, each with a retry time: `rate_limited` if this key has too many requests in the
   * queue; `overloaded` if too many requests are waiting or the wait was too long.
   */
  async run<T>(key: string, work: (turn: QueueTurn) => Promise<Result<T>>): Promise<Result<T>> {
    const result = await this.#semaphore.holding({ key, thread: '' }, 1, work)
    if (result.ok) return result.value
    if (result.error === 'busy')
      return fail('overloaded', 'Too many other requests are being served. Try again later.', {
        retryAfterS: 2,
      })
    const detail = `This key already has ${this.#each} requests of this kind in progress. Wait for one of them to finish.`
    return fail('rate_limited', detail, { retryAfterS: 2 })
  }
}
