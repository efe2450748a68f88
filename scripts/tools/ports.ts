// Defines the dependencies of the verbs: a server and a terminal.

import type { Client } from '../../src/client/client.ts'
import type { Ask } from '../lib/ask.ts'
import { explainFailure } from '../lib/server.ts'

export interface ToolPorts {
  readonly client: Client
  readonly url: string
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
  /** Asks the user; null if there is no terminal. */
  readonly ask: Ask | null
}

/**
 * Sends a request and returns the body of the response. If the request fails, reports why and returns null.
 */
export async function responseBody<T>(
  { client, url, complain }: ToolPorts,
  method: string,
  path: string,
  body?: unknown,
): Promise<T | null> {
  const response = await client.json<T>(method, path, body)
  if (response.ok) return response.value.body
  complain(explainFailure(response.error, url))
  return null
}
