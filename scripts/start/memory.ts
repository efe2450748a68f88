// Decides when to end workerd because of its memory use: all its isolates share about 4 GB, and beyond that
// it aborts and interrupts all work. Pure.

import { MEMORY_DRAIN_MS, WORKERD_MEMORY_MB } from './limits.ts'

export class MemoryWatch {
  /** When it began to use too much memory (ms); null if it does not. */
  #fullSince: number | null = null

  /**
   * A check at time `at` (ms): the reason to end it now, or null. Waits for a moment without running calls
   * into isolates (`busy`), but not long: they may be what fills it.
   */
  check(nowMs: number, residentMb: number, isBusy: boolean): string | null {
    if (residentMb < WORKERD_MEMORY_MB) this.#fullSince = null
    else this.#fullSince ??= nowMs
    if (this.#fullSince === null || (isBusy && nowMs - this.#fullSince < MEMORY_DRAIN_MS)) return null
    this.#fullSince = null
    return `workerd holds ${(residentMb / 1_000).toFixed(1)} GB of memory`
  }
}
