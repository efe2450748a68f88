// One job at a time in an isolate that callers of several objects may share.

import type { GuestHost, GuestJob, GuestResult } from '../guest.ts'

/** A caller that went away in the middle cannot give the lock back: it is void after so long without a sign of its job. */
const SILENT_MS = 10_000

/** A job under way. `result` never rejects for anything that the guest did. */
export interface Running {
  readonly result: Promise<GuestResult>
  /** When it last gave a sign of life; it does so many times a second. */
  seenMs(): number
  cancel(): void
}

/** The isolate's one interpreter, made for its first job. */
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

  /** Runs a job, or says at once that another one runs. */
  async run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }> {
    const before = this.#held
    if (before && Date.now() - before.running.seenMs() < SILENT_MS) return { busy: true }
    // What is left of a caller that went away shall not come back into a memory that is somebody else's.
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
