// The object's one alarm: its watchdog, its retries, what is left to tell. Moving it costs a write, so it is moved
// only to come sooner; one that comes for nothing finds nothing to do.

import type { Clock } from '../lib/clock.ts'

export class Watchdog {
  readonly #storage: DurableObjectStorage
  readonly #now: Clock
  /** Where this instance set it; null: not known, or it went off. */
  #at: number | null = null

  constructor(storage: DurableObjectStorage, now: Clock) {
    this.#storage = storage
    this.#now = now
  }

  /** Makes sure that the alarm goes off by then. Part of the caller's block: on disk together with it. */
  by(time: number): void {
    if (this.#at !== null && this.#at > this.#now() && this.#at <= time) return
    this.#at = time
    void this.#storage.setAlarm(time)
  }

  /** It is going off. */
  wentOff(): void {
    this.#at = null
  }
}
