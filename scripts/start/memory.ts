// Decides when to end workerd because of its memory use: all its isolates share about 4 GB, and beyond that it aborts and
// interrupts all work. Pure.

import { MEMORY_RESTART_DELAY_MS, WORKERD_MEMORY_MB } from './limits.ts'

export class MemoryWatch {
  /** When workerd began to use too much memory; null if it does not. */
  #fullSinceMs: number | null = null

  /**
   * Returns the reason to end workerd now, or null. Waits for a moment without running calls into isolates (`isBusy`), but
   * not for long, because these calls may be using the memory.
   */
  check(nowMs: number, residentMb: number, isBusy: boolean): string | null {
    if (residentMb < WORKERD_MEMORY_MB) this.#fullSinceMs = null
    else this.#fullSinceMs ??= nowMs
    if (this.#fullSinceMs === null || (isBusy && nowMs - this.#fullSinceMs < MEMORY_RESTART_DELAY_MS))
      return null
    this.#fullSinceMs = null
    return `workerd holds ${(residentMb / 1_000).toFixed(1)} GB of memory`
  }
}
