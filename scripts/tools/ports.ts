// Defines the dependencies of the verbs: a server and a terminal.

import type { Client } from '../../src/client/client.ts'
import { readAllPages, readPage } from '../../src/client/pages.ts'
import { PAGE_SIZE_MAX } from '../../src/limits/requests.ts'
import { isYes, type Ask } from '../lib/ask.ts'
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

/** All items of a list, page by page. If a request fails, reports why and returns null. */
export async function allPages<T>(
  { client, url, complain }: Pick<ToolPorts, 'client' | 'url' | 'complain'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly T[] | null> {
  const all = await readAllPages<T>((cursor) =>
    readPage(client, path, query, { cursor, limit: PAGE_SIZE_MAX }),
  )
  if (all.ok) return all.value
  complain(explainFailure(all.error, url))
  return null
}

/**
 * Asks whether to go on. Returns null after a yes, and otherwise the exit status. `action` completes "to …, run the command again";
 * `question` ends with a question mark or with what follows from a yes.
 */
export async function askToGoOn(
  { ask, say, complain }: Pick<ToolPorts, 'ask' | 'say' | 'complain'>,
  action: string,
  question: string,
): Promise<1 | 2 | null> {
  if (!ask) {
    complain(
      `No terminal is available for confirmation. Nothing was changed; to ${action}, run the command again with --yes.`,
    )
    return 2
  }
  if (isYes(await ask(`${question} [y/N] `))) return null
  say('Nothing was changed.')
  return 1
}
