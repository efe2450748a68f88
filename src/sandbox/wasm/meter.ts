// Limits the steps (fuel) and the time of a guest. At a limit it receives a signal to stop, and is killed if
// it continues beyond the grace. A cancelled guest is killed at its next check, without a signal. Also yields
// to other work. Where the platform stops its clock during computation, only the steps count.

import { Killed } from './stop.ts'

import type { StopReason } from '../guest.ts'

/** Fuel granted at a time: 0.2 to 3 ms of work. */
const FILL_STEPS = 65_536
/** The cost of one host call, in steps. */
export const CALL_STEPS = 300
/** How often the isolate yields, in milliseconds (as the shell does), and in steps where the clock stops. */
const YIELD_EVERY_MS = 5
const YIELD_EVERY_STEPS = 64 * FILL_STEPS
/**
 * How far a guest may exceed a limit after the signal, so that it can print a traceback: ms beyond the time limit, and
 * a share of the step limit.
 */
const GRACE_MS = 250
const GRACE_STEPS_SHARE = 1 / 4
/** Interval in ms at which limits are checked while the guest sleeps or waits for the host. */
const CHECK_EVERY_MS = 25
/** The number of SIGINT, for which Python raises KeyboardInterrupt. */
const INTERRUPT = 2

export interface MeterLimits {
  readonly wallMs: number
  readonly steps: number
}

export class Meter {
  readonly #limits: MeterLimits
  readonly #now: () => number
  readonly #startedAt: number
  /** The fuel counter in the guest. */
  readonly #fuel: { value: number }
  /** Called before a yield, and while the guest sleeps or waits for the host, so that its output appears. */
  readonly #beforePause: () => void
  #stepsBeforeFill = 0
  #fillSize = 0
  #lastYieldAt: number
  #lastYieldSteps = 0
  #signal = 0
  #cancelled = false
  #stopReason: StopReason | null = null
  /** When the limits were last checked: the guest was running, sleeping or waiting then. */
  lastSeenAt: number
  /**
   * The number of host functions on the guest's stack, counted by python/calls-rest.ts. While there are any,
   * the guest cannot be suspended, so the isolate does not yield.
   */
  hostFrames = 0

  constructor(limits: MeterLimits, fuel: { value: number }, now: () => number, beforePause: () => void) {
    this.#limits = limits
    this.#fuel = fuel
    this.#now = now
    this.#beforePause = beforePause
    this.#startedAt = this.#lastYieldAt = this.lastSeenAt = now()
    fuel.value = 0
    this.#fill()
  }

  #fill(): void {
    this.#stepsBeforeFill = this.steps
    this.#fuel.value = this.#fillSize = FILL_STEPS
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.#stepsBeforeFill + this.#fillSize - this.#fuel.value
  }

  /** The limit that was reached first, for which the signal was raised, if any. */
  get stopReason(): StopReason | null {
    return this.#stopReason
  }

  charge(steps: number): void {
    this.#fuel.value -= steps
  }

  cancel(): void {
    this.#cancelled = true
  }

  /**
   * The guest calls this regularly and when its fuel is used up. Returns a pending signal or 0, or a promise of 0 if
   * the isolate must yield. A signal that is raised in this call is returned by the next call. Throws `Killed`, or
   * rejects with it, if the guest must end.
   */
  check(): number | Promise<number> {
    if (this.#fuel.value > 0) {
      const signal = this.#signal
      this.#signal = 0
      return signal
    }
    this.#fill()
    this.#enforceLimits()
    const mustYield =
      this.#now() - this.#lastYieldAt >= YIELD_EVERY_MS ||
      this.steps - this.#lastYieldSteps >= YIELD_EVERY_STEPS
    return mustYield && this.hostFrames === 0 ? this.#yield() : 0
  }

  /**
   * Charges work that is done outside of the guest. Returns a promise if the isolate must yield. Leaves a pending signal
   * to the guest. Throws `Killed`, or rejects with it, if the guest must end.
   */
  spend(steps: number): Promise<void> | undefined {
    this.charge(steps)
    if (this.#fuel.value > 0) return undefined
    const pause = this.check()
    return typeof pause === 'number' ? undefined : pause.then(() => {})
  }

  async #yield(): Promise<number> {
    this.#beforePause()
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#recordYield()
    this.#enforceLimits()
    return 0
  }

  #recordYield(): void {
    this.#lastYieldAt = this.#now()
    this.#lastYieldSteps = this.steps
  }

  #enforceLimits(): void {
    const { wallMs, steps } = this.#limits
    this.lastSeenAt = this.#now()
    const elapsed = this.lastSeenAt - this.#startedAt
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
    for (let remainingMs = ms; remainingMs > 0 && this.#signal === 0; remainingMs = end - this.#now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(remainingMs, CHECK_EVERY_MS)))
      this.#enforceLimits()
      this.#beforePause()
    }
    this.#recordYield()
    const signalled = this.#signal !== 0
    this.#signal = 0
    return signalled
  }

  /** Waits for `promise`, and rejects if it does, or with `Killed` if the guest must end first. */
  async within<T>(promise: Promise<T>): Promise<T> {
    let settled = false
    let hasWaited = false
    const watch = async (): Promise<never> => {
      while (!settled) {
        await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
        hasWaited = true
        if (!settled) this.#enforceLimits()
      }
      return new Promise<never>(() => {})
    }
    this.#beforePause()
    try {
      return await Promise.race([promise, watch()])
    } finally {
      settled = true
      // A result that is available immediately needs no yield.
      if (hasWaited) this.#recordYield()
    }
  }
}
