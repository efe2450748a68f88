// Guards the client: a reader that was disconnected gets the same events as one that was not, and failures are reported as text.

import { expect, test } from 'vitest'

import { Client, type ClientOptions } from '../../../src/client/client.ts'
import { LiveText } from '../../../src/client/transcript.ts'
import { CLIENT_RECONNECTS_MAX, CLIENT_START_ATTEMPTS_MAX } from '../../../src/client/limits.ts'

import type { Event } from '../../../src/agent/events.ts'

interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: unknown
}
type Step = (call: Call) => Response

/** A server that answers each request with its next step, and repeats the last one forever. */
function scripted(...steps: readonly Step[]): {
  readonly calls: Call[]
  readonly client: Client
  readonly waits: number[]
} {
  const calls: Call[] = []
  const waits: number[] = []
  const options: ClientOptions = {
    url: 'http://server/',
    key: 'k',
    fetch: async (url, init) => {
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      const call = {
        method: init?.method ?? '',
        path: url.slice('http://server'.length),
        headers: new Headers(init?.headers),
        body,
      }
      calls.push(call)
      const step = steps[Math.min(calls.length, steps.length) - 1]
      if (!step) throw new Error('no step')
      return step(call)
    },
    wait: async (ms) => void waits.push(ms),
  }
  return { calls, client: new Client(options), waits }
}

