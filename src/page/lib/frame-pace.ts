// Paces updates of the page: on a slow device, drawing each piece of an answer could take all the time, and keys would wait.

import { TYPING_PAUSE_MS, UPDATE_PAUSE_MAX_MS } from './limits.ts'

export interface Frames {
  readonly now: () => number
  /** Runs a function before the next frame is drawn. */
  readonly requestFrame: (run: () => void) => void
  readonly setTimer: (run: () => void, ms: number) => void
  /** Calls a function at each key press of somebody who types. */
  readonly onKey: (run: () => void) => void
  /** Calls a function when the page is hidden and draws no more frames. */
  readonly onHidden: (run: () => void) => void
}

/**
 * Returns a function that runs an update before a frame is drawn. After an update, the browser is free for as long as the
 * update and its frame took. An update that fits into half a frame delays nothing. While somebody types, updates run as soon as
 * the key is shown, so that they have ended before the next key, and otherwise after TYPING_PAUSE_MS.
 */
export function createFramePace({
  now,
  requestFrame,
  setTimer,
  onKey,
  onHidden,
}: Frames): (update: () => void) => void {
  let waiting: (() => void)[] = []
  let busyUntil = 0
  let typingUntil = 0
  let isPlanned = false

  function run(): void {
    const updates = waiting
    waiting = []
    const startedAt = now()
    for (const update of updates)
      try {
        update()
      } catch (error) {
        // The browser reports it, and the other updates still run.
        setTimer(() => {
          throw error
        }, 0)
      }
    // A timer that is set before a frame is drawn fires after it.
    setTimer(() => {
      const endedAt = now()
      busyUntil = endedAt + Math.min(UPDATE_PAUSE_MAX_MS, endedAt - startedAt)
    }, 0)
  }
  function runIfFree(): void {
    isPlanned = false
    if (waiting.length === 0) return
    if (Math.max(busyUntil, typingUntil) > now()) plan()
    else run()
  }
  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    const waitMs = Math.max(busyUntil, typingUntil) - now()
    if (waitMs > 0) setTimer(() => requestFrame(runIfFree), waitMs)
    else requestFrame(runIfFree)
  }
  onKey(() => {
    typingUntil = now() + TYPING_PAUSE_MS
    const runAfterFrame = (): void => {
      if (waiting.length > 0 && busyUntil <= now()) requestFrame(run)
    }
    // The first frame draws the key. During the second, the browser rasterizes and shows it.
    requestFrame(() => requestFrame(() => setTimer(runAfterFrame, 0)))
  })
  onHidden(() => {
    if (waiting.length > 0) run()
  })
  return (update) => {
    waiting.push(update)
    plan()
  }
}
