// Guards forks in the API: a fork has everything before a message, byte for byte, and the model's next request extends
// the old one. Text from outside stays marked, and only a user who may read a thread may fork it.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/agent/model.ts'
import type { Message } from '../../src/agent/message.ts'
import type { ThreadInfo } from '../../src/thread/api.ts'
import {
  ADMIN_KEY,
  requested,
  chat,
  finished,
  foreignKey,
  got,
  makeKey,
  modelReplies,
  publish,
  refused,
  send,
  serveSkills,
  type Chatted,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { line, listed, put } from './files-fixture.ts'

let ann = ''
let ben = ''

beforeAll(async () => {
  await serveSkills([{ name: 'alpha', body: 'The body of alpha.' }])
  ann = (await makeKey('chat', 'ann')).key
  ben = (await makeKey('chat', 'ben')).key
})

beforeEach(() => modelReplies())

async function messagesOf(thread: string, key = ann): Promise<readonly Message[]> {
  const path = `GET /v1/threads/${thread}/messages?limit=100`
  return (await got<{ data: readonly Message[] }>(send(path, { key }))).data
}

/** The id of the message that started a run. */
async function begunWith({ thread, run }: Chatted, key = ann): Promise<string> {
  return (await messagesOf(thread, key)).find(({ run_id }) => run_id === run)?.id ?? ''
}

function forking(thread: string, message_id: string, key = ann, headers = {}): Promise<Response> {
  return send(`POST /v1/threads/${thread}/fork`, { key, body: { message_id }, headers })
}

async function forked(before: Chatted, key = ann): Promise<string> {
  const { thread_id } = await got<{ thread_id: string }>(
    forking(before.thread, await begunWith(before), key),
    201,
  )
  return thread_id
}

async function infoOf(thread: string, key = ann): Promise<ThreadInfo> {
  return got<ThreadInfo>(send(`GET /v1/threads/${thread}`, { key }))
}

/** Sends a message to a thread, and returns the request that the model got. */
async function next(thread_id: string, more: object = {}, key = ann): Promise<ModelRequest> {
  const { last } = await chat({ message: 'Else', thread_id, ...more }, { key })
  expect(last?.type).toBe('run.completed')
  const request = requested.at(-1)
  if (!request) throw new Error('the model was not asked')
  return request
}

function newest({ messages }: ModelRequest): string {
  return JSON.stringify(messages.at(-1)?.content)
}

/** Three messages; for the first, the model loads a skill. */
async function three(key = ann): Promise<readonly Chatted[]> {
  modelReplies(({ messages }) =>
    messages.length === 1 ? { calls: [{ name: 'load_skill', input: { name: 'alpha' } }] } : { text: 'Done.' },
  )
  const first = await finished(key, 'One')
  const output = [first]
  for (const message of ['Two', 'Three'])
    output.push(await chat({ message, thread_id: first.thread }, { key }))
  return output
}

describe('a fork', () => {
  it('has the messages before it, and the next request extends what the model got', async () => {
    const output = await three()
    const [, , third] = output
    if (!third) throw new Error('there are three')
    const before = requested.at(-1)
    const all = await messagesOf(third.thread)
    const thread_id = await forked(third)
    const kept = all.slice(0, -2)
    expect(kept.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(await messagesOf(thread_id)).toEqual(kept)
    expect(await infoOf(thread_id)).toMatchObject({
      title: 'One',
      user: 'ann',
      status: 'idle',
      usage: { input_tokens: 0, output_tokens: 0 },
      charged: { tokens: 0 },
      forked_from: { thread_id: third.thread, message_id: all.at(-2)?.id, messages: 6 },
      root: third.thread,
      branches: [],
    })
    expect((await infoOf(thread_id)).context_tokens).toBeGreaterThan(100)
    expect(await got(send(`GET /v1/threads/${thread_id}/runs`, { key: ann }))).toMatchObject({ data: [] })
    const after = await next(thread_id)
    expect([after.system, after.tools]).toEqual([before?.system, before?.tools])
    expect(JSON.stringify(after.messages.slice(0, 6))).toBe(JSON.stringify(before?.messages.slice(0, 6)))
    expect(after.messages).toHaveLength(7)
    expect(await messagesOf(third.thread)).toEqual(all)
    expect((await infoOf(third.thread)).branches).toMatchObject([{ thread_id, message_id: all.at(-2)?.id }])
    await eventually(async () => {
      const { data } = await got<{ data: ThreadInfo[] }>(send('GET /v1/threads?limit=100', { key: ann }))
      const branches = data.find(({ id }) => id === third.thread)?.branches ?? []
      return data.some(({ id }) => id === thread_id) && branches.length === 1
    })
  })

  it('knows the skills that were loaded before it, and no others', async () => {
    const [first, second] = await three()
    if (!first || !second) throw new Error('there are three')
    modelReplies()
    const call = { skills: { load: ['alpha'] } }
    expect(newest(await next(await forked(second), call))).not.toContain('The body of alpha.')
    expect(newest(await next(await forked(first), call))).toContain('The body of alpha.')
  })

  it('has the catalog known to the model at that point, however often it is forked', async () => {
    const first = await finished(ann, 'One')
    await publish({ name: 'gamma' })
    const second = await chat({ message: 'Two', thread_id: first.thread }, { key: ann })
    expect(newest(requested.at(-1)!)).toContain('gamma') // the model was called a moment ago
    const third = await chat({ message: 'Three', thread_id: first.thread }, { key: ann })
    const late = await forked(third)
    expect(newest(await next(late))).not.toContain('gamma')
    expect(newest(await next(await forked(second)))).toContain('gamma')
    expect(newest(await next(await forked(first)))).toContain('gamma')
    // Messages that a fork copied belong to no run in it.
    const again = await forked({ ...second, thread: late })
    expect(newest(await next(again))).toContain('gamma')
    expect(newest(await next(again))).not.toContain('gamma')
    expect(newest(await next(await forked({ ...first, thread: again })))).toContain('gamma')
  })

  it('has the files from before the message unchanged, and reports those that arrived with it', async () => {
    const first = await finished(ann, 'One')
    const { thread } = first
    const large = 'L'.repeat(300_000)
    await put(ann, thread, 'uploads/small.txt', 'small')
    await put(ann, thread, 'uploads/large.txt', large)
    const second = await chat({ message: 'Two', thread_id: thread }, { key: ann })
    await put(ann, thread, 'uploads/small.txt', 'changed', { status: 200 })
    await scheduler.wait(2)
    await put(ann, thread, 'uploads/late.txt', 'late')
    const fork = await forked(second)
    expect((await listed(ann, fork)).map(({ path, bytes }) => [path, bytes])).toEqual([
      ['uploads/large.txt', 300_000],
      ['uploads/small.txt', 7],
    ])
    expect(await (await send(line('GET', fork, 'uploads/large.txt'), { key: ann })).text()).toBe(large)
    expect(newest(await next(fork))).toContain('/mnt/user-data/uploads/large.txt')
    // Each has its own copy of the bytes.
    expect((await send(line('DELETE', fork, 'uploads/large.txt'), { key: ann })).status).toBe(204)
    expect((await send(`DELETE /v1/threads/${fork}`, { key: ann })).status).toBe(204)
    expect(await (await send(line('GET', thread, 'uploads/large.txt'), { key: ann })).text()).toBe(large)
  })

  it('can be created during a run, which continues', async () => {
    const gate = Promise.withResolvers<void>()
    const first = await finished(ann, 'One')
    modelReplies(() => ({ text: 'At last.', until: gate.promise }))
    const running = chat({ message: 'Two', thread_id: first.thread }, { key: ann })
    await eventually(() => requested.length === 1)
    const all = await messagesOf(first.thread)
    const { thread_id } = await got<{ thread_id: string }>(forking(first.thread, all.at(-1)?.id ?? ''), 201)
    expect(await messagesOf(thread_id)).toEqual(all.slice(0, 2))
    gate.resolve()
    expect((await running).last?.type).toBe('run.completed')
    modelReplies()
    await next(thread_id)
  })

  it('can begin only before a message of a person', async () => {
    const [first] = await three()
    if (!first) throw new Error('there are three')
    const [, output, results] = await messagesOf(first.thread)
    for (const id of [output?.id, results?.id, `msg_${'a'.repeat(24)}`, 'nope', ''])
      expect(await refused(forking(first.thread, id ?? ''), 422, 'invalid_request')).toMatchObject({
        errors: [{ path: 'message_id' }],
      })
  })

  it('can be created by anyone who may read the thread, and then belongs to its creator', async () => {
    const first = await finished(ann, 'One')
    const message = await begunWith(first)
    for (const key of [ben, await foreignKey('elsewhere')])
      await refused(forking(first.thread, message, key), 404, 'not_found')
    await refused(forking(`th_${'a'.repeat(24)}`, message), 404, 'not_found')
    const { thread_id } = await got<{ thread_id: string }>(forking(first.thread, message, ADMIN_KEY), 201)
    await refused(send(`GET /v1/threads/${thread_id}`, { key: ann }), 404, 'not_found')
    // The owner does not see other users' forks.
    expect((await infoOf(first.thread)).branches).toEqual([])
    expect(await infoOf(thread_id, ADMIN_KEY)).toMatchObject({
      user: null,
      forked_from: { thread_id: first.thread },
    })
  })

  it('is created once for each Idempotency-Key, and anew without one', async () => {
    const first = await finished(ann, 'One')
    const second = await chat({ message: 'Two', thread_id: first.thread }, { key: ann })
    const [a, b] = [await begunWith(first), await begunWith(second)]
    const headers = { 'Idempotency-Key': 'k1' }
    const made = await got<{ thread_id: string }>(forking(first.thread, a, ann, headers), 201)
    expect(await got(forking(first.thread, a, ann, headers), 201)).toEqual(made)
    await refused(forking(first.thread, b, ann, headers), 409, 'idempotency_mismatch')
    expect(await got(forking(first.thread, a), 201)).not.toEqual(made)
    expect((await send(`DELETE /v1/threads/${made.thread_id}`, { key: ann })).status).toBe(204)
    await refused(forking(first.thread, a, ann, headers), 410, 'gone')
    await refused(forking(first.thread, a, ann, { 'Idempotency-Key': 'a b' }), 422, 'invalid_request')
  })
})
