// What publishing needs of the world: a server, and somebody to speak to.

import type { Client } from '../../src/client/client.ts'
import type { Ask } from '../lib/ask.ts'

export interface PublishPorts {
  readonly client: Client
  readonly url: string
  /** One line for people. */
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
  /** Null: nobody is there to be asked. */
  readonly ask: Ask | null
}
