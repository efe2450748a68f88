// Ends a job at its limits: time, steps, cancellation or a quota. First by the shell's own signal, then by
// throwing from guarded code at each step. Also yields to other work every few milliseconds.

import type { GuestLimits, StopReason } from '../guest.ts'
import { BASH_STRETCH_MS } from '../../limits/sandbox.ts'
import {
  BASH_BEAT_MS,
  BASH_GRACE_MS,
  BASH_GRACE_STEPS,
  BASH_REST_MS,
  BASH_REST_STEPS,
  BASH_SLICE_STEPS,
} from './limits.ts'
import type { StepControls } from './shell.js'

/** Thrown from guarded code. Code that catches it gets it again at its next step. */
class Ended extends Error {
  override readonly name = 'Ended'
}

export class Control {
  readonly #steps: StepControls
  readonly #limits: Pick<GuestLimits, 'wallMs' | 'steps'>
  readonly #now: () => number
  readonly #abort = new AbortController()
  readonly #rested: () => void
  readonly #over: Promise<void>
  #end: () => void = () => {}
  #deadline: number
  #spent = 0
  /** When its own computing time last began. */
  #restedAt: number
  /** When it last yielded. A host call may return without yielding: the host runs in the same process. */
  #yieldedAt: number
  #seenMs: number
  #restedSteps = 0
  #why: StopReason | null = null
  #hardAt = Infinity
  #hardSteps = Infinity
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #beat: ReturnType<typeof setInterval>

  constructor(
    steps: StepControls,
    limits: Pick<GuestLimits, 'wallMs' | 'steps'>,
    now: () => number,
    rested: () => void,
  ) {
    this.#steps = steps
    this.#limits = limits
    this.#now = now
    this.#over = new Promise((resolve) => (this.#end = resolve))
    this.#restedAt = this.#yieldedAt = this.#seenMs = now()
    this.#deadline = now() + limits.wallMs
    this.#timer = setTimeout(() => this.stop('time'), limits.wallMs)
    // While the job waits it blocks nobody, and its output is shown.
    this.#beat = setInterval(() => {
      this.#restedAt = this.#yieldedAt = this.#seenMs = now()
      rested()
    }, BASH_BEAT_MS)
    this.#rested = rested
    steps.arm(
      BASH_SLICE_STEPS,
      () => this.#slice(),
      async () => this.#rest(),
    )
  }

  async #rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.#restedAt = this.#yieldedAt = this.#now()
    this.#restedSteps = this.#spent
    if (this.#why !== null) this.#abort.abort()
    this.#rested()
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Why the job ends early; the first reason wins. */
  get why(): StopReason | null {
    return this.#why
  }

  /** Resolves when the grace period of a stopped job is over. */
  get over(): Promise<void> {
    return this.#over
  }

  /**
   * When the job was last seen active. It reports many times a second, except during a single shell command.
   */
  get seenMs(): number {
    return this.#seenMs
  }

  get spent(): number {
    return this.#spent + BASH_SLICE_STEPS - Math.max(0, this.#steps.left())
  }

  /**
   * Calls `ask` and waits for the host's answer. The wait does not count against the job. Yields before it
   * when that is due: a loop that only starts programs would never yield otherwise.
   */
  async waited<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#now() - this.#yieldedAt >= BASH_REST_MS) await this.#rest()
    try {
      return await ask()
    } finally {
      this.#restedAt = this.#seenMs = this.#now()
    }
  }

  /** Must not be called from guarded code: it runs the shell's own listeners. */
  stop(why: StopReason): void {
    this.#note(why)
    this.#abort.abort()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), BASH_GRACE_MS)
  }

  /** Like `stop`, from guarded code: takes effect when the shell next yields. */
  stopSoon(why: StopReason): void {
    this.#note(why)
    this.#steps.due()
  }

  /** Removes the limits. With `ended`, code that still runs is stopped. */
  close(ended: boolean): void {
    clearTimeout(this.#timer)
    clearInterval(this.#beat)
    this.#steps.arm(
      ended ? -1 : BASH_SLICE_STEPS,
      () => {
        if (ended) throw new Ended('The job has ended.')
        return BASH_SLICE_STEPS
      },
      async () => {},
    )
  }

  #note(why: StopReason): void {
    if (this.#why !== null) return
    this.#why = why
    this.#hardAt = this.#now() + BASH_GRACE_MS
    this.#hardSteps = this.#spent + BASH_GRACE_STEPS
  }

  /**
   * Charges work outside of guarded code; a promise if others are to run first. Throws if the job is to end: nothing
   * else could stop that work.
   */
  charge(steps: number): Promise<void> | undefined {
    const due = this.#judge(steps)
    if (this.#why !== null) throw new Ended('The job was stopped.')
    return due ? this.#rest() : undefined
  }

  #slice(): number {
    if (this.#judge(BASH_SLICE_STEPS)) this.#steps.due()
    return BASH_SLICE_STEPS
  }

  /** Counts steps and checks all limits; returns whether it is time to yield. */
  #judge(steps: number): boolean {
    this.#spent += steps
    const now = this.#now()
    this.#seenMs = now
    const stretch = now - this.#restedAt
    if (stretch > BASH_STRETCH_MS && this.#why === null) {
      this.#note('stall')
      this.#hardAt = now - 1
    }
    if (now > this.#hardAt || this.#spent > this.#hardSteps) {
      // The shell may never finish: the promise that it awaits may have been dropped.
      setTimeout(() => this.#end(), 0)
      throw new Ended('The job was stopped.')
    }
    if (this.#why === null && this.#spent > this.#limits.steps) this.stopSoon('steps')
    if (this.#why === null && now > this.#deadline) this.stopSoon('time')
    return now - this.#yieldedAt >= BASH_REST_MS || this.#spent - this.#restedSteps >= BASH_REST_STEPS
  }
}
