// The object's alarm: fires no later than the earliest need. Never deleted, and put off only for a long wait, because each
// of those is a write, too; one that fires for nothing finds nothing to do.

import type { SteadyClock } from './steady-clock.ts'

export class Alarm {
  readonly #storage: DurableObjectStorage
  readonly #clock: SteadyClock
  /** When the alarm that this instance set will fire, by the system's clock; null: it knows of none. */
  #at: number | null = null

  constructor(storage: DurableObjectStorage, clock: SteadyClock) {
    this.#storage = storage
    this.#clock = clock
  }

  /**
   * Makes sure that it fires at `at` (the thread's time) or before. On disk with what else is written in this turn. One
   * that was set before the system's clock was put back is far ahead now, and set anew.
   */
  async by(at: number): Promise<void> {
    const now = this.#clock.system(this.#clock.now())
    const due = this.#clock.system(at)
    if (this.#at !== null && this.#at > now && this.#at <= due) return
    this.#at = due
    await this.#storage.setAlarm(due)
  }

  /** The earliest need is `at`: it fires then and not before. */
  async only(at: number): Promise<void> {
    const due = this.#clock.system(at)
    if (this.#at === due) return
    this.#at = due
    await this.#storage.setAlarm(due)
  }

  /** It has fired, or was set in a block that was taken back: there may be none until it is set again. */
  reset(): void {
    this.#at = null
  }
}
