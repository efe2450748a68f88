// Who waits for a run's end without a stream.

export class Ends {
  readonly #waiting = new Map<string, (() => void)[]>()

  next(runId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(runId, [...(this.#waiting.get(runId) ?? []), resolve])
    })
  }

  tell(runId: string): void {
    for (const resolve of this.#waiting.get(runId) ?? []) resolve()
    this.#waiting.delete(runId)
  }

  /** The thread is gone: nobody waits any longer. */
  tellAll(): void {
    for (const runId of this.#waiting.keys()) this.tell(runId)
  }
}
