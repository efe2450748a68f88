// Accepted is kept, as the page sees it: a broken connection is resumed after the last frame, a message is sent once.

import { expect, it } from 'vitest'

import type { Event } from '../../../src/agent/events.ts'
import { createCall, followRun } from '../../../src/web/assets/api.js'
import { applyEvent, newRun } from '../../../src/web/assets/run-state.js'
import { frame, FRAMES, RECEIPT, RUN } from './frames.ts'

type Reply = () => Response
interface Sent {
  readonly path: string
  readonly headers: Headers
}

const IDS = { 'x-thread-id': 'th_1', 'x-run-id': RUN }

/** A body of these frames that then ends, or breaks in the middle of the next one. */
function stream(frames: readonly Event[], broken = false): Reply {
  return () => {
    const wire = frames.map(
      (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    let sent = false
    const body = new ReadableStream({
      pull(controller) {
        if (sent) return broken ? controller.error(new Error('reset')) : controller.close()
        sent = true
        controller.enqueue(new TextEncoder().encode(`retry: 2000\n\n${wire.join('')}id: 9`))
      },
    })
    return new Response(body, { headers: IDS })
  }
}

function problem(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return () => Response.json({ status, code, detail: `It is ${code}.` }, { status, headers })
}

function offline(): Response {
  throw new TypeError('failed to fetch')
}

/** A server that answers in this order; what was asked and waited stays to be looked at. */
function scripted(...replies: readonly Reply[]) {
  const sent: Sent[] = []
  const waits: number[] = []
  let state = newRun(RUN)
  let losses = 0
  const call = createCall('sk_test', async (input, init) => {
    sent.push({
      path: input instanceof Request ? input.url : input.toString(),
      headers: new Headers(init?.headers),
    })
    const reply = replies[sent.length - 1] ?? offline
    return reply()
  })
  const run = {
    threadId: null,
    runId: null,
    start: { method: 'POST', body: '{}', headers: { 'idempotency-key': 'one' } },
    onIds: () => undefined,
    onEvent: (event: Event) => (state = applyEvent(state, event)),
    onWait: () => losses++,
    signal: new AbortController().signal,
  }
  const follow = () => followRun(call, run, (ms) => Promise.resolve(void waits.push(ms)))
  return { sent, waits, follow, state: () => state, losses: () => losses }
}

it('resumes a broken stream after the last frame it has and ends with the whole transcript', async () => {
  const page = scripted(
    stream(FRAMES.slice(0, 20), true),
    stream(FRAMES.slice(18, 40)),
    stream(FRAMES.slice(40)),
  )
  expect(await page.follow()).toBeNull()
  expect(page.sent.map(({ path }) => path)).toEqual([
    '/v1/chat',
    `/v1/threads/th_1/runs/${RUN}/events`,
    `/v1/threads/th_1/runs/${RUN}/events`,
  ])
  expect(page.sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '20', '40'])
  expect(page.state()).toEqual(FRAMES.reduce(applyEvent, newRun(RUN)))
})

it('sends a message again with the same idempotency key when no answer came', async () => {
  const page = scripted(offline, problem(503, 'overloaded', { 'retry-after': '3' }), stream(FRAMES))
  expect(await page.follow()).toBeNull()
  expect(page.sent.map(({ path, headers }) => [path, headers.get('idempotency-key')])).toEqual(
    Array(3).fill(['/v1/chat', 'one']),
  )
  expect(page.waits).toEqual([500, 3_000])
})

it('gives up after six tries in a row, but not while frames still come', async () => {
  const dead = scripted()
  expect(await dead.follow()).toMatchObject({ status: 0, code: 'offline' })
  expect(dead.sent.length).toBe(7)
  const slow = scripted(...FRAMES.map((event) => stream([event])))
  expect(await slow.follow()).toBeNull()
  expect(slow.sent.length).toBe(FRAMES.length)
})

it('stays with a run that waits for a person, however often its stream is closed, and takes it calmly', async () => {
  const waiting = { type: 'run.waiting', reason: 'approval', tool_use_ids: ['tu_9'], until: null } as const
  const closed = Array.from({ length: 20 }, () => stream([]))
  const end = { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT } as const
  const page = scripted(stream([frame(1, waiting)]), ...closed, stream([frame(2, end)]))
  expect(await page.follow()).toBeNull()
  expect(page.sent).toHaveLength(22)
  expect(Math.max(...page.waits)).toBe(8_000)
  expect(page.losses()).toBe(0)
})

it('hands back what the sender has to decide, without a second try', async () => {
  for (const [status, code] of [
    [401, 'unauthenticated'],
    [409, 'thread_busy'],
    [422, 'invalid_request'],
    [429, 'rate_limited'],
    [503, 'catalog_broken'],
  ] as const) {
    const page = scripted(problem(status, code, { 'x-request-id': 'req_1' }), stream(FRAMES))
    expect(await page.follow()).toMatchObject({ status, code, detail: `It is ${code}.`, requestId: 'req_1' })
    expect(page.sent.length).toBe(1)
  }
})

it('waits for its turn to read when the run exists and reading is limited', async () => {
  const page = scripted(stream(FRAMES.slice(0, 2)), problem(429, 'rate_limited'), stream(FRAMES.slice(2)))
  expect(await page.follow()).toBeNull()
})

it('shows an answer that is no problem document by its status', async () => {
  const page = scripted(() => new Response('<html>', { status: 418 }))
  expect(await page.follow()).toMatchObject({
    status: 418,
    code: 'http_418',
    detail: 'The server answered 418.',
  })
})

it('ends with a failed run as with any other terminal', async () => {
  const error = {
    type: 'about:blank',
    title: 'x',
    status: 502,
    code: 'model_error',
    detail: 'd',
    request_id: 'r',
  }
  const receipt = { ...RECEIPT, status: 'failed', stop_reason: 'model_error', error } as const
  const page = scripted(
    stream([frame(1, { type: 'run.failed', stop_reason: 'model_error', receipt, error })]),
  )
  expect(await page.follow()).toBeNull()
  expect(page.state()).toMatchObject({ status: 'failed', error: { detail: 'd' } })
})
