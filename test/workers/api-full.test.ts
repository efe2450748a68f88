// Guards that one chat key cannot fill the Workspace object of all users: threads, their metadata and files have limits
// that concurrent requests cannot exceed. A full table refuses new threads only.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { METADATA_MAX_BYTES } from '../../src/limits/requests.ts'
import {
  requested,
  chat,
  finished,
  foreignKey,
  got,
  messageOf,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { age, bytesOf, keptInR2, line, listed, newThread, ring, sendForm } from './files-fixture.ts'
import { FINISHED_UPLOAD_RETENTION_MS } from '../../src/limits/files.ts'

let workspaces = 0
let workspace = ''
let admin = ''
let key = ''

beforeEach(async () => {
  await serveSkills([{ name: 'alpha' }])
  workspace = `full-${++workspaces}`
  admin = await foreignKey(workspace, 'admin')
  key = await foreignKey(workspace, 'chat')
  modelReplies()
})

async function set(settings: object): Promise<void> {
  await got(send('PATCH /admin/settings', { key: admin, body: settings }))
}

async function threads(of = key): Promise<readonly string[]> {
  const page = await got<{ data: { id: string }[] }>(send('GET /v1/threads?limit=100', { key: of }))
  return page.data.map(({ id }) => id)
}

const hello = (of = key, body: object = {}): Promise<Response> =>
  send('POST /v1/chat', { key: of, body: { message: 'Hello', stream: false, ...body } })

it('metadata has a total limit, in a message, in a change and in both together', async () => {
  const long = (bytes: number): Record<string, string> => {
    const pairs = Array.from({ length: 8 }, (_, at) => [`k${at}`, 'x'.repeat(500)])
    const rest = { ...Object.fromEntries(pairs), rest: '' }
    return { ...rest, rest: 'x'.repeat(bytes - JSON.stringify(rest).length) }
  }
  const tooLong = await refused(
    hello(key, { metadata: long(METADATA_MAX_BYTES + 1) }),
    422,
    'invalid_request',
  )
  expect(tooLong.errors).toEqual([
    { path: 'metadata', message: `must have at most ${METADATA_MAX_BYTES} bytes as JSON` },
  ])
  // Counted as stored, at three bytes a letter.
  const wide = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`k${at}`, '€'.repeat(500)]))
  await refused(hello(key, { metadata: wide }), 422, 'invalid_request')
  expect(await threads()).toEqual([])
  const { thread_id } = await got<{ thread_id: string }>(hello(key, { metadata: long(METADATA_MAX_BYTES) }))
  const change = { metadata: long(METADATA_MAX_BYTES + 1) }
  await refused(send(`PATCH /v1/threads/${thread_id}`, { key, body: change }), 422, 'invalid_request')
  const { thread_id: empty } = await got<{ thread_id: string }>(send('POST /v1/threads', { key }), 201)
  await got(send(`PATCH /v1/threads/${empty}`, { key, body: { metadata: long(METADATA_MAX_BYTES - 20) } }))
  const both = await refused(
    hello(key, { thread_id: empty, metadata: { other: 'x'.repeat(100) } }),
    422,
    'invalid_request',
  )
  expect(both.errors?.[0]?.path).toBe('metadata')
})

it('a key has a limited number of threads, however many it begins at once and by any route; other keys continue', async () => {
  await set({ threads: { max_key_threads: 3 } })
  const first = await finished(key)
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await hello()).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(statuses.filter((status) => status === 413)).toHaveLength(6)
  const problem = await refused(hello(), 413, 'storage_full')
  expect(problem.detail).toContain('This key has 3 threads')
  await refused(send('POST /v1/threads', { key }), 413, 'storage_full')
  const message_id = await messageOf(first.thread, key)
  const fork = (): Promise<Response> =>
    send(`POST /v1/threads/${first.thread}/fork`, { key, body: { message_id } })
  await refused(fork(), 413, 'storage_full')
  await eventually(async () => (await threads()).length === 3)
  // The existing thread continues, and so do other keys.
  expect((await chat({ message: 'More', thread_id: first.thread }, { key })).last?.type).toBe('run.completed')
  const other = await foreignKey(workspace, 'chat')
  expect((await chat({ message: 'Hello' }, { key: other })).last?.type).toBe('run.completed')
  // A deleted thread makes room for a new one.
  await send(`DELETE /v1/threads/${(await threads()).find((id) => id !== first.thread)}`, { key })
  await got(fork(), 201)
  await refused(hello(), 413, 'storage_full')
})

