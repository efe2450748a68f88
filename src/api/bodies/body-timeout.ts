// The timeouts for receiving a request body: for silence, and for the total time.

export interface TimeoutRules {
  /** The maximum silence. */
  readonly silentMs: number
  /** The maximum total time. */
  readonly totalMs: number
  /** The minimum number of bytes that must arrive in each period of `silentMs`. */
  readonly windowBytes: number
}

/** Uses one timer per body, not one per chunk: it checks periodically whether enough bytes have arrived. */
export class BodyTimeout {
  #heard = 0
  #isLate = false
  /** Makes the current wait end with a timeout. A shared promise would accumulate the reactions of all past waits. */
  #late: () => void = () => undefined
  #busy = false
  /** Whether received bytes were being processed at any time since the last check. */
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

  /** Awaits `reading` and returns its result, or 'late'. Only one call may be waiting at a time. */
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

  /** Makes the current wait and all later ones end with a timeout. */
  giveUp(): void {
    this.#isLate = true
    this.#late()
  }

  /** Tells whether received bytes are being processed. Nobody reads the body meanwhile, so the silence is not the sender's fault. */
  busy(is: boolean): void {
    if (is || this.#busy) this.#wasBusy = true
    this.#busy = is
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
