// The object's alarm: fires no later than the earliest need. Never deleted and never put off, because each of those is
// a write, too; one that fires for nothing finds nothing to do.

import type { Clock } from '../lib/clock.ts'

export class Alarm {
  readonly #storage: DurableObjectStorage
  readonly #now: Clock
  /** When the alarm that this instance set will fire; null: it knows of none. */
  #at: number | null = null

  constructor(storage: DurableObjectStorage, now: Clock) {
    this.#storage = storage
    this.#now = now
  }

  /** Makes sure that it fires at `at` (epoch ms) or before. On disk with what else is written in this turn. */
  async by(at: number): Promise<void> {
    if (this.#at !== null && this.#at > this.#now() && this.#at <= at) return
    this.#at = at
    await this.#storage.setAlarm(at)
  }

  /** It has fired: there is none until it is set again. */
  fired(): void {
    this.#at = null
  }
}
