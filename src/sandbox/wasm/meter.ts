// Limits the steps (fuel) and the time of a guest. At a limit it receives a signal to stop, and is killed if
// it continues beyond the grace. A cancelled guest is killed at its next check, without a signal. Also yields
// to other work. Where the platform stops its clock during computation, only the steps count.

import { Killed } from './stop.ts'

import type { Stopped } from '../guest.ts'

/** How much fuel is granted at a time, which is 0.2 to 3 ms of work. */
const QUANTUM = 65_536
/** The cost of one host call, in steps. */
export const CALL_STEPS = 300
/** How often the isolate yields, in milliseconds, and in steps where the clock stops. */
const REST_MS = 10
const REST_STEPS = 64 * QUANTUM
/**
 * How far a guest may exceed a limit after the signal, to print a traceback: milliseconds beyond the time
 * limit, and a share of the step limit.
 */
const GRACE_MS = 250
const GRACE_STEPS_SHARE = 1 / 4
/** How often the limits are checked while the guest sleeps or waits for the host. */
const LOOK_MS = 25
/** SIGINT, for which Python raises KeyboardInterrupt. */
const INTERRUPT = 2

export interface Bounds {
  readonly wallMs: number
  readonly steps: number
}

export class Meter {
  readonly #bounds: Bounds
  readonly #now: () => number
  readonly #began: number
  /** The fuel counter in the guest. */
  readonly #fuel: { value: number }
  /** Called before a yield, and while the guest sleeps or waits for the host, so that its output appears. */
  readonly #beforePause: () => void
  #stepsBeforeFill = 0
  #fillSize = 0
  #lastYieldAt: number
  #restedSteps = 0
  #signal = 0
  #cancelled = false
  #stopReason: Stopped | null = null
  /** When the limits were last checked: the guest was running, sleeping or waiting then. */
  lastSeenAt: number
  /**
   * The number of host functions on the guest's stack, counted by python/calls-rest.ts. While there are any,
   * the guest cannot be suspended, so the isolate does not yield.
   */
  frames = 0

  constructor(bounds: Bounds, fuel: { value: number }, now: () => number, beforePause: () => void) {
    this.#bounds = bounds
    this.#fuel = fuel
    this.#now = now
    this.#beforePause = beforePause
    this.#began = this.#lastYieldAt = this.lastSeenAt = now()
    fuel.value = 0
    this.#fill()
  }

  #fill(): void {
    this.#stepsBeforeFill = this.steps
    this.#fuel.value = this.#fillSize = QUANTUM
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.#stepsBeforeFill + this.#fillSize - this.#fuel.value
  }

  /** The limit that was reached first, for which the signal was raised, if any. */
  get stopReason(): Stopped | null {
    return this.#stopReason
  }

  charge(steps: number): void {
    this.#fuel.value -= steps
  }

  cancel(): void {
    this.#cancelled = true
  }

  /**
   * The guest calls this regularly and when its fuel is used up. Returns a pending signal or 0, as a promise
   * of 0 if the isolate must yield. A signal that is raised in this call is returned by the next one. Throws
   * `Killed`, or rejects with it, if the guest must end.
   */
  check(): number | Promise<number> {
    if (this.#fuel.value > 0) {
      const signal = this.#signal
      this.#signal = 0
      return signal
    }
    this.#fill()
    this.#judge()
    const due = this.#now() - this.#lastYieldAt >= REST_MS || this.steps - this.#restedSteps >= REST_STEPS
    return due && this.frames === 0 ? this.#rest() : 0
  }

  async #rest(): Promise<number> {
    this.#beforePause()
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#recordYield()
    this.#judge()
    return 0
  }

  #recordYield(): void {
    this.#lastYieldAt = this.#now()
    this.#restedSteps = this.steps
  }

  #judge(): void {
    const { wallMs, steps } = this.#bounds
    this.lastSeenAt = this.#now()
    const elapsed = this.lastSeenAt - this.#began
    if (this.#cancelled) throw new Killed('cancelled')
    if (elapsed >= wallMs + GRACE_MS) throw new Killed('time')
    if (this.steps >= steps * (1 + GRACE_STEPS_SHARE)) throw new Killed('steps')
    if (this.#stopReason !== null) return
    this.#stopReason = elapsed >= wallMs ? 'time' : this.steps >= steps ? 'steps' : null
    if (this.#stopReason !== null) this.#signal = INTERRUPT
  }

  /** Sleeps. Returns true if a signal arrived meanwhile. Rejects with `Killed`. */
  async sleep(ms: number): Promise<boolean> {
    const end = this.#now() + ms
    this.#beforePause()
    for (let left = ms; left > 0 && this.#signal === 0; left = end - this.#now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, LOOK_MS)))
      this.#judge()
      this.#beforePause()
    }
    this.#recordYield()
    const signalled = this.#signal !== 0
    this.#signal = 0
    return signalled
  }

  /** The result of `promise`. Rejects as it does, or with `Killed` if the guest must end first. */
  async within<T>(promise: Promise<T>): Promise<T> {
    let settled = false
    let rested = false
    const watch = async (): Promise<never> => {
      while (!settled) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
        rested = true
        if (!settled) this.#judge()
      }
      return new Promise<never>(() => {})
    }
    this.#beforePause()
    try {
      return await Promise.race([promise, watch()])
    } finally {
      settled = true
      // A result that is available immediately needs no yield.
      if (rested) this.#recordYield()
    }
  }
}
