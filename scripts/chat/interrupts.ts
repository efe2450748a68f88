// Passes Ctrl-C, from a key or a signal, to the current handler. Decides nothing.

import { CHAT_SIGNAL_MS } from './limits.ts'

export class Interrupts {
  #handler: (() => void) | null = null
  #isRecent = false

  /** Registers `handler`; the result removes it. */
  hear(handler: () => void): () => void {
    const before = this.#handler
    this.#handler = handler
    return () => {
      this.#handler = before
    }
  }

  /** False: there is no handler. */
  raise(): boolean {
    this.#handler?.()
    return this.#handler !== null
  }

  /**
   * Handles the process's own signal, which npm sends a second time, and passes each on once. The result removes
   * the handler.
   */
  take(signalled: () => void): () => void {
    const once = (): void => {
      if (this.#isRecent) return
      this.#isRecent = true
      setTimeout(() => (this.#isRecent = false), CHAT_SIGNAL_MS).unref()
      signalled()
    }
    process.on('SIGINT', once)
    return () => process.off('SIGINT', once)
  }
}
