// When a server counts as hung, and when starting it again helps nobody. Pure: findings come in, decisions go out.

import {
  HEALTH_BUSY_SHARE,
  HEALTH_BUSY_SILENCE_MS,
  HEALTH_IDLE_SILENCE_MS,
  HEALTH_LATE_MS,
  RESTART_BACKOFF_CAP_MS,
  RESTART_BACKOFF_MS,
  RESTART_DEADLINE_MS,
  START_DEADLINE_MS,
  START_ENDS_MAX,
} from './limits.ts'

/** What a system counts of a process since it began, in milliseconds. */
export interface Times {
  /** How long it waited for a processor that others held. */
  readonly starved: number
  /** How long it ran, all threads together. */
  readonly cpu: number
}

export interface Hang {
  /** Its silence in its own time. */
  readonly ms: number
  /** It computed nearly to the end. */
  readonly busy: boolean
}

/**
 * Whether a server that owes an answer is busy or hung. Silence counts in its own time: what it spends waiting for a
 * processor that others hold is not its fault, and starting it again would take even more of what is short. While it
 * computes it has long; one that does nothing (deadlocked, stopped) will not come back by itself.
 */
export class Pulse {
  /** The last look since it owes an answer; null: it owes none. */
  #last: (Times & { readonly at: number }) | null = null
  #silentMs = 0
  #idleMs = 0

  /** It is asked at time `at` (ms), and owes an answer from then on. */
  asked(at: number, times: Times): void {
    this.#last ??= { at, ...times }
  }

  answered(): void {
    this.#last = null
    this.#silentMs = 0
    this.#idleMs = 0
  }

  /** A look at time `at`: the hang once it is one, else null. */
  look(at: number, times: Times): Hang | null {
    const last = this.#last
    if (!last) return null
    const now = (this.#last = { at, ...times })
    // So late a look means that this process slept, perhaps both did.
    if (at - last.at > HEALTH_LATE_MS) return null
    const ms = at - last.at
    const ownMs = Math.min(ms, Math.max(0, ms - (now.starved - last.starved)))
    const busy = now.cpu - last.cpu > ownMs * HEALTH_BUSY_SHARE
    this.#silentMs += ownMs
    this.#idleMs = busy ? 0 : this.#idleMs + ownMs
    if (this.#idleMs >= HEALTH_IDLE_SILENCE_MS) return { ms: this.#silentMs, busy: false }
    return this.#silentMs >= HEALTH_BUSY_SILENCE_MS ? { ms: this.#silentMs, busy: true } : null
  }
}

/** When a server process that is not up yet is given up: on its silence, however long its work is. */
export class SilenceLimit {
  #heard: number

  /** `now` in milliseconds, of the clock of every other call. */
  constructor(now: number) {
    this.#heard = now
  }

  heard(now: number): void {
    this.#heard = now
  }

  /** The silence in ms once it is too long, else null. `again`: it was up before and finds everything in place. */
  overdue(now: number, again: boolean): number | null {
    const ms = now - this.#heard
    return ms >= (again ? RESTART_DEADLINE_MS : START_DEADLINE_MS) ? ms : null
  }
}

/** killed: by somebody or something else · ended: by itself, without a word · failed: by itself, having said why. */
export type Death = 'killed' | 'ended' | 'failed'

/**
 * How long to wait before the next start. One that answered once is started again for ever, and so is one that others
 * kill; what fails before it ever answered would fail again, until somebody fixes it.
 */
export class Restarts {
  #vain = 0
  #ends = 0
  #everAnswered = false

  answered(): void {
    this.#vain = 0
    this.#everAnswered = true
  }

  /** Records a death: how long to wait before starting again (ms), or null to give up. */
  died(how: Death): number | null {
    if (how === 'ended') this.#ends += 1
    if (!this.#everAnswered && (how === 'failed' || this.#ends >= START_ENDS_MAX)) return null
    this.#vain += 1
    if (this.#vain === 1) return 0
    return Math.min(RESTART_BACKOFF_CAP_MS, RESTART_BACKOFF_MS * 2 ** (this.#vain - 2))
  }
}
