// One job at a time in an isolate that callers of several objects may share.

import type { GuestResult } from '../guest.ts'

/** A caller that went away in the middle cannot give the lock back: it is void after so long without a sign of its job. */
const SILENT_MS = 10_000

/** A job under way. `result` never rejects for anything that the guest did. */
export interface Running {
  readonly result: Promise<GuestResult>
  /** When it last gave a sign of life; it does so many times a second. */
  seenMs(): number
  cancel(): void
}

export class JobLock {
  #held: { readonly id: string; readonly running: Running } | null = null

  /** Runs what `begin` begins, or says at once that another job runs. `abandoned`: one before it was left by its caller. */
  async run(
    id: string,
    begin: (abandoned: boolean) => Running,
  ): Promise<GuestResult | { readonly busy: true }> {
    const before = this.#held
    if (before && Date.now() - before.running.seenMs() < SILENT_MS) return { busy: true }
    const mine = { id, running: begin(before !== null) }
    this.#held = mine
    try {
      return await mine.running.result
    } finally {
      if (this.#held === mine) this.#held = null
    }
  }

  cancel(id: string): void {
    if (this.#held?.id === id) this.#held.running.cancel()
  }
}
