// Users with their own keys, and what they send. Without retries: the first answer counts.

import type { Client } from '../../../../src/client/client.ts'

export interface Tally {
  /** Status of the response → count; 0: the connection broke. */
  readonly statuses: ReadonlyMap<number, number>
  /** Refusals (429, 503) without Retry-After. */
  readonly silent: number
}

/** A key for each of `count` users. */
export async function makeKeys(client: Client, count: number): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const made = await client.json<{ readonly key: string }>('POST', '/admin/keys', {
        role: 'publisher',
        user: `user-${at + 1}`,
      })
      if (!made.ok) throw new Error(`POST /admin/keys: ${JSON.stringify(made.error)}`)
      return made.value.body.key
    }),
  )
}

export interface Sending {
  readonly key: string
  readonly path: string
  readonly body: unknown
  readonly method?: string
}

async function answerTo(
  url: string,
  { key, path, body, method = 'POST' }: Sending,
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
      // A copy for the type: its memory is never shared.
      body: bytes ? new Uint8Array(body) : JSON.stringify(body),
    })
    await response.arrayBuffer()
    const later = response.status === 429 || response.status === 503
    return [response.status, later && !response.headers.has('Retry-After')]
  } catch {
    return [0, false]
  }
}

/** Sends all at once. */
export async function sendAll(url: string, sendings: readonly Sending[]): Promise<Tally> {
  const answers = await Promise.all(sendings.map(async (sending) => answerTo(url, sending)))
  const statuses = new Map<number, number>()
  for (const [status] of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return { statuses, silent: answers.filter(([, silent]) => silent).length }
}

export function sum(tallies: readonly Tally[]): Tally {
  const statuses = new Map<number, number>()
  for (const tally of tallies)
    for (const [status, count] of tally.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  return { statuses, silent: tallies.reduce((all, { silent }) => all + silent, 0) }
}

export function textIn({ statuses }: Tally): string {
  return [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status === 0 ? 'broken' : status}`)
    .join(', ')
}
