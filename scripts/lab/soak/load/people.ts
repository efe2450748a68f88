// Users with their own keys, and their requests. There are no retries: the first response counts.

import type { Client } from '../../../../src/client/client.ts'

export interface Tally {
  /** The number of responses by status; 0 means that the connection broke. */
  readonly statuses: ReadonlyMap<number, number>
  /** Number of refusals (429, 503) without Retry-After. */
  readonly withoutRetryAfter: number
}

/** Creates a key for each of `count` users. */
export async function makeKeys(client: Client, count: number): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const created = await client.json<{ readonly key: string }>('POST', '/admin/keys', {
        role: 'publisher',
        user: `user-${at + 1}`,
      })
      if (!created.ok) throw new Error(`POST /admin/keys: ${JSON.stringify(created.error)}`)
      return created.value.body.key
    }),
  )
}

export interface LoadRequest {
  readonly key: string
  readonly path: string
  readonly body: unknown
  readonly method?: string
}

async function statusOf(
  url: string,
  { key, path, body, method = 'POST' }: LoadRequest,
): Promise<[number, boolean]> {
  const bytes = body instanceof Uint8Array
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': bytes ? 'application/zip' : 'application/json',
        Accept: 'application/json',
      },
      // Copied for the type, because the memory is never shared.
      body: bytes ? new Uint8Array(body) : JSON.stringify(body),
    })
    await response.arrayBuffer()
    const isRefusal = response.status === 429 || response.status === 503
    return [response.status, isRefusal && !response.headers.has('Retry-After')]
  } catch {
    return [0, false]
  }
}

/** Sends all requests concurrently. */
export async function sendAll(url: string, requests: readonly LoadRequest[]): Promise<Tally> {
  const answers = await Promise.all(requests.map(async (request) => statusOf(url, request)))
  const statuses = new Map<number, number>()
  for (const [status] of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return { statuses, withoutRetryAfter: answers.filter(([, withoutRetryAfter]) => withoutRetryAfter).length }
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const statuses = new Map<number, number>()
  for (const tally of tallies)
    for (const [status, count] of tally.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  return {
    statuses,
    withoutRetryAfter: tallies.reduce((all, { withoutRetryAfter }) => all + withoutRetryAfter, 0),
  }
}

export function describeTally({ statuses }: Tally): string {
  return [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status === 0 ? 'broken' : status}`)
    .join(', ')
}
