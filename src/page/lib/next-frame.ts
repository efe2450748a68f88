// The one pace of all updates of an answer, for stores and components.

import { createFramePace } from './frame-pace.ts'
import { HIDDEN_UPDATE_MS } from './limits.ts'

let beforePacedFrame: ((update: () => void) => void) | null = null

/** Runs an update before a frame is drawn, as frame-pace.ts describes, or after HIDDEN_UPDATE_MS if the page is hidden. */
export function beforeNextFrame(update: () => void): void {
  if (document.hidden) {
    setTimeout(update, HIDDEN_UPDATE_MS)
    return
  }
  beforePacedFrame ??= createFramePace({
    now: () => performance.now(),
    requestFrame: (run) => requestAnimationFrame(run),
    setTimer: (run, ms) => setTimeout(run, ms),
    // Enter sends, and what it starts appears at once.
    onKey: (run) =>
      window.addEventListener('keydown', ({ key }) => key !== 'Enter' && run(), {
        capture: true,
        passive: true,
      }),
    onHidden: (run) => document.addEventListener('visibilitychange', () => document.hidden && run()),
  })
  beforePacedFrame(update)
}
