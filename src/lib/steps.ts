// Splits long work into steps, so that other requests can run in between. Use it only for computations that write nothing. State
// may change between steps, so read it again after each step.

import { UNITS_BETWEEN_PAUSES } from './limits.ts'

/** Work that yields after each step. The yielded number is the work since the previous yield, in units of about a microsecond. */
export type Steps<T> = Generator<number, T, void>

/** Runs all steps without pauses, for commands and tests. Returns their result. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Tracks the work of one request across all its parts. */
export interface Pace {
  /** Counts units of work. Returns a promise if it is time to pause; await it before continuing. */
  countWork(units: number): Promise<void> | null
  /** The number of units counted so far. */
  totalUnits(): number
  /** Tells the request's queue that the work continues. Returns false if other requests wait for the slot. */
  readonly reportProgress: () => boolean
}

/** `pause` must let the event loop run other requests, which a microtask does not. */
export function startPace(pause: () => Promise<void>, reportProgress: () => boolean = () => true): Pace {
  let totalUnits = 0
  let unitsSincePause = 0
  return {
    totalUnits: () => totalUnits,
    reportProgress,
    countWork(units) {
      totalUnits += units
      unitsSincePause += units
      if (unitsSincePause < UNITS_BETWEEN_PAUSES) return null
      unitsSincePause = 0
      return pause()
    },
  }
}

/** Runs the steps with pauses, and returns their result. Rejects if a pause rejects, which means that the caller is gone. */
export async function runStepsPaced<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const pause = pace.countWork(step.value)
    if (pause) await pause
  }
}
