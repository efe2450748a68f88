// How long a body may stay silent, and how long it may take in all.

export interface PatienceRules {
  /** How long it may stay silent, and how long it may take in all (ms). */
  readonly silentMs: number
  readonly totalMs: number
}

/** One timer a body, not one a chunk: it looks now and then whether something was heard since. */
export class Patience {
  #heard = false
  #isLate = false
  /** Whoever waits at the moment. Hung on to one promise for all, those who no longer wait would pile up. */
  #late: () => void = () => undefined
  #busy = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ silentMs, totalMs }: PatienceRules) {
    const look = (leftMs: number): void => {
      this.#heard = false
      const waitMs = Math.min(silentMs, leftMs)
      this.#timer = setTimeout(() => {
        if ((this.#heard || this.#busy) && leftMs > waitMs) return look(leftMs - waitMs)
        this.#isLate = true
        this.#late()
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

  heard(): void {
    this.#heard = true
  }

  /** Nobody listens while what came is dealt with: silence is not the sender's then. */
  busy(is: boolean): void {
    this.#busy = is
    this.#heard = true
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
