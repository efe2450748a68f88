// The object's alarm: fires no later than the earliest due time. It is never deleted, and postponed only for a long
// wait, because each of these is a write. An early alarm does no harm.

import type { SteadyClock } from './steady-clock.ts'

export class Alarm {
  readonly #storage: DurableObjectStorage
  readonly #clock: SteadyClock
  /** When the alarm that this instance set fires, by the system's clock; null if unknown. */
  #at: number | null = null

  constructor(storage: DurableObjectStorage, clock: SteadyClock) {
    this.#storage = storage
    this.#clock = clock
  }

  /**
   * Makes sure that it fires at `at` (the thread's time) or earlier. Written to disk with this turn's other writes. An
   * alarm set before the system's clock was set back is now far ahead, and is set again.
   */
  async by(at: number): Promise<void> {
    const now = this.#clock.system(this.#clock.now())
    const due = this.#clock.system(at)
    if (this.#at !== null && this.#at > now && this.#at <= due) return
    this.#at = due
    await this.#storage.setAlarm(due)
  }

  /** Sets it to exactly `at`, the earliest due time. */
  async only(at: number): Promise<void> {
    const due = this.#clock.system(at)
    if (this.#at === due) return
    this.#at = due
    await this.#storage.setAlarm(due)
  }

  /** It fired, or was set in a block that rolled back: there may be no alarm until it is set again. */
  reset(): void {
    this.#at = null
  }
}
