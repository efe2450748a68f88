// Requests that wait for a run's end without a stream.

import { within } from '../../lib/within.ts'

export class Ends {
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves once the run is `over`, or after `waitMs`. */
  async wait(runId: string, over: () => boolean, waitMs: number): Promise<void> {
    let late = false
    const waiting = async (): Promise<void> => {
      while (!late && !over())
        await new Promise<void>((resolve) => {
          this.#waiting.set(runId, [...(this.#waiting.get(runId) ?? []), resolve])
        })
    }
    await within(waitMs, waiting())
    late = true
  }

  notify(runId: string): void {
    for (const resolve of this.#waiting.get(runId) ?? []) resolve()
    this.#waiting.delete(runId)
  }

  /** The thread is deleted: all waits end. */
  notifyAll(): void {
    for (const runId of this.#waiting.keys()) this.notify(runId)
  }
}
