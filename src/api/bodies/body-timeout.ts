// The timeouts for receiving a request body: for silence, and for the total time.

export interface TimeoutRules {
  /** The maximum time without any bytes. */
  readonly silenceMaxMs: number
  /** The maximum total time. */
  readonly durationMaxMs: number
  /** The minimum number of bytes that must arrive in each period of `silenceMaxMs`. */
  readonly windowMinBytes: number
}

/** Uses one timer per body, not one per chunk: it checks periodically whether enough bytes have arrived. */
export class BodyTimeout {
  #windowBytes = 0
  #isLate = false
  /** Makes the current wait end with a timeout. A shared promise would accumulate the reactions of all past waits. */
  #endWait: () => void = () => undefined
  #isProcessing = false
  /** Whether received bytes were being processed at any time in the current window. */
  #wasProcessing = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ silenceMaxMs, durationMaxMs, windowMinBytes }: TimeoutRules) {
    const startWindow = (leftMs: number): void => {
      this.#windowBytes = 0
      this.#wasProcessing = this.#isProcessing
      const waitMs = Math.min(silenceMaxMs, leftMs)
      this.#timer = setTimeout(() => {
        if ((this.#windowBytes >= windowMinBytes || this.#wasProcessing) && leftMs > waitMs)
          return startWindow(leftMs - waitMs)
        this.giveUp()
      }, waitMs)
    }
    startWindow(durationMaxMs)
  }

  /** Awaits `read` and returns its result, or 'late'. Only one call may be waiting at a time. */
  with<T>(read: Promise<T>): Promise<T | 'late'> {
    return new Promise((resolve, reject) => {
      this.#endWait = () => resolve('late')
      read.then(resolve, reject)
      if (this.#isLate) this.#endWait()
    })
  }

  countBytes(bytes: number): void {
    this.#windowBytes += bytes
  }

  /** Makes the current wait and all later ones end with a timeout. */
  giveUp(): void {
    this.#isLate = true
    this.#endWait()
  }

  /** Set to true while received bytes are being processed: the body is not read then, so silence is not the sender's fault. */
  setProcessing(isProcessing: boolean): void {
    if (isProcessing || this.#isProcessing) this.#wasProcessing = true
    this.#isProcessing = isProcessing
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
