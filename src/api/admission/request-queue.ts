// A queue for work that is expensive for an isolate: limits how many run, how many wait, and how many belong to one key. Keys
// take turns.

import type { Clock } from '../../lib/clock.ts'
import { fail, type Result } from '../../lib/result.ts'
import {
  WeightedSemaphore,
  type QueueTurn,
  type SemaphoreRules,
  type Sleep,
} from '../../lib/weighted-semaphore.ts'

export interface QueueRules extends Required<Omit<SemaphoreRules, 'bytes' | 'reserve'>> {
  /** How many run at once. */
  readonly width: number
  /** A key gets another slot only while more slots are free than it holds. Absent: any free slot. */
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
   * Runs `work` in its turn. Failures, each with a retry time: `rate_limited` if this key has too many requests here;
   * `overloaded` if too many wait or the wait was too long.
   */
  async inTurn<T>(key: string, work: (turn: QueueTurn) => Promise<Result<T>>): Promise<Result<T>> {
    const done = await this.#semaphore.holding({ key, thread: '' }, 1, work)
    if (done.ok) return done.value
    if (done.error === 'busy')
      return fail('overloaded', 'Other requests are being served first. Try again.', { retryAfterS: 2 })
    const detail = `You have ${this.#each} requests of this kind in progress. Wait for the answer to one of them.`
    return fail('rate_limited', detail, { retryAfterS: 2 })
  }
}
