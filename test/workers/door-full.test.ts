// Guards that one chat key cannot fill the object that everybody of its workspace needs: threads, their metadata and files
// have bounds, which any number of requests at once keep. A full table refuses new threads and nothing else.

import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { objects } from '../../src/env.ts'
import { METADATA_MAX_BYTES } from '../../src/limits.ts'
import {
  asked,
  chat,
  eventually,
  finished,
  foreignKey,
  got,
  messageOf,
  modelSays,
  refused,
  send,
  serveSkills,
} from './door-fixture.ts'

let workspaces = 0
let workspace = ''
let admin = ''
let key = ''

beforeEach(async () => {
  await serveSkills([{ name: 'alpha' }])
  workspace = `full-${++workspaces}`
  admin = await foreignKey(workspace, 'admin')
  key = await foreignKey(workspace, 'chat')
  modelSays()
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

it('metadata has a bound as a whole, in a message, in a change and in both together', async () => {
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
  // Counted as it is stored: three bytes a letter.
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

it('a key has so many threads, however many it begins at once, by whatever route; other keys go on', async () => {
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
  // What is there goes on, and so does everybody else.
  expect((await chat({ message: 'More', thread_id: first.thread }, { key })).last?.type).toBe('run.completed')
  const other = await foreignKey(workspace, 'chat')
  expect((await chat({ message: 'Hello' }, { key: other })).last?.type).toBe('run.completed')
  // A thread that goes makes room for one.
  await send(`DELETE /v1/threads/${(await threads()).find((id) => id !== first.thread)}`, { key })
  await got(fork(), 201)
  await refused(hello(), 413, 'storage_full')
})

it('a full workspace takes no new thread of anybody, and everything else', async () => {
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
  // A report of a thread that it has never heard of is heard, as one of a thread that was begun while it was away.
  const info = await got<object>(send(`GET /v1/threads/${first.thread}`, { key }))
  const late = { ...info, id: 'th_late' } as Parameters<ReturnType<typeof api>['record']>[0]['info']
  expect(await api().record({ owner: 'key:x', made_by: 'x', info: late }, null)).toEqual({
    ok: true,
    value: null,
  })
  expect(await threads(admin)).toHaveLength(2)
  await api().forget('th_late')
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

it('a message whose budget pays for no answer is refused at the budget, and leaves nothing', async () => {
  for (const budget of [{ tokens: 1 }, { tokens: 1_024 }]) {
    const problem = await refused(hello(key, { budget }), 422, 'invalid_request')
    expect(problem.errors).toEqual([{ path: 'budget', message: 'does not pay for a first answer' }])
  }
  expect(await threads()).toEqual([])
  expect(asked).toEqual([])
})