it('a full workspace refuses new threads for everybody, and accepts everything else', async () => {
  const first = await finished(key)
  await eventually(async () => (await threads()).length === 1)
  await set({ threads: { max_threads: 1 } })
  await refused(hello(await foreignKey(workspace, 'chat')), 413, 'storage_full')
  await refused(hello(admin), 413, 'storage_full')
  const made = await got<{ id: string }>(
    send('POST /admin/keys', { key: admin, body: { role: 'chat' } }),
    201,
  )
  await got(send(`DELETE /admin/keys/${made.id}`, { key: admin }))
  // The workspace accepts a report about an unknown thread, which may have been created while the workspace was
  // unavailable.
  const info = await got<object>(send(`GET /v1/threads/${first.thread}`, { key }))
  const late = { ...info, id: 'th_late' } as Parameters<ReturnType<typeof api>['record']>[0]['info']
  expect(await api().record({ owner: 'key:x', made_by: 'x', info: late }, null)).toEqual({
    ok: true,
    value: null,
  })
  expect(await threads(admin)).toHaveLength(2)
  await api().forget('th_late', { runs: [], ids: [] })
  await send(`DELETE /v1/threads/${first.thread}`, { key })
  expect((await hello()).status).toBe(200)
})

function api(): ReturnType<ReturnType<typeof objects>['workspace']> {
  return objects(env).workspace(workspace)
}

it('a thread that was refused for another reason is not counted', async () => {
  await set({ threads: { max_key_threads: 1 } })
  for (let at = 0; at < 3; at++)
    await refused(hello(key, { skills: { load: ['no-such-skill'] } }), 422, 'invalid_request')
  expect((await hello()).status).toBe(200)
})

it('a message whose budget covers no answer is refused at the budget, and leaves nothing', async () => {
  for (const budget of [{ tokens: 1 }, { tokens: 1_024 }]) {
    const problem = await refused(hello(key, { budget }), 422, 'invalid_request')
    expect(problem.errors).toEqual([{ path: 'budget', message: 'does not cover a first response' }])
  }
  expect(await threads()).toEqual([])
  expect(requested).toEqual([])
})

/** What the workspace counts for its keys, and what its threads report. */
async function counted(): Promise<unknown> {
  const stub = env.WORKSPACES.getByName(workspace) as DurableObjectStub<Workspace>
  return runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec('SELECT coalesce(sum(kept), 0) AS kept, coalesce(sum(stored), 0) AS stored FROM key_files')
      .one(),
  )
}

const settled = (kept: number): Promise<boolean> =>
  eventually(async () => ((await counted()) as { kept: number }).kept === kept)

const known = (bytes: number) => ({ body: bytesOf(bytes), headers: { 'Content-Length': String(bytes) } })
const sent = (thread: string, path: string, bytes: number, of = key): Promise<Response> =>
  send(line('PUT', thread, path), { key: of, ...known(bytes) })

