// The state of a conversation between two messages: its thread, the last list, and the agent's open question.

import type { Server } from '../lib/server.ts'
import type { ChatTerminal } from './turn.ts'

export class ChatSession {
  readonly server: Server
  readonly terminal: ChatTerminal
  #threadId: string | undefined
  /** IDs of the threads in the last list, for /open N. */
  listedThreadIds: readonly string[] = []
  /** The choices of the agent's last question; null if there is none. */
  options: readonly string[] | null = null
  /** Whether new threads keep a plan. */
  keepsPlan: boolean
  /** The model that the next message requests; null if it requests none. */
  nextModel: string | null = null
  /**
   * Whether the next message is the first of its thread. The thread may already exist, because files were uploaded to
   * it.
   */
  beginsThread = true

  constructor(server: Server, terminal: ChatTerminal, threadId: string | undefined, keepsPlan: boolean) {
    this.server = server
    this.terminal = terminal
    this.#threadId = threadId
    this.keepsPlan = keepsPlan
  }

  /** Undefined if the next message starts a thread. */
  get threadId(): string | undefined {
    return this.#threadId
  }

  /** Switches to this thread, and resets the open question and the requested model. */
  enter(threadId: string | undefined): void {
    if (threadId !== this.#threadId) {
      this.options = null
      this.nextModel = null
    }
    this.#threadId = threadId
  }
}
