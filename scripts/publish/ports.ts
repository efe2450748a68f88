// What publishing depends on: a server and a terminal.

import type { Client } from '../../src/client/client.ts'
import type { Ask } from '../lib/ask.ts'

export interface PublishPorts {
  readonly client: Client
  readonly url: string
  /** Prints one line. */
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
  /** Asks the user; null if there is no terminal. */
  readonly ask: Ask | null
}
