// Runs one job at a time in an isolate, which several Durable Objects may call.

import type { GuestHost, GuestJob, GuestResult } from '../guest.ts'

/**
 * Time in ms without activity of the job after which the lock expires, because a caller that disappears cannot release
 * it.
 */
const INACTIVE_MS = 10_000

/** A running job. `result` never rejects because of the guest. */
export interface Running {
  readonly result: Promise<GuestResult>
  /** When the job was last seen active. It reports many times a second. */
  lastSeenAt(): number
  cancel(): void
}

/** Holds the isolate's only interpreter, which is created for the first job. */
export class JobLock<Interpreter> {
  readonly #createInterpreter: () => Interpreter
  readonly #startJob: (interpreter: Interpreter, job: GuestJob, host: GuestHost) => Running
  #interpreter: Interpreter | null = null
  #currentJob: { readonly id: string; readonly running: Running } | null = null

  constructor(
    createInterpreter: () => Interpreter,
    startJob: (interpreter: Interpreter, job: GuestJob, host: GuestHost) => Running,
  ) {
    this.#createInterpreter = createInterpreter
    this.#startJob = startJob
  }

  /** Runs a job, or returns `busy` immediately if another job is running. */
  async run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }> {
    const previous = this.#currentJob
    if (previous && Date.now() - previous.running.lastSeenAt() < INACTIVE_MS) return { busy: true }
    // A late response to an abandoned job must not resume it in the memory of the next job.
    if (previous) this.#interpreter = null
    this.#interpreter ??= this.#createInterpreter()
    const current = { id: job.id, running: this.#startJob(this.#interpreter, job, host) }
    this.#currentJob = current
    try {
      return await current.running.result
    } finally {
      if (this.#currentJob === current) this.#currentJob = null
    }
  }

  cancel(id: string): void {
    if (this.#currentJob?.id === id) this.#currentJob.running.cancel()
  }
}
