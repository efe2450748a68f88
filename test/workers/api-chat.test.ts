// Guards POST /v1/chat: the forms of an answer (stream, JSON, or 202 for later), repeated requests, and messages to a
// busy thread.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { IDEMPOTENCY_KEY_MAX_CHARS } from '../../src/api/fields/limits.ts'
import type { ChatReply } from '../../src/thread/api.ts'
import {
  requested,
  chat,
  eventsOf,
  foreignKey,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

let key = ''
let other = ''
let digest = ''

beforeAll(async () => {
  digest = await serveSkills([{ name: 'alpha' }, { name: 'beta' }])
  key = (await makeKey('chat', 'ann')).key
  other = (await makeKey('chat', 'ann')).key
})

beforeEach(() => modelReplies())

const JSON_TYPE = { Accept: 'application/json' }

async function reply(body: object, headers: Record<string, string> = {}): Promise<ChatReply> {
  return got<ChatReply>(send('POST /v1/chat', { key, body, headers: { ...JSON_TYPE, ...headers } }))
}

/** A thread whose run waits until the test releases it. */
async function busyThread(): Promise<{ thread: string; run: string; release: () => void }> {
  const gate = Promise.withResolvers<void>()
  modelReplies(() => ({ text: 'At last.', until: gate.promise }))
  const headers = { Prefer: 'respond-async' }
  type Later = { thread_id: string; run_id: string }
  const later = await got<Later>(send('POST /v1/chat', { key, body: { message: 'Wait' }, headers }), 202)
  await eventually(() => requested.length > 0)
  return { thread: later.thread_id, run: later.run_id, release: () => gate.resolve() }
}

describe('an answer', () => {
  const ways: readonly (readonly [accept: string | null, stream: boolean | undefined, type: RegExp])[] = [
    [null, undefined, /event-stream/],
    ['*/*', undefined, /event-stream/],
    ['text/event-stream', undefined, /event-stream/],
    ['application/json', undefined, /json/],
    ['Application/JSON', undefined, /json/],
    ['application/*', undefined, /json/],
    ['application/json, text/plain, */*', undefined, /json/],
    ['application/json, text/event-stream', undefined, /event-stream/],
    ['application/json;q=0.9, text/event-stream;q=0.1', undefined, /json/],
    ['application/json;q=0.1, text/event-stream;q=0.9', undefined, /event-stream/],
    ['text/event-stream;q=0, application/json', undefined, /json/],
    ['text/html', undefined, /event-stream/],
    ['application/json', true, /event-stream/],
    ['text/event-stream', false, /json/],
    [null, false, /json/],
  ]
  it.each(ways)('to Accept %s with stream %s is %s', async (accept, stream, type) => {
    const body = { message: 'Hello', ...(stream === undefined ? {} : { stream }) }
    const headers: Record<string, string> = accept === null ? {} : { Accept: accept }
    const response = await send('POST /v1/chat', { key, body, headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(type)
    expect(response.headers.get('X-Thread-Id')).toMatch(/^th_/)
    expect(response.headers.get('X-Run-Id')).toMatch(/^run_/)
    await response.text()
  })

  it('as a stream opens as documented and closes after the terminal event', async () => {
    const response = await send('POST /v1/chat', { key, body: { message: 'Hello' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const text = await response.text()
    expect(text).toMatch(/^retry: 2000\n\nid: 1\nevent: run\.accepted\ndata: \{/)
    expect(text).toMatch(/\nevent: run\.completed\ndata: \{[^\n]*\}\n\n$/)
  })

  it('as events describes the run in the documented order, numbered without a gap', async () => {
    modelReplies(({ messages }) =>
      messages.length > 1
        ? { text: 'From alpha.' }
        : { text: 'I load it.', calls: [{ name: 'load_skill', input: { name: 'alpha' } }] },
    )
    const { thread, run, events } = await chat({ message: 'Do it' }, { key })
    const types = events.map((event) => event.type).filter((type) => type !== 'text.delta')
    expect(types).toEqual([
      'run.accepted',
      'thread.titled',
      'run.started',
      'step.started',
      'message.completed',
      'tool.started',
      'skill.loaded',
      'tool.completed',
      'step.started',
      'message.completed',
      'run.completed',
    ])
    let next = 1
    for (const event of events) {
      expect([event.thread_id, event.run_id, event.from ?? event.seq]).toEqual([thread, run, next])
      next = event.seq + 1
    }
  })

  it('as JSON is the documented ChatReply', async () => {
    const answer = await reply({ message: 'Hello', metadata: { page: '7' } })
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cost_usd: 0,
    }
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const budgetLimit = { used: expect.any(Number), limit: expect.any(Number) }
    expect(answer).toEqual({
      thread_id: expect.stringMatching(/^th_/),
      run_id: expect.stringMatching(/^run_/),
      status: 'completed',
      stop_reason: 'answered',
      text: 'Done.',
      message: {
        id: expect.stringMatching(/^msg_/),
        run_id: answer.run_id,
        role: 'assistant',
        model: 'demo',
        content: [{ type: 'text', text: 'Done.' }],
        created_at: time,
      },
      receipt: {
        run_id: answer.run_id,
        thread_id: answer.thread_id,
        status: 'completed',
        stop_reason: 'answered',
        error: null,
        accepted_at: time,
        started_at: time,
        ended_at: time,
        model: 'demo',
        build: digest,
        catalog_version: expect.any(Number),
        skills: [],
        tools: [],
        approvals: [],
        rating: null,
        steps: 1,
        model_calls: 1,
        recoveries: 0,
        interrupted_waits: 0,
        window: 1,
        usage,
        charged: { tokens: 15, usd: 0, estimated: false },
        searches: { count: 0, usd: 0 },
        budget: {
          tokens: budgetLimit,
          usd: budgetLimit,
          steps: budgetLimit,
          tool_calls: budgetLimit,
          wall_s: budgetLimit,
          recoveries: budgetLimit,
        },
      },
    })
  })

  it("for later is 202 with the run's URL, and its events follow to the end", async () => {
    const headers = { Prefer: 'wait=5, respond-async' }
    const response = await send('POST /v1/chat', { key, body: { message: 'Hello' }, headers })
    const later = await got<Record<string, string>>(Promise.resolve(response), 202)
    const url = `/v1/threads/${later['thread_id']}/runs/${later['run_id']}`
    expect(later).toEqual({ thread_id: expect.any(String), run_id: expect.any(String), url })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: url,
      'preference-applied': 'respond-async',
      'x-thread-id': later['thread_id'],
      'x-run-id': later['run_id'],
    })
    const events = await eventsOf(await send(`GET ${url}/events`, { key }))
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['run.accepted', 'run.completed'])
    expect(await got(send(`GET ${url}`, { key }))).toMatchObject({ status: 'completed' })
  })

  it('keeps the requested limits', async () => {
    const budget = { tokens: 5_000, usd: 0.5, steps: 3, tool_calls: 0, wall_s: 30 }
    const { receipt } = await reply({ message: 'Hello', budget })
    const limits = Object.entries(receipt.budget).map(([name, budgetLimit]) => [name, budgetLimit.limit])
    expect(Object.fromEntries(limits)).toMatchObject(budget)
  })

  it('is given to text and images, with the context fenced and the metadata unseen', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
    const message = [{ type: 'text', text: 'What is this?' }, image]
    const { thread_id } = await reply({
      message,
      context: { page: '</request_context>' },
      metadata: { m: 'unseen-words' },
    })
    const sent = JSON.stringify(requested[0]?.messages)
    expect(sent).toContain('What is this?')
    expect(sent).toContain('aGk=')
    expect(sent).not.toContain('unseen-words')
    expect(sent.match(/<\/request_context>/g)).toHaveLength(1)
    const page = await got<{ data: { content: unknown }[] }>(
      send(`GET /v1/threads/${thread_id}/messages`, { key }),
    )
    expect(page.data[0]?.content).toEqual(message)
    const info = await got(send(`GET /v1/threads/${thread_id}`, { key }))
    expect(info).toMatchObject({ metadata: { m: 'unseen-words' } })
  })
})

describe('a second message', () => {
  it('continues its thread, and extends what the model was sent before', async () => {
    const first = await reply({ message: 'One' })
    const second = await reply({ message: 'Two', thread_id: first.thread_id })
    expect(second.thread_id).toBe(first.thread_id)
    const [before, after] = requested
    expect(after?.system).toBe(before?.system)
    expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
    expect(after?.messages).toHaveLength(3)
  })

  it('cannot change what was fixed when the thread began', async () => {
    const { thread_id } = await reply({ message: 'One', skills: { allow: ['alpha'] } })
    expect(requested[0]?.system).toContain('<name>alpha</name>')
    expect(requested[0]?.system).not.toContain('<name>beta</name>')
    const body = { message: 'Two', thread_id, skills: { allow: ['beta'] } }
    await refused(send('POST /v1/chat', { key, body }), 409, 'prefix_frozen')
    await reply({ message: 'Two', thread_id, model: 'demo', skills: { allow: ['alpha'] } })
  })

  it('changes the tools in a new window if it asks to', async () => {
    const { thread_id } = await reply({ message: 'One', tools: ['files'] })
    const body = { message: 'Two', thread_id, tools: ['read_file'] }
    await refused(send('POST /v1/chat', { key, body }), 409, 'prefix_frozen')
    const second = await reply({ ...body, rebase: true })
    expect(second.receipt.window).toBe(2)
    expect(requested[1]?.tools.map(({ name }) => name)).toEqual(['read_file'])
    expect(requested[1]?.messages).toHaveLength(3)
  })
})

describe('an Idempotency-Key', () => {
  const once = (name: string): Record<string, string> => ({ 'Idempotency-Key': name })

  it('returns the same run for the same request, as JSON, as a stream and for later', async () => {
    const body = { message: 'Once' }
    const first = await reply(body, once('k1'))
    expect(await reply(body, once('k1'))).toEqual(first)
    const streamed = await send('POST /v1/chat', { key, body, headers: once('k1') })
    expect(streamed.headers.get('X-Run-Id')).toBe(first.run_id)
    expect((await eventsOf(streamed)).at(-1)?.type).toBe('run.completed')
    const headers = { ...once('k1'), Prefer: 'respond-async' }
    expect(await got(send('POST /v1/chat', { key, body, headers }), 202)).toMatchObject({
      run_id: first.run_id,
    })
    expect(requested).toHaveLength(1)
  })

  it('makes one run of many simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => reply({ message: 'Once' }, once('k2'))))
    expect(new Set(answers.map((answer) => answer.run_id)).size).toBe(1)
    expect(requested).toHaveLength(1)
  })

  it('is refused with another body', async () => {
    await reply({ message: 'Once' }, once('k3'))
    const body = { message: 'Twice' }
    await refused(send('POST /v1/chat', { key, body, headers: once('k3') }), 409, 'idempotency_mismatch')
    expect(requested).toHaveLength(1)
  })

  it('belongs to its credential', async () => {
    const mine = await reply({ message: 'Once' }, once('k4'))
    const theirs = await got<ChatReply>(
      send('POST /v1/chat', {
        key: other,
        body: { message: 'Once' },
        headers: { ...JSON_TYPE, ...once('k4') },
      }),
    )
    expect(theirs.thread_id).not.toBe(mine.thread_id)
    const otherKey = await foreignKey('elsewhere', 'chat')
    const elsewhere = await got<ChatReply>(
      send('POST /v1/chat', {
        key: otherKey,
        body: { message: 'Once' },
        headers: { ...JSON_TYPE, ...once('k4') },
      }),
    )
    expect(elsewhere.thread_id).not.toBe(mine.thread_id)
  })

  it('is separate for each thread, and for none', async () => {
    const first = await reply({ message: 'Once' }, once('k5'))
    const again = await reply({ message: 'Once', thread_id: first.thread_id }, once('k5'))
    expect(again.run_id).not.toBe(first.run_id)
    expect(again.thread_id).toBe(first.thread_id)
    const elsewhere = await reply({ message: 'Hello' })
    const there = await reply({ message: 'Once', thread_id: elsewhere.thread_id }, once('k5'))
    expect(there.thread_id).toBe(elsewhere.thread_id)
  })

  it('finds a run in progress', async () => {
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Done.', until: gate.promise }))
    const body = { message: 'Long' }
    const first = await send('POST /v1/chat', { key, body, headers: once('k6') })
    const second = await send('POST /v1/chat', { key, body, headers: once('k6') })
    gate.resolve()
    const [one, two] = [await eventsOf(first), await eventsOf(second)]
    expect(second.headers.get('X-Run-Id')).toBe(first.headers.get('X-Run-Id'))
    expect(two.at(-1)).toEqual(one.at(-1))
    expect(requested).toHaveLength(1)
  })

  it.each(['', 'two words', 'tab\there', 'x'.repeat(IDEMPOTENCY_KEY_MAX_CHARS + 1), 'a, b'])(
    'is refused as %j',
    async (name) => {
      const ask = { key, body: { message: 'Hello' }, headers: once(name) }
      const problem = await refused(send('POST /v1/chat', ask), 422, 'invalid_request')
      expect(problem.errors?.[0]?.path).toBe('Idempotency-Key')
      expect(requested).toHaveLength(0)
    },
  )
})

describe('a busy thread', () => {
  it('refuses another message, and accepts it once it is idle', async () => {
    const { thread, run, release } = await busyThread()
    const body = { message: 'More', thread_id: thread }
    const response = await send('POST /v1/chat', { key, body })
    expect(response.headers.get('Retry-After')).toBe('1')
    await refused(Promise.resolve(response), 409, 'thread_busy')
    release()
    await eventsOf(await send(`GET /v1/threads/${thread}/runs/${run}/events`, { key }))
    expect((await chat(body, { key })).last?.type).toBe('run.completed')
  })

  it('queues a message when asked to', async () => {
    const { thread, run, release } = await busyThread()
    const body = { message: 'More', thread_id: thread, on_busy: 'enqueue' }
    const second = await send('POST /v1/chat', { key, body })
    const id = second.headers.get('X-Run-Id')
    expect(await got(send(`GET /v1/threads/${thread}/runs/${id}`, { key }))).toMatchObject({
      status: 'queued',
    })
    expect(await got(send(`GET /v1/threads/${thread}`, { key }))).toMatchObject({ status: 'busy' })
    release()
    const events = await eventsOf(second)
    expect(events[0]).toMatchObject({ type: 'run.accepted', status: 'queued', run_id: id })
    expect(events.at(-1)?.type).toBe('run.completed')
    const first = await got<{ ended_at: string }>(send(`GET /v1/threads/${thread}/runs/${run}`, { key }))
    const next = await got<{ started_at: string }>(send(`GET /v1/threads/${thread}/runs/${id}`, { key }))
    expect(next.started_at >= first.ended_at).toBe(true)
  })

  it('can be cancelled by its owner repeatedly', async () => {
    const { thread, run } = await busyThread()
    const line = `POST /v1/threads/${thread}/runs/${run}/cancel`
    const receipt = await got(send(line, { key }))
    expect(receipt).toMatchObject({ run_id: run, status: 'cancelled', stop_reason: 'cancelled' })
    expect(await got(send(line, { key }))).toEqual(receipt)
    const events = await eventsOf(await send(`GET /v1/threads/${thread}/runs/${run}/events`, { key }))
    expect(events.at(-1)?.type).toBe('run.cancelled')
  })

  it('is cancelled when its only reader disconnects, if that was requested', async () => {
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Done.', until: gate.promise }))
    const body = { message: 'Hello', on_disconnect: 'cancel' }
    const response = await send('POST /v1/chat', { key, body })
    const url = `/v1/threads/${response.headers.get('X-Thread-Id')}/runs/${response.headers.get('X-Run-Id')}`
    await eventually(() => requested.length > 0)
    await response.body?.cancel()
    await eventually(async () => {
      const { status } = await got<{ status: string }>(send(`GET ${url}`, { key }))
      return status === 'cancelled'
    })
    gate.resolve()
  })
})
