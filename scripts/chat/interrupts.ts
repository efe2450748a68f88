// Ctrl-C, wherever it comes from: whoever works now is told. Decides nothing.

import { CHAT_SIGNAL_MS } from './limits.ts'

export class Interrupts {
  #handler: (() => void) | null = null
  #isRecent = false

  /** Tells `handler` of each, until what is answered is called. */
  hear(handler: () => void): () => void {
    const before = this.#handler
    this.#handler = handler
    return () => {
      this.#handler = before
    }
  }

  /** False: nobody works. */
  raise(): boolean {
    this.#handler?.()
    return this.#handler !== null
  }

  /** Takes the process's own signal, which npm sends once more, and hands each on once. Answers how to let go of it. */
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