const frame = (seq: number, type: string): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, thread_id: 'th', run_id: 'run', at: '' })}\n\n`

/** Frames, followed by a clean end or a broken connection. */
function stream(text: string, broken = false): Response {
  const chunks = [new TextEncoder().encode(text)]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else if (broken) controller.error(new Error('socket closed'))
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'X-Thread-Id': 'th', 'X-Run-Id': 'run' } })
}
const down: Step = () => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
}
const problem =
  (status: number, code: string): Step =>
  () =>
    Response.json(
      { type: 'about:blank', title: '', status, code, detail: 'why', request_id: 'req' },
      { status },
    )

async function chat(
  client: Client,
): Promise<{ readonly seqs: number[]; readonly end: Awaited<ReturnType<Client['chat']>> }> {
  const seqs: number[] = []
  const end = await client.chat({ message: 'hi' }, 'idem', {
    onEvent: (event: Event) => seqs.push(event.seq),
  })
  return { seqs, end }
}

test('an undisturbed run is one request', async () => {
  const { calls, client } = scripted(() =>
    stream(`retry: 2000\n\n: ping\n\n${frame(1, 'run.accepted')}${frame(2, 'run.completed')}`),
  )
  const { seqs, end } = await chat(client)
  expect(seqs).toEqual([1, 2])
  expect(end).toMatchObject({
    ok: true,
    value: { threadId: 'th', runId: 'run', terminal: { type: 'run.completed' } },
  })
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({ method: 'POST', path: '/v1/chat', body: { message: 'hi', stream: true } })
  expect(calls[0]?.headers.get('Idempotency-Key')).toBe('idem')
  expect(calls[0]?.headers.get('Authorization')).toBe('Bearer k')
})

test('a dropped stream resumes after the last event, and repeated events are shown once', async () => {
  const { calls, client } = scripted(
    () => stream(frame(1, 'run.accepted') + frame(2, 'run.started') + 'id: 3\nevent: step.sta', true),
    down,
    problem(503, 'overloaded'),
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    () => stream(frame(2, 'run.started') + frame(3, 'step.started')),
    () => stream(frame(4, 'run.failed')),
  )
  const { seqs, end } = await chat(client)
  expect(seqs).toEqual([1, 2, 3, 4])
  expect(end.ok && end.value.terminal.type).toBe('run.failed')
  expect(calls.slice(1).map((call) => [call.path, call.headers.get('Last-Event-ID')])).toEqual([
    ['/v1/threads/th/runs/run/events', '2'],
    ['/v1/threads/th/runs/run/events', '2'],
    ['/v1/threads/th/runs/run/events', '2'],
    ['/v1/threads/th/runs/run/events', '2'],
    ['/v1/threads/th/runs/run/events', '3'],
  ])
})

test('a start whose response is lost is retried under the same key', async () => {
  const { calls, client } = scripted(down, () => stream(frame(1, 'run.completed')))
  expect((await chat(client)).end.ok).toBe(true)
  expect(calls.map((call) => call.headers.get('Idempotency-Key'))).toEqual(['idem', 'idem'])
})

test('an unreachable server is reported after a few attempts', async () => {
  const { calls, client } = scripted(down)
  const { end } = await chat(client)
  expect(end).toEqual({
    ok: false,
    error: { kind: 'unreachable', detail: 'http://server does not respond: connect ECONNREFUSED' },
  })
  expect(calls).toHaveLength(CLIENT_START_ATTEMPTS_MAX)
})

test('a response that breaks off counts as an unreachable server, not as one of another program', async () => {
  const { client } = scripted(() => stream('{"data": [', true))
  const answer = await client.json('GET', '/v1/threads')
  expect(answer).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
})

test('a stream without progress is given up after growing waits', async () => {
  const { client, waits } = scripted(() => stream(frame(1, 'run.accepted')))
  const { seqs, end } = await chat(client)
  expect(seqs).toEqual([1])
  expect(end.ok).toBe(false)
  expect(waits.length).toBeGreaterThanOrEqual(CLIENT_RECONNECTS_MAX)
  expect(waits.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000])
})

test('a run that waits for approval is followed for as long as it takes', async () => {
  const closed = Array.from({ length: 3 * CLIENT_RECONNECTS_MAX }, (): Step => () => stream(''))
  const { client, calls } = scripted(
    () => stream(frame(1, 'run.waiting')),
    ...closed,
    () => stream(`${frame(2, 'run.resumed')}${frame(3, 'run.completed')}`),
  )
  const { seqs, end } = await chat(client)
  expect([end.ok, seqs]).toEqual([true, [1, 2, 3]])
  expect(calls).toHaveLength(closed.length + 2)
})

test('a listener that leaves ends the following, without further requests', async () => {
  const { client, calls } = scripted(() => stream(frame(1, 'run.waiting'), true))
  const leaving = new AbortController()
  const end = await client.follow('th', 'run', null, {
    onEvent: () => leaving.abort(),
    signal: leaving.signal,
  })
  expect(end).toMatchObject({ ok: false, error: { kind: 'left' } })
  expect(calls).toHaveLength(1)
})

test('a refusal is the server’s problem, at once', async () => {
  const { calls, client } = scripted(problem(401, 'unauthenticated'))
  expect((await chat(client)).end).toMatchObject({
    ok: false,
    error: { kind: 'problem', problem: { code: 'unauthenticated' } },
  })
  expect(calls).toHaveLength(1)
})

test('a response of another program is reported as such', async () => {
  const { client } = scripted(() => new Response('<html>nginx', { status: 421 }))
  expect((await chat(client)).end).toMatchObject({
    ok: false,
    error: { kind: 'broken', detail: expect.stringContaining('421') },
  })
  const text = scripted(() => new Response('hello')).client
  expect(await text.json('GET', '/x')).toMatchObject({ ok: false, error: { kind: 'broken' } })
})

test('json returns status, headers and body', async () => {
  const { client } = scripted(() =>
    Response.json({ a: 1 }, { status: 201, headers: { 'X-Request-Id': 'r' } }),
  )
  const answer = await client.json<{ a: number }>('POST', '/x', { b: 2 })
  expect(
    answer.ok && [answer.value.status, answer.value.headers.get('X-Request-Id'), answer.value.body.a],
  ).toEqual([201, 'r', 1])
})

test('live text equals the whole, however it was split', () => {
  // The first two characters take two UTF-16 units each; offsets count characters.
  const output = Array.from('🦊🦊e quick brown fox')
  const live = new LiveText()
  let shown = ''
  for (const [from, to] of [
    [0, 4],
    [4, 9],
    [0, 12],
    [12, 12],
    [9, 19],
  ] as const)
    shown += live.apply({
      type: 'text.delta',
      step: 1,
      block: 0,
      offset: from,
      text: output.slice(from, to).join(''),
      seq: 1,
      thread_id: '',
      run_id: '',
      at: '',
    }).added
  expect(shown).toBe(output.join(''))
})
