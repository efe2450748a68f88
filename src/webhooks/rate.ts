// Counts the genuine deliveries of a hook, in memory: a hook that sends so many stays in memory.

import { fail } from '../lib/result.ts'
import { DELIVERIES_PER_WINDOW_MAX, DELIVERY_RATE_WINDOW_MS } from './limits.ts'

export const TOO_MANY_DELIVERIES =
  'This hook received too many deliveries within ten seconds. Send this delivery again later.'

export const TOO_OFTEN = fail('rate_limited', TOO_MANY_DELIVERIES, {
  retryAfterS: DELIVERY_RATE_WINDOW_MS / 1000,
})

export class DeliveryRate {
  #windowStartedAt = 0
  #count = 0

  /** Counts a delivery. Returns false if this window already had as many as are allowed. `now` is in epoch milliseconds. */
  allows(now: number): boolean {
    // The clock may have been set back.
    if (Math.abs(now - this.#windowStartedAt) >= DELIVERY_RATE_WINDOW_MS) {
      this.#windowStartedAt = now
      this.#count = 0
    }
    this.#count += 1
    return this.#count <= DELIVERIES_PER_WINDOW_MAX
  }
}
