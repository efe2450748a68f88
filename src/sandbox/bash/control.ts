// When a job has to end: its time, its steps, a cancel, a quota. First softly, by the shell's own signal; then hard, by
// throwing out of guarded code at each step. It also lets others in every few milliseconds.

import type { GuestLimits, Stopped } from '../guest.ts'
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

/** Thrown out of guarded code. What catches it meets it again at its next step. */
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
  /** Since when its own computing counts. */
  #restedAt: number
  /** When others were last let in. An answer of the host may come without that: it is asked within the same process. */
  #yieldedAt: number
  #seenMs: number
  #restedSteps = 0
  #why: Stopped | null = null
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
    // While it waits for something nobody is kept waiting, and what it said is shown.
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

  /** Why the job ends before it is done; the first reason stays. */
  get why(): Stopped | null {
    return this.#why
  }

  /** Resolves when what was told to end has had its time to. */
  get over(): Promise<void> {
    return this.#over
  }

  /** When it last gave a sign of life: it does so many times a second, but for one command of the shell. */
  get seenMs(): number {
    return this.#seenMs
  }

  get spent(): number {
    return this.#spent + BASH_SLICE_STEPS - Math.max(0, this.#steps.left())
  }

  /**
   * What the host answers to `ask`. While it waits for its host nobody waits for it, however long the host holds up the
   * thread. Others are let in before, where that is due: a loop that only starts programs would never rest.
   */
  async waited<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#now() - this.#yieldedAt >= BASH_REST_MS) await this.#rest()
    try {
      return await ask()
    } finally {
      this.#restedAt = this.#seenMs = this.#now()
    }
  }

  /** Not to be called from guarded code: it runs the shell's own listeners. */
  stop(why: Stopped): void {
    this.#note(why)
    this.#abort.abort()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), BASH_GRACE_MS)
  }

  /** The same from within guarded code: it ends at the shell's next rest. */
  stopSoon(why: Stopped): void {
    this.#note(why)
    this.#steps.due()
  }

  /** No limits from here on; what is left over of the job is stopped if it should still run. */
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

  #note(why: Stopped): void {
    if (this.#why !== null) return
    this.#why = why
    this.#hardAt = this.#now() + BASH_GRACE_MS
    this.#hardSteps = this.#spent + BASH_GRACE_STEPS
  }

  #slice(): number {
    this.#spent += BASH_SLICE_STEPS
    const now = this.#now()
    this.#seenMs = now
    const stretch = now - this.#restedAt
    if (stretch > BASH_STRETCH_MS && this.#why === null) {
      this.#note('stall')
      this.#hardAt = now - 1
    }
    if (now > this.#hardAt || this.#spent > this.#hardSteps) {
      // The shell may not come to an end of itself: what it waits for may have been thrown away.
      setTimeout(() => this.#end(), 0)
      throw new Ended('The job was stopped.')
    }
    if (this.#why === null && this.#spent > this.#limits.steps) this.stopSoon('steps')
    if (this.#why === null && now > this.#deadline) this.stopSoon('time')
    if (now - this.#yieldedAt >= BASH_REST_MS || this.#spent - this.#restedSteps >= BASH_REST_STEPS)
      this.#steps.due()
    return BASH_SLICE_STEPS
  }
}
