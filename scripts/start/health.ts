// When a server counts as hung, and when starting it again helps nobody. Pure: findings come in, decisions go out.

import {
  HEALTH_MISSES,
  HEALTH_POLL_MS,
  HEALTH_SILENCE_MS,
  HEALTH_TIMEOUT_MS,
  RESTART_DEADLINE_MS,
  RESTART_BACKOFF_MS,
  RESTARTS_AT_ONCE,
  START_DEADLINE_MS,
} from '../../src/limits.ts'

/** A moment of a server's life, in milliseconds. */
export interface Moment {
  readonly at: number
  /** How long its process has waited for a processor, in all. */
  readonly starved: number
}

/**
 * Silence counts in the server's own time: what it spends waiting for a processor that others hold is not its fault,
 * and starting it again would take even more of what is short. A stopped one waits for nothing, a spinning one runs.
 */
export class Pulse {
  #misses = 0
  #silent: Moment | null = null

  /** /healthz answered. */
  answered(): void {
    this.#misses = 0
    this.#silent = null
  }

  /** A probe from `began` to `ended` had no answer. The silence in the server's own time (ms) once it is hung, else null. */
  missed(began: Moment, ended: Moment): number | null {
    // A timer that fires far too late means that this process slept: the miss is its own.
    if (ended.at - began.at > HEALTH_TIMEOUT_MS + HEALTH_POLL_MS) return null
    this.#misses += 1
    this.#silent ??= began
    const ownMs = ended.at - this.#silent.at - (ended.starved - this.#silent.starved)
    return this.#misses >= HEALTH_MISSES && ownMs >= HEALTH_SILENCE_MS ? ownMs : null
  }
}

/** When a server process that is not up yet is given up: on its silence, however long its work is. */
export class Patience {
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

/** Counts deaths without one answer in between: a server that answered once is worth starting again, however often. */
export class Restarts {
  #vain = 0

  answered(): void {
    this.#vain = 0
  }

  /** Records a death: how long to wait before starting again (ms), or null to give up. */
  died(): number | null {
    this.#vain += 1
    if (this.#vain >= RESTARTS_AT_ONCE) return null
    return this.#vain === 1 ? 0 : RESTART_BACKOFF_MS * 2 ** (this.#vain - 2)
  }
}
