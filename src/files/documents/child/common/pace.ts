// Limits the time for reading one document, and yields to other requests meanwhile, because local workerd serves all requests with one
// thread.

import { DOCUMENT_READ_MAX_MS, DOCUMENT_YIELD_EVERY_BYTES, DOCUMENT_YIELD_EVERY_MS } from './limits.ts'

/** Thrown inside parsers, which cannot return an error from their callbacks. serve.ts turns it into a response. */
export class DocumentRefused extends Error {}

/** Thrown when the time for one document is over. The text read so far is kept. */
export class OutOfTime extends Error {}

/** Number of steps between two reads of the clock. */
const STEPS_PER_CLOCK_READ = 10

export class TimeBudget {
  /** The deadline on the clock of `performance.now()`. */
  readonly deadline: number
  readonly #alive: () => boolean
  #since = performance.now()
  #bytes = 0
  #uncheckedSteps = 0

  /** `alive` is called after each yield and returns false if another request has taken over. */
  constructor(alive: () => boolean) {
    this.deadline = performance.now() + DOCUMENT_READ_MAX_MS
    this.#alive = alive
  }

  /** Counts `bytes` of work. If it is time to yield, returns a promise to await, which may reject with OutOfTime. */
  countWork(bytes: number): Promise<void> | null {
    return this.isDue(bytes) ? this.yieldNow() : null
  }

  /** Like `countWork`, for callers that cannot await: only returns whether it is time to yield. */
  isDue(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes >= DOCUMENT_YIELD_EVERY_BYTES) return true
    // A step may be as short as reading the clock, so the clock is not read at every step.
    if (++this.#uncheckedSteps < STEPS_PER_CLOCK_READ) return false
    this.#uncheckedSteps = 0
    return performance.now() - this.#since >= DOCUMENT_YIELD_EVERY_MS
  }

  /** Yields to other requests. Rejects with OutOfTime if the time is over or another request has taken over. */
  async yieldNow(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#bytes = 0
    this.#since = performance.now()
    if (!this.#alive() || this.#since > this.deadline) throw new OutOfTime()
  }

  /** Awaits work that does not check the time itself. Rejects with OutOfTime at the deadline. */
  async within<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new OutOfTime()), Math.max(0, this.deadline - performance.now()))
    })
    try {
      return await Promise.race([work, timeout])
    } finally {
      clearTimeout(timer)
    }
  }
}
