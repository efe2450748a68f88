// Paces updates of the page: on a slow device, drawing each piece of an answer could take all the time, and keys would wait.

import { UPDATE_PAUSE_MAX_MS } from './limits.ts'

export interface Frames {
  readonly now: () => number
  /** Runs a function before the next frame is drawn. */
  readonly requestFrame: (run: () => void) => void
  readonly setTimer: (run: () => void, ms: number) => void
  /** Calls a function at each key press. */
  readonly onKey: (run: () => void) => void
}

/**
 * Returns a function that runs an update before a frame is drawn. After an update, the browser is free for as long as the
 * update and its frame took. An update that fits into half a frame delays nothing. The frame after a key press has no update, so
 * that the key appears soon; the next frame has one, so that a held key does not stop the answer.
 */
export function createFramePace({
  now,
  requestFrame,
  setTimer,
  onKey,
}: Frames): (update: () => void) => void {
  let freeUntil = 0
  let wasKeyPressed = false
  onKey(() => (wasKeyPressed = true))
  return (update) => {
    const runUnlessKey = (): void => {
      if (wasKeyPressed) requestFrame(run)
      else run()
      wasKeyPressed = false
    }
    const run = (): void => {
      const startedAt = now()
      update()
      // A timer that is set before a frame is drawn fires after it.
      setTimer(() => {
        const endedAt = now()
        freeUntil = endedAt + Math.min(UPDATE_PAUSE_MAX_MS, endedAt - startedAt)
      }, 0)
    }
    const waitMs = freeUntil - now()
    if (waitMs > 0) setTimer(() => requestFrame(runUnlessKey), waitMs)
    else requestFrame(runUnlessKey)
  }
}
