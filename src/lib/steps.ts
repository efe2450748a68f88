// Long work in steps, so that others have their turn in between. Only for work that decides nothing and writes nothing:
// whoever goes on after a rest knows nothing of what happened meanwhile, and what was read before is read again.

import { STEPS_UNITS_AT_ONCE } from './limits.ts'

/** Work that says, at each `yield`, how much it has done since the last one, in units of about a microsecond. */
export type Steps<T> = Generator<number, T, void>

/** All of it without a rest: for commands and tests. Gives what the steps return. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** What one request has done, whatever pieces it was done in. */
export interface Pace {
  /** Counts work. A promise when it is time to rest: await it before going on. */
  did(units: number): Promise<void> | null
  /** Units in all. */
  total(): number
  /** Says that the work goes on, where somebody keeps a place for it. False: others wait for that place. */
  readonly alive: () => boolean
}

/** `rest` must let the event loop run other requests: a microtask does not. */
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

/** The same with rests. Throws what a rest throws: whoever asked is gone. */
export async function inSteps<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    const rest = pace.did(step.value)
    if (rest) await rest
  }
}
