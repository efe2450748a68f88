// What the verbs need of the world: a server, and somebody to speak to.

import type { Client } from '../../src/client/client.ts'
import type { Ask } from '../lib/ask.ts'
import { explainFailure } from '../lib/server.ts'

export interface ToolPorts {
  readonly client: Client
  readonly url: string
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
  /** Null: nobody is there to be asked. */
  readonly ask: Ask | null
}

/** The answer's body; null: it was refused, and that is said. */
export async function asked<T>(
  { client, url, complain }: ToolPorts,
  method: string,
  path: string,
  body?: unknown,
): Promise<T | null> {
  const answer = await client.json<T>(method, path, body)
  if (answer.ok) return answer.value.body
  complain(explainFailure(answer.error, url))
  return null
}
