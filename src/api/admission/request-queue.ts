// A line in front of work that costs an isolate much: so many run at once, so many wait, so many of one key; the keys take
// turns.

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
  /** A key gets one more place only while more places are free than it holds. Absent: as many as are free. */
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
   * Runs `work` when its turn comes. Failures, each with a time: `rate_limited` where too many of this key are here,
   * `overloaded` where too many wait or it waited too long.
   */
  async inTurn<T>(key: string, work: (turn: QueueTurn) => Promise<Result<T>>): Promise<Result<T>> {
    const done = await this.#semaphore.holding({ key, thread: '' }, 1, work)
    if (done.ok) return done.value
    if (done.error === 'busy')
      return fail('overloaded', 'Others are being served first. Try again.', { retryAfterS: 2 })
    const detail = `${this.#each} requests of this kind are under way for you. Wait for the answer to one of them.`
    return fail('rate_limited', detail, { retryAfterS: 2 })
  }
}
