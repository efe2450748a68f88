// Splits long work into steps, so that other requests can run in between. Only for work that computes and
// writes nothing:
// state may change between steps, so what was read before must be read again.

import { STEPS_UNITS_AT_ONCE } from './limits.ts'

/** Each `yield` reports the work since the previous one, in units of about a microsecond. */
export type Steps<T> = Generator<number, T, void>

/** Runs all steps without yielding, for commands and tests. Returns their result. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Tracks the work of one request across all its parts. */
export interface Pace {
  /** Counts work. Returns a promise when it is time to yield; await it before continuing. */
  did(units: number): Promise<void> | null
  /** Total number of units so far. */
  total(): number
  /** Keeps the request's slot. Returns false if other requests wait for it. */
  readonly alive: () => boolean
}

/** `rest` must let the event loop run other requests, which a microtask does not. */
export function startPace(rest: () => Promise<void>, alive: () => boolean = () => true): Pace {
  let total = 0
  let since = 0
  return {
    total: () => total,
    alive,
    did(units) {
      total += units
      since += units
      if (since < STEPS_UNITS_AT_ONCE) return null
      since = 0
      return rest()
    },
  }
}

/**
 * Runs the steps with pauses, and returns their result. Rejects if `rest` does, because the caller is then
 * gone.
 */
export async function inSteps<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const rest = pace.did(step.value)
    if (rest) await rest
  }
}
