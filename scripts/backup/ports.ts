// The dependencies of a backup and a restore: a server and a terminal. A permanent failure of a request ends the
// command.

import type { Client } from '../../src/client/client.ts'
import { withRetries } from '../../src/client/retries.ts'
import type { ClientFailure, JsonResponse } from '../../src/client/types.ts'
import type { Result } from '../../src/lib/result.ts'
import { explainFailure } from '../lib/server.ts'
import type { ProgressLine } from './progress.ts'

export interface BackupPorts {
  readonly client: Client
  readonly url: string
  readonly say: (line: string) => void
  readonly complain: (text: string) => void
  readonly progress: ProgressLine
}

/**
 * Returns the body of the response. Retries while the server is overloaded or restarting; otherwise rejects with the
 * reason.
 */
export async function request<T>(
  { client, url }: BackupPorts,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await withRetries(() => client.json<T>(method, path, body), client.wait)
  return bodyOf(answer, url)
}

/** Like `request`, but returns null if the server responds with `not_found`. */
export async function requestIfFound<T>({ client, url }: BackupPorts, path: string): Promise<T | null> {
  const answer = await withRetries(() => client.json<T>('GET', path), client.wait)
  return isNotFound(answer) ? null : bodyOf(answer, url)
}

export async function bytesIfFound({ client, url }: BackupPorts, path: string): Promise<Uint8Array | null> {
  const answer = await withRetries(() => client.bytes(path), client.wait)
  if (isNotFound(answer)) return null
  if (!answer.ok) throw new Error(explainFailure(answer.error, url))
  return answer.value
}

function isNotFound(answer: Result<unknown, ClientFailure>): boolean {
  return !answer.ok && answer.error.kind === 'problem' && answer.error.problem.code === 'not_found'
}

function bodyOf<T>(answer: Result<JsonResponse<T>, ClientFailure>, url: string): T {
  if (!answer.ok) throw new Error(explainFailure(answer.error, url))
  return answer.value.body
}

/** Processes all items with limited concurrency, then rejects with the first failure, if any. */
export async function forEachBounded<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: Error[] = []
  const queue = items.values()
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of queue) {
      if (failures.length > 0) return
      await work(item).catch((error: unknown) => {
        failures.push(error instanceof Error ? error : new Error(String(error)))
      })
    }
  })
  await Promise.all(workers)
  const [first] = failures
  if (first) throw first
}
