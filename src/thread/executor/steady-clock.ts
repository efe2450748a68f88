// A thread's clock. It never goes back, even if the system clock does. Waits, limits and event times use it;
// only the alarm uses the system clock.

import type { Clock } from '../../lib/clock.ts'

export class SteadyClock {
  readonly #systemClock: Clock
  #newest: number
  /** How far the thread's time is ahead of the system clock, because that was set back. */
  #ahead = 0

  /** `newest` is the newest time in the thread's rows. */
  constructor(systemClock: Clock, newest: number) {
    this.#systemClock = systemClock
    this.#newest = newest
  }

  readonly now: Clock = () => {
    const system = this.#systemClock()
    this.#ahead = Math.max(this.#ahead, this.#newest - system)
    this.#newest = system + this.#ahead
    return this.#newest
  }

  /** Converts `threadTime` to the system clock's time. */
  toSystemTime(threadTime: number): number {
    return threadTime - this.#ahead
  }
}
