// Limits the time to read one document, and yields to other requests in between: in local workerd one thread serves all
// requests.

import { DOCUMENT_READ_MS, DOCUMENT_TURN_BYTES, DOCUMENT_TURN_MS } from './limits.ts'

/** Thrown inside parsers, whose callbacks cannot return an error. serve.ts turns it into an answer. */
export class Refused extends Error {}

/** The time for one document is over. The text read until then is kept. */
export class OutOfTime extends Error {}

const CLOCK_EVERY = 10

export class TimeBudget {
  /** The deadline, by `performance.now()`. */
  readonly ends: number
  readonly #alive: () => boolean
  #since = performance.now()
  #bytes = 0
  #uncheckedSteps = 0

  /** `alive` is called at each yield. False: another request has taken over. */
  constructor(alive: () => boolean) {
    this.ends = performance.now() + DOCUMENT_READ_MS
    this.#alive = alive
  }

  /**
   * Counts `bytes` of work. Returns a promise when it is time to yield: await it. The promise rejects with OutOfTime.
   */
  did(bytes: number): Promise<void> | null {
    return this.isDue(bytes) ? this.turn() : null
  }

  /** The same for callers that cannot await where they count: whether it is time to yield. */
  isDue(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes >= DOCUMENT_TURN_BYTES) return true
    // Reads the clock only now and then: a step may be as short as reading it.
    if (++this.#uncheckedSteps < CLOCK_EVERY) return false
    this.#uncheckedSteps = 0
    return performance.now() - this.#since >= DOCUMENT_TURN_MS
  }

  async turn(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#bytes = 0
    this.#since = performance.now()
    if (!this.#alive() || this.#since > this.ends) throw new OutOfTime()
  }

  /** The result of `work`, or OutOfTime. For work that does not check the time itself. */
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
