// The object's alarm: it fires no later than the earliest due time. It is never deleted, and postponed only
// for a long wait, because each of these is a write and an early alarm does no harm.

import type { SteadyClock } from './steady-clock.ts'

export class Alarm {
  readonly #storage: DurableObjectStorage
  readonly #clock: SteadyClock
  /** When the alarm that this instance set will fire, by the system clock; null if unknown. */
  #firesAt: number | null = null

  constructor(storage: DurableObjectStorage, clock: SteadyClock) {
    this.#storage = storage
    this.#clock = clock
  }

  /**
   * Makes sure that the alarm fires at `dueAt` (thread time) or earlier. It is written to disk together with the
   * other writes of this turn of the event loop. An alarm that was set before the system clock was set back
   * is now too late, so it is set again.
   */
  async setNoLaterThan(dueAt: number): Promise<void> {
    const now = this.#clock.toSystemTime(this.#clock.now())
    const due = this.#clock.toSystemTime(dueAt)
    if (this.#firesAt !== null && this.#firesAt > now && this.#firesAt <= due) return
    this.#firesAt = due
    await this.#storage.setAlarm(due)
  }

  /** Sets the alarm to exactly `dueAt`, which must be the earliest due time. */
  async setExactly(dueAt: number): Promise<void> {
    const due = this.#clock.toSystemTime(dueAt)
    if (this.#firesAt === due) return
    this.#firesAt = due
    await this.#storage.setAlarm(due)
  }

  /**
   * Called when the alarm fired, or when the transaction that set it rolled back: there may be no alarm until
   * it is set again.
   */
  reset(): void {
    this.#firesAt = null
  }
}
