// Notices that a stream has gone silent. One cheap timer a call, whatever the number of events.

// The silence is counted in slices, so that an event costs an assignment and not a new timer.
const SLICES = 4

export interface Watch {
  /** Something arrived. */
  alive(): void
  /** Somebody on our side is busy: silence is not the stream's fault until `alive`. */
  hold(): void
  stop(): void
}

/** Calls `onSilence` once after at least `idleMs` and at most a quarter more without `alive`. */
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
