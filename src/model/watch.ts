// Detects a silent stream. One cheap timer per call, whatever the number of events.

// Silence is counted in slices, so that an event costs an assignment rather than a new timer.
const SLICES = 4

export interface Watch {
  /** Something arrived. */
  alive(): void
  /** Our side is busy: until `alive`, silence is not the stream's fault. */
  hold(): void
  stop(): void
}

/** Calls `onSilence` once after at least `idleMs`, and at most a quarter more, without `alive`. */
export function watch(idleMs: number, onSilence: () => void): Watch {
  let silent = 0
  let held = false
  const timer = setInterval(() => {
    if (held) return
    silent += 1
    if (silent <= SLICES) return
    clearInterval(timer)
    onSilence()
  }, idleMs / SLICES)
  return {
    alive: () => {
      silent = 0
      held = false
    },
    hold: () => {
      held = true
    },
    stop: () => clearInterval(timer),
  }
}
