// Dependencies of the verbs: a server and a terminal.

import type { Client } from '../../src/client/client.ts'
import type { Ask } from '../lib/ask.ts'
import { explainFailure } from '../lib/server.ts'

export interface ToolPorts {
  readonly client: Client
  readonly url: string
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
  /** Null if there is no terminal. */
  readonly ask: Ask | null
}

/** Sends a request. Returns the response's body; null if it failed; the failure was reported. */
export async function responseBody<T>(
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
