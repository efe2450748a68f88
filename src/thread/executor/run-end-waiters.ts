// Lets requests without a stream wait for the end of a run.

import { withTimeout } from '../../lib/with-timeout.ts'

export class RunEndWaiters {
  readonly #resolvers = new Map<string, (() => void)[]>()

  /** Resolves once `isFinished` returns true, or after `waitMs`. */
  async wait(runId: string, isFinished: () => boolean, waitMs: number): Promise<void> {
    let timedOut = false
    const untilFinished = async (): Promise<void> => {
      while (!timedOut && !isFinished())
        await new Promise<void>((resolve) => {
          this.#resolvers.set(runId, [...(this.#resolvers.get(runId) ?? []), resolve])
        })
    }
    await withTimeout(waitMs, untilFinished())
    timedOut = true
  }

  notify(runId: string): void {
    for (const resolve of this.#resolvers.get(runId) ?? []) resolve()
    this.#resolvers.delete(runId)
  }

  /** Ends all waits, because the thread is deleted. */
  notifyAll(): void {
    for (const runId of this.#resolvers.keys()) this.notify(runId)
  }
}
