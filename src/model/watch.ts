// Detects a silent stream, with a single timer per call.

// Silence is measured in slices of the timeout, so that an event only resets a counter instead of starting a new timer.
const SLICES = 4

export interface SilenceWatch {
  /** Must be called whenever something arrives. */
  reportActivity(): void
  /** Suspends the watch until the next `reportActivity`. Used while the consumer is busy and does not read. */
  suspend(): void
  stop(): void
}

/** Calls `onSilence` once if `reportActivity` is not called for `silenceMaxMs`, or up to a quarter longer. */
export function watchSilence(silenceMaxMs: number, onSilence: () => void): SilenceWatch {
  let silentSlices = 0
  let isSuspended = false
  const timer = setInterval(() => {
    if (isSuspended) return
    silentSlices += 1
    if (silentSlices <= SLICES) return
    clearInterval(timer)
    onSilence()
  }, silenceMaxMs / SLICES)
  return {
    reportActivity: () => {
      silentSlices = 0
      isSuspended = false
    },
    suspend: () => {
      isSuspended = true
    },
    stop: () => clearInterval(timer),
  }
}
