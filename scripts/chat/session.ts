// The state of a conversation between two messages. Does nothing.

import type { Server } from '../lib/server.ts'
import type { Manner } from './turn.ts'

export class ChatSession {
  readonly server: Server
  readonly manner: Manner
  #threadId: string | undefined
  /** The threads of the last list, for /open N. */
  listed: readonly string[] = []
  /** The choices of the agent's last question; null if there is none. */
  options: readonly string[] | null = null

  constructor(server: Server, manner: Manner, threadId: string | undefined) {
    this.server = server
    this.manner = manner
    this.#threadId = threadId
  }

  /** Undefined: the next message starts a thread. */
  get threadId(): string | undefined {
    return this.#threadId
  }

  /** Continues this thread; questions of another one are dropped. */
  enter(threadId: string | undefined): void {
    if (threadId !== this.#threadId) this.options = null
    this.#threadId = threadId
  }
}
