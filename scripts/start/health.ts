// When a server counts as hung, and when starting it again helps nobody. Pure: findings come in, decisions go out.

import { HEALTH_MISSES, RESTART_BACKOFF_MS, RESTARTS_AT_ONCE } from '../../src/limits.ts'

/** What a probe of /healthz found. `stalled`: this process itself was late, so the answer says nothing. */
export type Probe = 'answered' | 'missed' | 'stalled'

export class Pulse {
  #misses = 0

  /** True when the server is hung. */
  record(probe: Probe): boolean {
    if (probe === 'missed') this.#misses += 1
    else if (probe === 'answered') this.#misses = 0
    return this.#misses >= HEALTH_MISSES
  }

  reset(): void {
    this.#misses = 0
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
