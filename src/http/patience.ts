// How long a body may stay silent, and how long it may take in all.

export interface PatienceRules {
  /** How long it may stay silent, and how long it may take in all (ms). */
  readonly silentMs: number
  readonly totalMs: number
}

/** One timer a body, not one a chunk: it looks now and then whether something was heard since. */
export class Patience {
  readonly over: Promise<'late'>
  #heard = false
  #busy = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ silentMs, totalMs }: PatienceRules) {
    this.over = new Promise((resolve) => {
      const look = (leftMs: number): void => {
        this.#heard = false
        const waitMs = Math.min(silentMs, leftMs)
        this.#timer = setTimeout(() => {
          if ((this.#heard || this.#busy) && leftMs > waitMs) look(leftMs - waitMs)
          else resolve('late')
        }, waitMs)
      }
      look(totalMs)
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
