// Passes Ctrl-C, from a key or a signal, to the current handler. Decides nothing.

import { CHAT_SAME_SIGNAL_MS } from './limits.ts'

export class Interrupts {
  #handler: (() => void) | null = null
  #isRecent = false

  /** Registers `handler`; the returned function restores the previous handler. */
  register(handler: () => void): () => void {
    const previous = this.#handler
    this.#handler = handler
    return () => {
      this.#handler = previous
    }
  }

  /** Passes the interrupt to the handler. Returns false if there is none. */
  tryHandle(): boolean {
    this.#handler?.()
    return this.#handler !== null
  }

  /**
   * Calls `onSignal` for each SIGINT of the process, ignoring the second copy that npm sends. The returned
   * function removes the listener.
   */
  listenForSignal(onSignal: () => void): () => void {
    const listener = (): void => {
      if (this.#isRecent) return
      this.#isRecent = true
      setTimeout(() => (this.#isRecent = false), CHAT_SAME_SIGNAL_MS).unref()
      onSignal()
    }
    process.on('SIGINT', listener)
    return () => process.off('SIGINT', listener)
  }
}
