// Runs one job at a time in an isolate, which several Durable Objects may call.

import type { GuestHost, GuestJob, GuestResult } from '../guest.ts'

/**
 * The lock expires after this long without activity of the job, because a caller that disappears cannot
 * release it.
 */
const SILENT_MS = 10_000

/** A running job. `result` never rejects because of the guest. */
export interface Running {
  readonly result: Promise<GuestResult>
  /** When the job was last seen active. It reports many times a second. */
  lastSeenAt(): number
  cancel(): void
}

/** The isolate's one interpreter, created for its first job. */
export class JobLock<Interpreter> {
  readonly #make: () => Interpreter
  readonly #begin: (interpreter: Interpreter, job: GuestJob, host: GuestHost) => Running
  #interpreter: Interpreter | null = null
  #held: { readonly id: string; readonly running: Running } | null = null

  constructor(
    make: () => Interpreter,
    begin: (interpreter: Interpreter, job: GuestJob, host: GuestHost) => Running,
  ) {
    this.#make = make
    this.#begin = begin
  }

  /** Runs a job, or returns `busy` immediately if another job is running. */
  async run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }> {
    const before = this.#held
    if (before && Date.now() - before.running.lastSeenAt() < SILENT_MS) return { busy: true }
    // A late response to an abandoned job must not resume it in the memory of the next job.
    if (before) this.#interpreter = null
    this.#interpreter ??= this.#make()
    const mine = { id: job.id, running: this.#begin(this.#interpreter, job, host) }
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
