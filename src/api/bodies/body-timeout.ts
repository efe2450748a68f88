// How long a body may stay silent, and how long it may take in all.

export interface TimeoutRules {
  /** How long it may stay silent, and how long it may take in all (ms). */
  readonly silentMs: number
  readonly totalMs: number
  /** Bytes that each `silentMs` has to bring. */
  readonly windowBytes: number
}

/** One timer a body, not one a chunk: it looks now and then whether enough was heard since. */
export class BodyTimeout {
  #heard = 0
  #isLate = false
  /** Whoever waits at the moment. Hung on to one promise for all, those who no longer wait would pile up. */
  #late: () => void = () => undefined
  #busy = false
  /** It was at some time since the last look. */
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

  /** What `reading` comes to, unless it takes too long. One at a time. */
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

  /** Whoever waits is told that it is late; so is whoever comes. */
  giveUp(): void {
    this.#isLate = true
    this.#late()
  }

  /** Nobody listens while what came is dealt with: silence is not the sender's then. */
  busy(is: boolean): void {
    if (is || this.#busy) this.#wasBusy = true
    this.#busy = is
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
