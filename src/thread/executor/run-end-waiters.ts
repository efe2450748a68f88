// Lets requests without a stream wait for the end of a run.

import { withTimeout } from '../../lib/with-timeout.ts'

export class RunEndWaiters {
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves once `isFinished` returns true, or after `waitMs`. */
  async wait(runId: string, isFinished: () => boolean, waitMs: number): Promise<void> {
    let timedOut = false
    const waiting = async (): Promise<void> => {
      while (!timedOut && !isFinished())
        await new Promise<void>((resolve) => {
          this.#waiting.set(runId, [...(this.#waiting.get(runId) ?? []), resolve])
        })
    }
    await withTimeout(waitMs, waiting())
    timedOut = true
  }

  notify(runId: string): void {
    for (const resolve of this.#waiting.get(runId) ?? []) resolve()
    this.#waiting.delete(runId)
  }

  /** Ends all waits, because the thread is deleted. */
  notifyAll(): void {
    for (const runId of this.#waiting.keys()) this.notify(runId)
  }
}
