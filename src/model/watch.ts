// Detects a silent stream, with a single timer per call.

// Silence is measured in slices of the timeout, so that an event only resets a counter instead of starting a new timer.
const SLICES = 4

export interface Watch {
  /** Call it when something arrives. */
  alive(): void
  /** Suspends the watch until `alive`, because the consumer is busy and does not read. */
  hold(): void
  stop(): void
}

/** Calls `onSilence` once if `alive` is not called for `idleMs`, or up to a quarter longer. */
export function watch(idleMs: number, onSilence: () => void): Watch {
  let silentSlices = 0
  let isHeld = false
  const timer = setInterval(() => {
    if (isHeld) return
    silentSlices += 1
    if (silentSlices <= SLICES) return
    clearInterval(timer)
    onSilence()
  }, idleMs / SLICES)
  return {
    alive: () => {
      silentSlices = 0
      isHeld = false
    },
    hold: () => {
      isHeld = true
    },
    stop: () => clearInterval(timer),
  }
}
