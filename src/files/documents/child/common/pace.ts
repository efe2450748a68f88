// Keeps the reading of one document within its time, and lets others have their turn in between: in local workerd one
// thread serves everybody.

import { DOCUMENT_READ_MS, DOCUMENT_TURN_BYTES, DOCUMENT_TURN_MS } from './limits.ts'

/** Thrown inside of parsers, whose callbacks can give nothing back; serve.ts turns it into an answer. */
export class Refused extends Error {}

/** The time of one document is over; what was read until then stands. */
export class OutOfTime extends Error {}

const CLOCK_EVERY = 10

export class TimeBudget {
  /** When its time is over, by `performance.now()`. */
  readonly ends: number
  readonly #alive: () => boolean
  #since = performance.now()
  #bytes = 0
  #asked = 0

  /** `alive`: called at each turn; false: somebody else has taken the place. */
  constructor(alive: () => boolean) {
    this.ends = performance.now() + DOCUMENT_READ_MS
    this.#alive = alive
  }

  /** Counts `bytes` of work. A promise when others are to have their turn: await it. It rejects with OutOfTime. */
  did(bytes: number): Promise<void> | null {
    return this.isDue(bytes) ? this.turn() : null
  }

  /** The same for those who cannot wait where they count: whether it is time for a turn. */
  isDue(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes >= DOCUMENT_TURN_BYTES) return true
    // The clock is asked now and then only: steps may be as short as asking it.
    if (++this.#asked < CLOCK_EVERY) return false
    this.#asked = 0
    return performance.now() - this.#since >= DOCUMENT_TURN_MS
  }

  async turn(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#bytes = 0
    this.#since = performance.now()
    if (!this.#alive() || this.#since > this.ends) throw new OutOfTime()
  }

  /** What `work` comes to, or OutOfTime: for work that does not ask by itself. */
  async within<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new OutOfTime()), Math.max(0, this.ends - performance.now()))
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
