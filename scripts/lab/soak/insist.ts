// Sends requests repeatedly until they are answered, whatever is killed meanwhile. Only for requests that may arrive
// twice.

import { setTimeout as sleep } from 'node:timers/promises'

import { ADMIN_KEY } from '../rig/keys.ts'

const RETRY_DELAY_MS = 50
const RESPONSE_TIMEOUT_MS = 20_000
const RETRY_LIMIT_MS = 120_000

export interface Answered {
  readonly status: number
  /** The JSON object of the response, otherwise empty. Callers declare the fields that they read. */
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

interface RequestOptions {
  /** Text is sent unchanged, an object as JSON. */
  readonly body?: object | string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string
}

/**
 * Sends `sendOnce(url, 'PUT /v1/…', { body })`. Returns the response, or null if there is none, or if the server is
 * starting, stopping or overloaded.
 */
export async function sendOnce(
  url: string,
  line: string,
  { body = null, headers = {}, key = ADMIN_KEY }: RequestOptions = {},
): Promise<Answered | null> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': type, ...headers },
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    ...(body === null ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch(() => null)
  const text = await answer?.text().catch(() => null)
  if (!answer || typeof text !== 'string' || answer.status >= 500 || answer.status === 429) return null
  const isJson = answer.headers.get('Content-Type')?.includes('json') === true
  // The cast is safe: routes return an object.
  const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as Answered['body']
  return { status: answer.status, text, body: parsed }
}

/** Like `sendOnce`, but repeats the request until it is answered. */
export async function requestUntilAnswered(
  url: string,
  line: string,
  options: RequestOptions = {},
): Promise<Answered> {
  for (
    const until = performance.now() + RETRY_LIMIT_MS;
    performance.now() < until;
    await sleep(RETRY_DELAY_MS)
  ) {
    const answered = await sendOnce(url, line, options)
    if (answered) return answered
  }
  throw new Error(`${line} was not answered for ${RETRY_LIMIT_MS / 1_000} s`)
}
