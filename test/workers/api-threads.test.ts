// Guards what a client does with threads: lists by owner, pages, receipts, event streams that resume, changes of title
// and metadata, and a deletion that leaves nothing.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/agent/events.ts'
import { readEvents } from '../../src/client/sse.ts'
import type { ThreadDetails, ThreadInfo } from '../../src/thread/api.ts'
import {
  ADMIN_KEY,
  requested,
  chat,
  eventsOf,
  finished,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

let ann = ''
let ben = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  ann = (await makeKey('chat', 'ann')).key
  ben = (await makeKey('chat', 'ben')).key
})

beforeEach(() => modelReplies())

interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

async function idsOf(key: string): Promise<readonly string[]> {
  const page = await got<Page<ThreadInfo>>(send('GET /v1/threads?limit=100', { key }))
  return page.data.map((thread) => thread.id)
}

/** All pages of a list, each with at most two items. */
async function pages<T>(path: string, key: string): Promise<readonly (readonly T[])[]> {
  const found: (readonly T[])[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page<T> = await got<Page<T>>(
      send(`GET ${path}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, { key }),
    )
    found.push(page.data)
    cursor = page.next_cursor
  }
  return found
}

describe('the list of threads', () => {
  it('shows each owner their own, whatever key they use, and an admin everybody’s', async () => {
    const one = await finished(ann)
    const two = await finished((await makeKey('chat', 'ann')).key)
    const theirs = await finished(ben)
    const nobodys = await makeKey('publisher')
    const own = await finished(nobodys.key)
    expect((await idsOf(ann)).slice(0, 2)).toEqual([two.thread, one.thread])
    expect(await idsOf(ben)).toEqual([theirs.thread])
    expect(await idsOf(nobodys.key)).toEqual([own.thread])
    expect(await idsOf(ADMIN_KEY)).toEqual(
      expect.arrayContaining([one.thread, two.thread, theirs.thread, own.thread]),
    )
  })

  it('shows the same data as the thread itself', async () => {
    const { thread } = await finished(ann, 'What is a title?')
    const { plan, window, ...info } = await got<ThreadDetails>(
      send(`GET /v1/threads/${thread}`, { key: ann }),
    )
    expect([plan, window]).toEqual([null, 1])
    const time = expect.stringMatching(/Z$/)
    expect(info).toEqual({
      id: thread,
      title: 'What is a title?',
      user: 'ann',
      status: 'idle',
      created_at: time,
      updated_at: time,
      model: 'demo',
      catalog_version: expect.any(Number),
      usage: expect.objectContaining({ input_tokens: 10, output_tokens: 5 }),
      charged: { tokens: 15, usd: 0, estimated: false },
      metadata: {},
      context_tokens: 15,
      root: thread,
      forked_from: null,
      branches: [],
    })
    const page = await got<Page<ThreadInfo>>(send('GET /v1/threads', { key: ann }))
    expect(page.data.find((one) => one.id === thread)).toEqual(info)
  })

  it('comes in pages, newest first, each thread once', async () => {
    const key = (await makeKey('chat', 'carol')).key
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.unshift((await finished(key)).thread)
    const found = await pages<ThreadInfo>('/v1/threads', key)
    expect(found.map((page) => page.map((thread) => thread.id))).toEqual([
      made.slice(0, 2),
      made.slice(2, 4),
      made.slice(4),
    ])
  })
})

describe('a thread', () => {
  it('returns its transcript in pages, oldest first, and its receipts newest first', async () => {
    const first = await finished(ann, 'One')
    const runs = [first.run]
    for (const message of ['Two', 'Three'])
      runs.unshift((await chat({ message, thread_id: first.thread }, { key: ann })).run)
    const path = `/v1/threads/${first.thread}`
    type Stored = { role: string; run_id: string; content: { text: string }[] }
    const messages = await pages<Stored>(`${path}/messages`, ann)
    expect(messages.map((page) => page.map(({ role, content }) => [role, content[0]?.text]))).toEqual(
      ['One', 'Two', 'Three'].map((text) => [
        ['user', text],
        ['assistant', 'Done.'],
      ]),
    )
    const receipts = await pages<{ run_id: string }>(`${path}/runs`, ann)
    expect(receipts.flat().map((receipt) => receipt.run_id)).toEqual(runs)
    expect(await got(send(`GET ${path}/runs/${first.run}`, { key: ann }))).toEqual(receipts.flat().at(-1))
  })

  it('changes title and metadata, keeps omitted fields, and does not replace a set title', async () => {
    const { thread } = await finished(ann, 'One')
    const patch = (body: object): Promise<ThreadInfo> =>
      got<ThreadInfo>(send(`PATCH /v1/threads/${thread}`, { key: ann, body }))
    expect(await patch({ title: '  Mine  ' })).toMatchObject({ title: 'Mine', metadata: {} })
    expect(await patch({ metadata: { a: '1' } })).toMatchObject({ title: 'Mine', metadata: { a: '1' } })
    expect(await patch({ metadata: {} })).toMatchObject({ title: 'Mine', metadata: {} })
    await chat({ message: 'Another title?', thread_id: thread }, { key: ann })
    expect(await got(send(`GET /v1/threads/${thread}`, { key: ann }))).toMatchObject({ title: 'Mine' })
    await eventually(async () => {
      const page = await got<Page<ThreadInfo>>(send('GET /v1/threads', { key: ann }))
      return page.data.some((one) => one.id === thread && one.title === 'Mine')
    })
  })

  it('no longer exists anywhere once it is deleted', async () => {
    const { thread, run } = await finished(ann)
    const response = await send(`DELETE /v1/threads/${thread}`, { key: ann })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('X-Request-Id')).toMatch(/^req_/)
    for (const rest of ['', '/messages', '/runs', `/runs/${run}`, '/events', `/runs/${run}/events`])
      await refused(send(`GET /v1/threads/${thread}${rest}`, { key: ann }), 404, 'not_found')
    await refused(send(`DELETE /v1/threads/${thread}`, { key: ann }), 404, 'not_found')
    await refused(
      send('POST /v1/chat', { key: ann, body: { message: 'Hello', thread_id: thread } }),
      404,
      'not_found',
    )
    expect(await idsOf(ann)).not.toContain(thread)
  })

  it('can be deleted while it is busy', async () => {
    modelReplies(() => ({ text: 'Never.', until: new Promise(() => undefined) }))
    const ask = { key: ann, body: { message: 'Hello' }, headers: { Prefer: 'respond-async' } }
    const { thread_id } = await got<{ thread_id: string }>(send('POST /v1/chat', ask), 202)
    await eventually(() => requested.length > 0)
    expect((await send(`DELETE /v1/threads/${thread_id}`, { key: ann })).status).toBe(204)
    await refused(send(`GET /v1/threads/${thread_id}`, { key: ann }), 404, 'not_found')
  })
})

/** The first events of a stream that stays open. */
async function firstOf(response: Response, count: number): Promise<readonly Event[]> {
  const events: Event[] = []
  if (!response.body) return events
  for await (const event of readEvents(response.body)) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

describe('a stream of events', () => {
  it('of a run returns everything again, or what follows a number', async () => {
    const { thread, run, events } = await finished(ann)
    const path = `/v1/threads/${thread}/runs/${run}/events`
    const whole = await eventsOf(await send(`GET ${path}`, { key: ann }))
    expect(whole.filter((event) => event.type !== 'text.delta')).toEqual(
      events.filter((event) => event.type !== 'text.delta'),
    )
    const after = events[2]?.seq ?? 0
    const rest = whole.filter((event) => event.seq > after)
    expect(await eventsOf(await send(`GET ${path}?after=${after}`, { key: ann }))).toEqual(rest)
    const headers = { 'Last-Event-ID': String(after) }
    expect(await eventsOf(await send(`GET ${path}`, { key: ann, headers }))).toEqual(rest)
    expect(await eventsOf(await send(`GET ${path}?after=1`, { key: ann, headers }))).toEqual(rest)
  })

  it('of a run repeats its end to a reader that has it, and closes', async () => {
    const { thread, run, last } = await finished(ann)
    const path = `/v1/threads/${thread}/runs/${run}/events?after=${last?.seq}`
    expect(await eventsOf(await send(`GET ${path}`, { key: ann }))).toEqual([last])
  })

  it('of a run contains that run only; of the thread every one, without a gap', async () => {
    const one = await finished(ann, 'One')
    const two = await chat({ message: 'Two', thread_id: one.thread }, { key: ann })
    const path = `/v1/threads/${one.thread}`
    const second = await eventsOf(await send(`GET ${path}/runs/${two.run}/events`, { key: ann }))
    expect(new Set(second.map((event) => event.run_id))).toEqual(new Set([two.run]))
    const first = await eventsOf(await send(`GET ${path}/runs/${one.run}/events`, { key: ann }))
    const both = [...first, ...second]
    const whole = await firstOf(await send(`GET ${path}/events`, { key: ann }), both.length)
    expect(whole).toEqual(both)
    let next = 1
    for (const event of whole) {
      expect(event.from ?? event.seq).toBe(next)
      next = event.seq + 1
    }
  })

  it('follows a run in progress, from where the reader left', async () => {
    const gate = Promise.withResolvers<void>()
    modelReplies(() => ({ text: 'Done at last.', until: gate.promise }))
    const response = await send('POST /v1/chat', { key: ann, body: { message: 'Hello' } })
    const path = `/v1/threads/${response.headers.get('X-Thread-Id')}/runs/${response.headers.get('X-Run-Id')}`
    const seen = await firstOf(response, 2)
    const headers = { 'Last-Event-ID': String(seen.at(-1)?.seq) }
    const again = await send(`GET ${path}/events`, { key: ann, headers })
    gate.resolve()
    const rest = await eventsOf(again)
    expect(rest[0]?.seq).toBe((seen.at(-1)?.seq ?? 0) + 1)
    expect(rest.at(-1)?.type).toBe('run.completed')
  })
})
