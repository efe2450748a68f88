// When workerd is ended for its memory: all of its isolates share some 4 GB, and at the end of them it aborts in the middle
// of whatever goes on. Pure: findings come in, decisions go out.

import { MEMORY_DRAIN_MS, WORKERD_MEMORY_MB } from './limits.ts'

export class MemoryWatch {
  /** Since when it holds too much (ms); null: it does not. */
  #fullSince: number | null = null

  /**
   * A look at time `at` (ms): why to end it now, or null. That waits for a moment in which no call into an isolate is under way
   * (`busy`), but not for long: those that are may be what fills it.
   */
  look(at: number, residentMb: number, busy: boolean): string | null {
    if (residentMb < WORKERD_MEMORY_MB) this.#fullSince = null
    else this.#fullSince ??= at
    if (this.#fullSince === null || (busy && at - this.#fullSince < MEMORY_DRAIN_MS)) return null
    this.#fullSince = null
    return `workerd holds ${(residentMb / 1_000).toFixed(1)} GB of memory`
  }
}
