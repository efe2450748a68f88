// A hook under load: creates it, sends deliveries, and reads their states.

import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { readAllPages, readPage } from '../../../../src/client/pages.ts'
import { requestUntilAnswered } from '../insist.ts'

import type { Satchel } from '../../rig/satchel.ts'

const SECRET = 'a-secret-of-the-soak'
const HEADERS = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
const RETRY_DELAY_MS = 50
/** Timeout in ms for a response. A busy machine may have to restart the server meanwhile. */
const ANSWER_MS = 240_000
const RUNS_MS = 600_000

export interface BusyHook {
  readonly id: string
  /** The URL to which its deliveries are sent. */
  readonly address: string
}

export async function makeHook(url: string, fields: object): Promise<BusyHook> {
  const body = { scheme: 'bearer', secret: SECRET, ...fields }
  const hook = await requestUntilAnswered(url, 'POST /admin/hooks', { body })
  if (hook.status !== 201) throw new Error(`The hook was not created: ${hook.text}`)
  return { id: String(hook.body['id']), address: `${url}${String(hook.body['url'])}` }
}

export interface TimedDelivery {
  /** The status of the response; 0 if there was none. */
  readonly status: number
  readonly thread_id: string | null
  readonly text: string
  readonly tookMs: number
}

/** Sends with node:http, because with `fetch` the client itself would need seconds for a thousand concurrent calls. */
export async function deliverOnce({ address }: BusyHook, body: object): Promise<TimedDelivery> {
  const startedMs = performance.now()
  const { status, text } = await postOnce(address, JSON.stringify(body))
  const tookMs = performance.now() - startedMs
  const thread_id = /"thread_id":"(\w+)"/.exec(text)?.[1] ?? null
  return { status, thread_id, text, tookMs }
}

async function postOnce(
  address: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { ...HEADERS, 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((done) => {
    const fail = (): void => done({ status: 0, text: 'no answer' })
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(ANSWER_MS) }
    const sent = request(address, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => done({ status: response.statusCode ?? 0, text })).on('error', fail)
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

/** Sends a delivery until it gets a response. Identical bytes are the same delivery. */
export async function deliverUntilAnswered(hook: BusyHook, body: object): Promise<TimedDelivery> {
  for (const until = performance.now() + ANSWER_MS; performance.now() < until; await sleep(RETRY_DELAY_MS)) {
    const sent = await deliverOnce(hook, body)
    if (sent.status !== 0 && sent.status < 500) return sent
  }
  throw new Error(`A delivery was not answered for ${ANSWER_MS / 1_000} s.`)
}

async function readAll<T>(server: Satchel, path: string): Promise<readonly T[]> {
  const pages = await readAllPages((cursor) => readPage<T>(server.client, path, {}, { cursor, limit: 100 }))
  if (!pages.ok) throw new Error(`${path}: ${JSON.stringify(pages.error)}`)
  return pages.value
}

/** The states of all deliveries, newest first. */
export async function deliveryStates(server: Satchel, { id }: BusyHook): Promise<readonly string[]> {
  const rows = await readAll<{ readonly state: string }>(server, `/admin/hooks/${id}/deliveries`)
  return rows.map(({ state }) => state)
}

interface EndedRun {
  readonly stop_reason: string | null
  readonly window: number
  readonly ended_at: string | null
}

/** The runs of a thread, once at least `count` have ended and none is in progress. */
export async function endedRuns(
  server: Satchel,
  thread: string,
  count: number,
): Promise<readonly EndedRun[]> {
  for (const until = performance.now() + RUNS_MS; performance.now() < until; await sleep(1_000)) {
    const newest = await readPage<EndedRun>(
      server.client,
      `/v1/threads/${thread}/runs`,
      {},
      { cursor: null, limit: 20 },
    )
    if (!newest.ok || newest.value.data.some(({ ended_at }) => ended_at === null)) continue
    const runs = await readAll<EndedRun>(server, `/v1/threads/${thread}/runs`)
    if (runs.length >= count && runs.every(({ ended_at }) => ended_at !== null)) return runs
  }
  throw new Error(`The runs of ${thread} did not end within ${RUNS_MS / 1_000} s.`)
}
