// The time of one thread, which never goes back, whatever the system's clock does. Waits, limits and event times use
// it; only the alarm uses the system's clock.

import type { Clock } from '../../lib/clock.ts'

export class SteadyClock {
  readonly #system: Clock
  #last: number
  /** How far the thread's time is ahead of the system's clock after that was set back. */
  #ahead = 0

  /** `last`: the newest time in the thread's rows. */
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

  /** The time of the system's clock at `at`. */
  system(at: number): number {
    return at - this.#ahead
  }
}
