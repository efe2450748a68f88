// What a conversation knows between two messages. Does nothing.

import type { Server } from '../lib/server.ts'
import type { Manner } from './turn.ts'

export class ChatSession {
  readonly server: Server
  readonly manner: Manner
  #threadId: string | undefined
  /** The threads of the last list, for /open N. */
  listed: readonly string[] = []
  /** What the agent asked last, its choices; null: nothing. */
  options: readonly string[] | null = null

  constructor(server: Server, manner: Manner, threadId: string | undefined) {
    this.server = server
    this.manner = manner
    this.#threadId = threadId
  }

  /** Undefined: the next message begins one. */
  get threadId(): string | undefined {
    return this.#threadId
  }

  /** Goes on in this thread; whatever was asked in another is not answered here. */
  enter(threadId: string | undefined): void {
    if (threadId !== this.#threadId) this.options = null
    this.#threadId = threadId
  }
}
