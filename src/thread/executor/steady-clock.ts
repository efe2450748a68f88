// A thread's clock. It never goes back, even if the system clock does. Waits, limits and event times use it;
// only the alarm uses the system clock.

import type { Clock } from '../../lib/clock.ts'

export class SteadyClock {
  readonly #system: Clock
  #last: number
  /** How far the thread's time is ahead of the system clock, because that was set back. */
  #ahead = 0

  /** `last` is the newest time in the thread's rows. */
  constructor(system: Clock, last: number) {
    this.#system = system
    this.#last = last
  }

  readonly now: Clock = () => {
    const system = this.#system()
    this.#ahead = Math.max(this.#ahead, this.#last - system)
    this.#last = system + this.#ahead
    return this.#last
  }

  /** Converts the thread's time `at` to the system clock's time. */
  system(at: number): number {
    return at - this.#ahead
  }
}