it('files of all threads of a key share one quota, which uploads, forms and copies use', async () => {
  await set({ files: { max_key_bytes: 1_000_000 } })
  const first = await finished(key)
  await got(sent(first.thread, 'uploads/a', 400_000), 201)
  await chat({ message: 'Two', thread_id: first.thread }, { key })
  const other = await newThread(key)
  await got(sent(other, 'uploads/b', 400_000), 201)
  // Before a byte of the body is read.
  const silent = new ReadableStream({ pull: () => new Promise(() => undefined) }, { highWaterMark: 0 })
  const ask = { key, body: silent, headers: { 'Content-Length': '200001' } }
  const problem = await refused(send(line('PUT', other, 'uploads/c'), ask), 413, 'storage_full')
  expect(problem.detail).toContain('The files of all threads of this key may total 1000000 bytes')
  const form = [
    { name: 'c', data: 'x'.repeat(100_001) },
    { name: 'd', data: 'x'.repeat(100_000) },
  ]
  await refused(sendForm(key, other, form), 413, 'storage_full')
  const output = await got<{ data: { id: string }[] }>(
    send(`GET /v1/threads/${first.thread}/messages`, { key }),
  )
  const message_id = output.data[2]?.id
  const fork = (): Promise<Response> =>
    send(`POST /v1/threads/${first.thread}/fork`, { key, body: { message_id } })
  await refused(fork(), 413, 'storage_full')
  const kept = async (thread: string): Promise<number> => (await keptInR2(thread, workspace)).length
  expect([
    await kept(first.thread),
    await kept(other),
    (await env.FILES.list({ prefix: `${workspace}/` })).objects.length,
  ]).toEqual([1, 1, 2])
  // An upload of unknown length is refused at its end, and swept.
  await refused(send(line('PUT', other, 'uploads/c'), { key, body: bytesOf(250_000) }), 413, 'storage_full')
  // Other keys have their own quota.
  const ben = await foreignKey(workspace, 'chat')
  await got(sent(await newThread(ben), 'uploads/z', 900_000, ben), 201)
  await settled(1_700_000)
  // Full to the last byte: a replacement of equal size fits, and a deletion frees space at once.
  await got(sent(other, 'uploads/e', 200_000), 201)
  await got(sent(other, 'uploads/b', 400_000), 200)
  await refused(sent(other, 'uploads/f', 1), 413, 'storage_full')
  await send(line('DELETE', other, 'uploads/b'), { key })
  await settled(1_500_000)
  const made = await got<{ thread_id: string }>(fork(), 201)
  expect(await listed(key, made.thread_id)).toMatchObject([{ path: 'uploads/a', bytes: 400_000 }])
  await settled(1_900_000)
  await send(`DELETE /v1/threads/${made.thread_id}`, { key })
  await send(`DELETE /v1/threads/${other}`, { key })
  await settled(1_300_000)
})

it('concurrent uploads never exceed the quota of a workspace, and refused ones release it', async () => {
  await set({ files: { max_workspace_bytes: 1_000_000 } })
  const of = await Promise.all(Array.from({ length: 4 }, () => newThread(key)))
  const statuses = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, at) => (await sent(of[at % 4] ?? '', `uploads/${at}`, 200_000)).status,
    ),
  )
  expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(5)
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0)
  expect(statuses.every((status) => status === 201 || status === 413)).toBe(true)
  const bytes = (await Promise.all(of.map((thread) => listed(key, thread))))
    .flat()
    .reduce((sum, one) => sum + one.bytes, 0)
  expect(bytes).toBeLessThanOrEqual(1_000_000)
  for (const thread of of) await send(`DELETE /v1/threads/${thread}`, { key })
  await eventually(async () => JSON.stringify(await counted()) === '{"kept":0,"stored":0}')
})

it('an interrupted upload releases its reserved quota within seconds, and a completed one keeps it', async () => {
  await set({ files: { max_key_bytes: 33_554_432 } })
  const broken = await newThread(key)
  const other = await newThread(key)
  const ask = { key, headers: { 'Content-Length': '33554432' } }
  const put = (thread: string): Promise<Response> =>
    send(line('PUT', thread, 'uploads/x'), { key, body: bytesOf(200_000) })
  await refused(
    send(line('PUT', broken, 'uploads/x'), { ...ask, body: bytesOf(200_000, 'breaks') }),
    422,
    'invalid_request',
  )
  await eventually(async () => {
    await age(broken, FINISHED_UPLOAD_RETENTION_MS, workspace)
    await ring(broken, workspace)
    return (await put(other)).status < 300
  })
  expect(await listed(key, broken)).toEqual([])
  await age(other, FINISHED_UPLOAD_RETENTION_MS, workspace)
  await ring(other, workspace)
  expect(await listed(key, other)).toMatchObject([{ bytes: 200_000 }])
})

it('a tool that exceeds the quota gets an error, and its run continues', async () => {
  await set({ files: { max_key_bytes: 150_000 } })
  const write = (bytes: number) => ({
    calls: [
      {
        name: 'write_file',
        input: { path: `/mnt/user-data/outputs/${bytes}.txt`, content: 'x'.repeat(bytes) },
      },
    ],
  })
  modelReplies(({ messages }) =>
    messages.length === 1 ? write(150_001) : messages.length === 3 ? write(149_000) : { text: 'Done.' },
  )
  const { last, thread } = await chat({ message: 'Write' }, { key })
  expect(last?.type).toBe('run.completed')
  expect(JSON.stringify(requested.at(-1)?.messages)).toContain(
    'The files of all threads of this key may total 150000 bytes',
  )
  expect((await listed(key, thread)).map(({ bytes }) => bytes)).toEqual([149_000])
})
