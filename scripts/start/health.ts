// Decides whether a server hangs, and whether restarting it is pointless. Pure.

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

/** Times of a process since its start, in milliseconds. */
export interface Times {
  /** Time spent waiting for a processor. */
  readonly starved: number
  /** Time for which it ran, summed over all threads. */
  readonly cpu: number
}

export interface Hang {
  /** How long the server was silent, in its own time. */
  readonly ms: number
  /** Whether it was computing almost until the end. */
  readonly isBusy: boolean
}

/**
 * Tells whether a server that owes a response is busy or hung. Silence is measured in the server's own time:
 * waiting for a processor is not its fault, and a restart would make the shortage worse. A server that
 * computes may be silent for long; one that does nothing (deadlocked, stopped) will not recover by itself.
 */
export class Pulse {
  /** The last check since a response became due; null if no response is due. */
  #last: (Times & { readonly at: number }) | null = null
  #silentMs = 0
  #idleMs = 0

  /** Records a request at time `at` (ms); a response is due from then on. */
  requested(nowMs: number, times: Times): void {
    this.#last ??= { at: nowMs, ...times }
  }

  answered(): void {
    this.#last = null
    this.#silentMs = 0
    this.#idleMs = 0
  }

  /** Checks the server at time `at`; returns the hang, or null if the server does not hang. */
  check(nowMs: number, times: Times): Hang | null {
    const previous = this.#last
    if (!previous) return null
    const now = (this.#last = { at: nowMs, ...times })
    // A check this late means that this process slept, and perhaps both did.
    if (nowMs - previous.at > HEALTH_LATE_MS) return null
    const ms = nowMs - previous.at
    const ownMs = Math.min(ms, Math.max(0, ms - (now.starved - previous.starved)))
    const isBusy = now.cpu - previous.cpu > ownMs * HEALTH_BUSY_SHARE
    this.#silentMs += ownMs
    this.#idleMs = isBusy ? 0 : this.#idleMs + ownMs
    if (this.#idleMs >= HEALTH_IDLE_SILENCE_MS) return { ms: this.#silentMs, isBusy: false }
    return this.#silentMs >= HEALTH_BUSY_SILENCE_MS ? { ms: this.#silentMs, isBusy: true } : null
  }
}

/** When to abandon a server process that is not up yet: by its silence, however long its work takes. */
export class SilenceLimit {
  #heard: number

  /** `now` in milliseconds, on the clock of all other calls. */
  constructor(now: number) {
    this.#heard = now
  }

  heard(now: number): void {
    this.#heard = now
  }

  /** The silence in ms if it is too long, else null. `again`: a restart, which finds everything in place. */
  overdue(now: number, isRestart: boolean): number | null {
    const ms = now - this.#heard
    return ms >= (isRestart ? RESTART_DEADLINE_MS : START_DEADLINE_MS) ? ms : null
  }
}

/** killed: from outside · ended: by itself, without a message · failed: by itself, with a message. */
export type ServerEnd = 'killed' | 'ended' | 'failed'

/**
 * How long to wait before the next start. A server that answered once is always restarted, and so is one that
 * was killed; one that fails before its first answer would fail again.
 */
export class Restarts {
  #failures = 0
  #ends = 0
  #everAnswered = false

  answered(): void {
    this.#failures = 0
    this.#everAnswered = true
  }

  /** Records an end: how long to wait before the next start (ms), or null to give up. */
  died(how: ServerEnd): number | null {
    if (how === 'ended') this.#ends += 1
    if (!this.#everAnswered && (how === 'failed' || this.#ends >= START_ENDS_MAX)) return null
    this.#failures += 1
    if (this.#failures === 1) return 0
    return Math.min(RESTART_BACKOFF_CAP_MS, RESTART_BACKOFF_MS * 2 ** (this.#failures - 2))
  }
}
