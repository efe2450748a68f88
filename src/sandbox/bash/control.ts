// Stops a job that reaches a limit or is cancelled: by throwing an error when it yields and, after a grace period, at
// each step of guarded code. Also yields to other work every few milliseconds.

import type { GuestLimits, StopReason } from '../guest.ts'
import { BASH_STRETCH_MS } from '../../limits/sandbox.ts'
import {
  BASH_BLOCKED_MAX_MS,
  BASH_HEARTBEAT_MS,
  BASH_GRACE_MS,
  BASH_SLICE_MAX_MS,
  BASH_GRACE_STEPS,
  BASH_YIELD_EVERY_MS,
  BASH_YIELD_EVERY_STEPS,
  BASH_SLICE_STEPS,
} from './limits.ts'
import type { StepControls } from './shell.js'

/** Thrown from guarded code. Code that catches it gets it again at its next step. */
class JobEnded extends Error {
  override readonly name = 'Ended'
}

export class Control {
  readonly #steps: StepControls
  readonly #limits: Pick<GuestLimits, 'wallMs' | 'steps'>
  readonly #now: () => number
  readonly #afterYield: () => void
  readonly #graceOver: Promise<void>
  #endGrace: () => void = () => {}
  #deadline: number
  #finishedSteps = 0
  /** When the job last started to compute after a pause, and for how long it has computed since. */
  #computingSince: number
  #computedMs = 0
  /** When the job last yielded. A call to the host may return without yielding, because both run in one process. */
  #yieldedAt: number
  #lastSeenAt: number
  #lastYieldSteps = 0
  #stopReason: StopReason | null = null
  #killAt = Infinity
  #killSteps = Infinity
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #heartbeat: ReturnType<typeof setInterval>

  constructor(
    steps: StepControls,
    limits: Pick<GuestLimits, 'wallMs' | 'steps'>,
    now: () => number,
    afterYield: () => void,
  ) {
    this.#steps = steps
    this.#limits = limits
    this.#now = now
    this.#graceOver = new Promise((resolve) => (this.#endGrace = resolve))
    this.#computingSince = this.#yieldedAt = this.#lastSeenAt = now()
    this.#deadline = now() + limits.wallMs
    this.#timer = setTimeout(() => this.stop('time'), limits.wallMs)
    // The timer fires only while the job waits. The job then blocks nobody, and its output can be shown.
    this.#heartbeat = setInterval(() => {
      this.#yieldedAt = this.#paused()
      // Checked here because the platform drops a timer that the request to cancel the job sets.
      if (now() >= this.#killAt) this.#endGrace()
      afterYield()
    }, BASH_HEARTBEAT_MS)
    this.#afterYield = afterYield
    steps.arm(
      BASH_SLICE_STEPS,
      () => this.#startSlice(),
      async () => this.#yield(),
    )
  }

  async #yield(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#yieldedAt = this.#paused()
    this.#lastYieldSteps = this.#finishedSteps
    this.#afterYield()
    if (this.#stopReason === null) return
    throw new JobEnded('The job was stopped.')
  }

  /** Why the job is stopped, which is the first reason if there are several; null if it is not stopped. */
  get stopReason(): StopReason | null {
    return this.#stopReason
  }

  /** Resolves when the grace period of a stopped job is over. */
  get graceOver(): Promise<void> {
    return this.#graceOver
  }

  /**
   * When the job was last seen active. This is updated many times a second, except during a single shell command.
   */
  get lastSeenAt(): number {
    return this.#lastSeenAt
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.#finishedSteps + BASH_SLICE_STEPS - Math.max(0, this.#steps.left())
  }

  /**
   * Makes a call to the host and waits for its answer. The wait does not count as computing time. Yields first if
   * necessary, because otherwise a loop that only starts programs would never yield.
   */
  async callHost<T>(call: () => Promise<T>): Promise<T> {
    if (this.#now() - this.#yieldedAt >= BASH_YIELD_EVERY_MS) await this.#yield()
    try {
      return await call()
    } finally {
      this.#paused()
    }
  }

  /** Starts a new stretch of computing time. Returns the current time. */
  #paused(): number {
    this.#computedMs = 0
    this.#computingSince = this.#lastSeenAt = this.#now()
    return this.#lastSeenAt
  }

  /** Stops the job at its next step, or after the grace period if it only waits. */
  stop(stopReason: StopReason): void {
    this.#recordStop(stopReason)
    clearTimeout(this.#timer)
  }

  /** Like `stop`, but for guarded code: makes the shell yield at once. */
  stopSoon(stopReason: StopReason): void {
    this.#recordStop(stopReason)
    this.#steps.due()
  }

  /** Removes the limits. If `ended` is true, stops code that is still running. */
  close(ended: boolean): void {
    clearTimeout(this.#timer)
    clearInterval(this.#heartbeat)
    this.#steps.arm(
      ended ? -1 : BASH_SLICE_STEPS,
      () => {
        if (ended) throw new JobEnded('The job has ended.')
        return BASH_SLICE_STEPS
      },
      async () => {},
    )
  }

  #recordStop(stopReason: StopReason): void {
    if (this.#stopReason !== null) return
    this.#stopReason = stopReason
    this.#killAt = this.#now() + BASH_GRACE_MS
    this.#killSteps = this.#finishedSteps + BASH_GRACE_STEPS
  }

  /**
   * Charges steps for work outside of guarded code. Returns a promise if the job must yield first. Throws if the job
   * must end, because nothing else could stop that work.
   */
  charge(steps: number): Promise<void> | undefined {
    const mustYield = this.#countSteps(steps)
    if (this.#stopReason !== null) throw new JobEnded('The job was stopped.')
    return mustYield ? this.#yield() : undefined
  }

  #startSlice(): number {
    if (this.#countSteps(BASH_SLICE_STEPS)) this.#steps.due()
    return BASH_SLICE_STEPS
  }

  /** Counts steps and checks all limits. Returns whether the job must yield. */
  #countSteps(steps: number): boolean {
    this.#finishedSteps += steps
    const now = this.#now()
    // A longer slice did not compute the whole time, because the machine was busy with something else.
    this.#computedMs += Math.min(now - this.#lastSeenAt, BASH_SLICE_MAX_MS)
    this.#lastSeenAt = now
    const blocks = this.#computedMs > BASH_STRETCH_MS || now - this.#computingSince > BASH_BLOCKED_MAX_MS
    if (blocks && this.#stopReason === null) {
      this.#recordStop('stall')
      this.#killAt = now - 1
    }
    if (now > this.#killAt || this.#finishedSteps > this.#killSteps) {
      // The shell may never finish: the promise that it awaits may have been dropped.
      setTimeout(() => this.#endGrace(), 0)
      throw new JobEnded('The job was stopped.')
    }
    if (this.#stopReason === null && this.#finishedSteps > this.#limits.steps) this.stopSoon('steps')
    if (this.#stopReason === null && now > this.#deadline) this.stopSoon('time')
    return (
      now - this.#yieldedAt >= BASH_YIELD_EVERY_MS ||
      this.#finishedSteps - this.#lastYieldSteps >= BASH_YIELD_EVERY_STEPS
    )
  }
}
