// Timeouts of a request body: silence, and total time.

export interface TimeoutRules {
  /** The longest silence, and the longest total time (ms). */
  readonly silentMs: number
  readonly totalMs: number
  /** Bytes that each `silentMs` has to bring. */
  readonly windowBytes: number
}

/** One timer per body rather than per chunk: it checks periodically whether enough has arrived. */
export class BodyTimeout {
  #heard = 0
  #isLate = false
  /** Rejects the current wait. A shared promise would accumulate the waits that are over. */
  #late: () => void = () => undefined
  #busy = false
  /** Whether it was busy at any time since the last check. */
  #wasBusy = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ silentMs, totalMs, windowBytes }: TimeoutRules) {
    const look = (leftMs: number): void => {
      this.#heard = 0
      this.#wasBusy = this.#busy
      const waitMs = Math.min(silentMs, leftMs)
      this.#timer = setTimeout(() => {
        if ((this.#heard >= windowBytes || this.#wasBusy) && leftMs > waitMs) return look(leftMs - waitMs)
        this.giveUp()
      }, waitMs)
    }
    look(totalMs)
  }

  /** The result of `reading`, or 'late'. One at a time. */
  with<T>(reading: Promise<T>): Promise<T | 'late'> {
    return new Promise((resolve, reject) => {
      this.#late = () => resolve('late')
      reading.then(resolve, reject)
      if (this.#isLate) this.#late()
    })
  }

  heard(bytes: number): void {
    this.#heard += bytes
  }

  /** Ends the current wait and all later ones as late. */
  giveUp(): void {
    this.#isLate = true
    this.#late()
  }

  /** While received bytes are processed nobody reads, so silence is not the sender's fault. */
  busy(is: boolean): void {
    if (is || this.#busy) this.#wasBusy = true
    this.#busy = is
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
