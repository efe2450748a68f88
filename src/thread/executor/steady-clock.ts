// The time of one thread: it never goes back, whatever the system's clock does. Waits, limits and the times of events are
// reckoned in it; only the alarm is set by the system's own.

import type { Clock } from '../../lib/clock.ts'

export class SteadyClock {
  readonly #system: Clock
  #last: number
  /** How far this thread's time is ahead of the system's, since that was set back. */
  #ahead = 0

  /** `last`: the newest time that the thread's rows know of. */
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

  /** What the system's clock will say at `at`. */
  system(at: number): number {
    return at - this.#ahead
  }
}
