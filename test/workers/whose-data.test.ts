// Guards the data of one user: an export has everything, a deletion leaves no word of it in any table, object or key,
// whatever is interrupted, and neither touches the data of others. Unused threads are deleted only if nobody uses
// them.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { unpackTar } from 'modern-tar'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromUtf8 } from '../../src/lib/bytes.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { Thread } from '../../src/thread/thread.ts'
import type { RunInfo, UsageReport } from '../../src/workspace/run-api.ts'
import type { UserDeletion } from '../../src/workspace/user-api.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { World } from '../fault/world.ts'
import {
  chat,
  finished,
  got,
  makeKey,
  messageOf,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'
import { newThread, put } from './files-fixture.ts'
import { completed, deliver, makeHook, signed, type Accepted } from './hook-requests.ts'
import { locationsOf } from './stored.ts'

const world = new World()

// The built-in tools of new threads, and one that needs approval. Protected, because only tests replace it.
const bound = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    const real = bound.call(this)
    return { ...real, tools: () => [...real.tools(), world.paying()], whyUnreachable: async () => null }
  },
})

beforeAll(() => serveSkills([{ name: 'alpha' }]))

const workspace = (): DurableObjectStub<Workspace> =>
  env.WORKSPACES.getByName('default') as DurableObjectStub<Workspace>

/** Every place where a user can put text, with the text: the name of the field, then the user's own word. */
const FIELDS = [
  'keynote',
  'message',
  'answer',
  'title',
  'metadata',
  'context',
  'todo',
  'written',
  'smallfile',
  'smallname',
  'largefile',
  'rating',
  'payinput',
  'denynote',
  'waiting',
  'emptyfile',
  'forked',
  'delivery',
  'idempotency',
] as const

type Field = (typeof FIELDS)[number]

interface Planted {
  readonly user: string
  readonly key: string
  readonly keyId: string
  readonly threads: readonly string[]
}

/** Uses everything once, as a user whose texts all contain `own`. */
async function plant(own: string): Promise<Planted> {
  const user = `user ${own}/é`
  const word = (field: Field): string => `${field}${own}`
  const body = { role: 'chat', user, note: word('keynote') }
  const { id, key } = await got<{ id: string; key: string }>(send('POST /admin/keys', { body }), 201)
  modelReplies((request) => {
    const last = JSON.stringify(request.messages.at(-1))
    if (last.includes(word('payinput')) || last.includes(word('waiting')))
      return {
        calls: [
          {
            name: 'pay',
            input: { amount: 1, for: last.includes('waiting') ? word('waiting') : word('payinput') },
          },
        ],
      }
    if (!last.includes(word('message'))) return { text: word('answer') }
    return {
      calls: [
        { name: 'write_todos', input: { items: [{ text: word('todo'), status: 'completed' }] } },
        { name: 'write_file', input: { path: '/mnt/user-data/outputs/x.txt', content: word('written') } },
      ],
    }
  })
  const first = await chat(
    {
      message: word('message'),
      metadata: { a: word('metadata') },
      context: { b: word('context') },
      plan: true,
    },
    { key, headers: { 'Idempotency-Key': word('idempotency') } },
  )
  expect(first.last?.type).toBe('run.completed')
  const at = `/v1/threads/${first.thread}`
  await got(send(`PATCH ${at}`, { key, body: { title: word('title') } }))
  await put(key, first.thread, `uploads/${word('smallname')}.txt`, word('smallfile'))
  await put(key, first.thread, 'uploads/large.txt', word('largefile').padEnd(200_000, '.'))
  await got(
    send(`POST ${at}/runs/${first.run}/rating`, { key, body: { value: 'down', note: word('rating') } }),
  )
  const paying = await got<{ url: string; thread_id: string; tool_use_ids: string[] }>(
    send('POST /v1/chat', { key, body: { message: word('payinput'), stream: false } }),
    202,
  )
  const deny = { decision: 'deny', note: word('denynote') }
  await got(send(`POST ${paying.url}/approvals/${paying.tool_use_ids[0]}`, { key, body: deny }))
  const waits = await got<{ thread_id: string }>(
    send('POST /v1/chat', { key, body: { message: word('waiting'), stream: false } }),
    202,
  )
  const empty = await newThread(key)
  await put(key, empty, 'uploads/e.txt', word('emptyfile'))
  const more = await chat({ message: word('forked'), thread_id: first.thread }, { key })
  const { data } = await got<{ data: { id: string; run_id: string }[] }>(
    send(`GET ${at}/messages?limit=100`, { key }),
  )
  const message_id =
    data.find(({ run_id }) => run_id === more.run)?.id ?? (await messageOf(first.thread, key))
  const fork = await got<{ thread_id: string }>(send(`POST ${at}/fork`, { key, body: { message_id } }), 201)
  const again = await chat({ message: word('forked'), thread_id: fork.thread_id }, { key })
  expect(again.last?.type).toBe('run.completed')
  const hook = await makeHook({ user })
  const accepted = await got<Accepted>(
    deliver(hook, signed(hook.secret, `msg_${own}x`.slice(0, 5), `{"title":"${word('delivery')}"}`)),
    202,
  )
  await completed(accepted)
  const threads = [first.thread, paying.thread_id, waits.thread_id, empty, fork.thread_id, accepted.thread_id]
  // All are listed, with what happened last.
  await eventually(async () => {
    const listed = await got<{ data: { id: string; status: string; title: string }[] }>(
      send('GET /v1/threads?limit=100', { key }),
    )
    const isSettled = listed.data.every((thread) => thread.id === waits.thread_id || thread.status === 'idle')
    return listed.data.length === threads.length - 1 && isSettled
  })
  return { user, key, keyId: id, threads }
}

/** The entries of an export. */
async function exported(line: string, key?: string): Promise<ReadonlyMap<string, string>> {
  const response = await send(line, key === undefined ? {} : { key })
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/x-tar')
  const entries = await unpackTar(await response.arrayBuffer())
  return new Map(entries.map(({ header, data }) => [header.name, fromUtf8(data ?? new Uint8Array()) ?? '']))
}

const deletionOf = (user: string): string => `/admin/users/${encodeURIComponent(user)}`

/** Lets the alarm do its work until the deletion is done, as if a minute had passed. */
async function untilDone(user: string): Promise<UserDeletion> {
  return eventually(
    async () => {
      await runInDurableObject(workspace(), (_, { storage }) => {
        storage.sql.exec(
          'UPDATE user_deletions SET requested_at = requested_at - 100000, due_at = 0 WHERE finished_at IS NULL',
        )
      })
      // Whatever was interrupted continues.
      await evictDurableObject(workspace())
      await runDurableObjectAlarm(workspace())
      return got<UserDeletion>(send(`GET ${deletionOf(user)}/deletion`))
    },
    ({ state }) => state === 'done',
  )
}

describe('a user', () => {
  it('gets everything in an export, and a deletion leaves no word and changes nothing of others', async () => {
    const receiver = {
      url: 'https://receiver.example.com/',
      events: ['run.completed', 'run.waiting'],
      answer: true,
    }
    await got(send('POST /admin/endpoints', { body: receiver }), 201)
    const [own, other] = ['vexzulon', 'brimtopaz']
    const ann = await plant(own)
    const ben = await plant(other)
    const before = await exported('GET /v1/me/export', ann.key)
    const all = [...before].flat().join('\n')
    // The request's key is not content, and the question of a hook is its message.
    for (const field of FIELDS.filter((name) => name !== 'idempotency'))
      expect(all).toContain(`${field}${own}`)
    expect(all).not.toContain(other)
    expect(JSON.parse(before.get('report.json') ?? '')).toMatchObject({ complete: true, skipped: [] })
    for (const thread of ann.threads) expect(before.has(`threads/${thread}/thread.json`)).toBe(true)
    expect(before.get(`threads/${ann.threads[0]}/files/uploads/large.txt`)).toHaveLength(200_000)
    expect(JSON.parse(before.get('account.json') ?? '')).toMatchObject({
      user: ann.user,
      keys: [{ id: ann.keyId }],
      usage: [{ runs: expect.any(Number) }],
    })
    // The same for an admin, and only for one.
    const query = `user=${encodeURIComponent(ann.user)}`
    const entries = [...before.keys()]
    expect([...(await exported(`GET /admin/export?${query}`)).keys()]).toEqual(entries)
    await refused(send(`GET /admin/export?${query}`, { key: ann.key }), 403, 'forbidden')
    const cursor = encodeURIComponent(entries[5] ?? '')
    const rest = await exported(`GET /v1/me/export?cursor=${cursor}`, ann.key)
    expect([...rest.keys()]).toEqual(entries.slice(5))
    await refused(send('GET /v1/me/export?cursor=x', { key: ann.key }), 400, 'bad_cursor')

    // Events in the outbox of a thread are passed on, and runs are added to the sums, at some time.
    const locationsOfBen = async (): Promise<readonly string[]> =>
      (await locationsOf(other)).filter((location) => !/ (outbox|usage_days)$/.test(location))
    const bensLocations = await locationsOfBen()
    const bensExport = await exported('GET /v1/me/export', ben.key)
    const usage = (): Promise<UsageReport> => got(send('GET /admin/usage?by=day,user'))
    const used = await usage()
    const sumOf = ({ data }: UsageReport, value: string): number =>
      data.find((row) => row.value === value)?.runs ?? 0

    const begun = await got<UserDeletion>(send(`DELETE ${deletionOf(ann.user)}`), 202)
    expect(begun).toMatchObject({ state: 'running', removed: { keys: 1 } })
    expect(await got(send(`DELETE ${deletionOf(ann.user)}`), 202)).toMatchObject({ id: begun.id })
    await refused(send('GET /v1/me', { key: ann.key }), 401, 'unauthenticated')
    await refused(send('POST /admin/keys', { body: { role: 'chat', user: ann.user } }), 410, 'gone')
    // Isolates that still cache the key start nothing for it.
    const run = { thread: 'th_x', run: 'run_x', key: ann.keyId, queued: false, until: Date.now() + 60_000 }
    const late = await workspace().admit({ ...run, begins: true }, false)
    expect(late).toMatchObject({ ok: false, error: { code: 'gone' } })
    expect(await workspace().admitThread('th_x', ann.keyId)).toMatchObject({ error: { code: 'gone' } })

    const done = await untilDone(ann.user)
    expect(done).toMatchObject({ id: begun.id, threads_left: 0, finished_at: expect.any(String) })
    expect(done.removed).toMatchObject({ keys: 1, hooks: 1, schedules: 0, approvals: 1, runs: 6 })
    expect(done.removed.file_bytes).toBeGreaterThan(200_000)
    expect(done.removed.texts).toBeGreaterThan(5)
    // The audit keeps the user's name, and no texts.
    expect((await locationsOf(own)).filter((location) => !location.endsWith(' audit'))).toEqual([])
    expect(await locationsOf(`note${own}`)).toEqual([])
    // Sums and rows keep what was used, but not whose it was.
    const after = await usage()
    // The waiting run has ended.
    expect(after.runs).toBe(used.runs + 1)
    expect(after.charged.usd).toBeGreaterThanOrEqual(used.charged.usd)
    expect(sumOf(after, '')).toBe(sumOf(used, ann.user) + 1)
    expect(sumOf(after, ben.user)).toBe(sumOf(used, ben.user))
    const { data } = await got<{ data: RunInfo[] }>(send(`GET /admin/runs?key=${ann.keyId}`))
    expect(data.length).toBeGreaterThan(3)
    for (const row of data) expect(row).toMatchObject({ user: null, thread_id: null, skills: [] })

    expect(await locationsOfBen()).toEqual(bensLocations)
    expect(await exported('GET /v1/me/export', ben.key)).toEqual(bensExport)
    // A second deletion has nothing to do, and a new key of that name starts over.
    expect(await got(send(`DELETE ${deletionOf(ann.user)}`))).toMatchObject({ id: begun.id, state: 'done' })
    const again = await got<{ key: string }>(
      send('POST /admin/keys', { body: { role: 'chat', user: ann.user } }),
      201,
    )
    await finished(again.key)
  })

  it("that does not exist is not deleted, and a key without a user exports the key's own data", async () => {
    modelReplies()
    await refused(send('DELETE /admin/users/nobody'), 404, 'not_found')
    await refused(send('GET /admin/users/nobody/deletion'), 404, 'not_found')
    const alone = await makeKey('chat')
    const { thread } = await finished(alone.key)
    await finished((await makeKey('chat')).key)
    const entries = await exported('GET /v1/me/export', alone.key)
    expect([...entries.keys()].filter((name) => name.endsWith('thread.json'))).toEqual([
      `threads/${thread}/thread.json`,
    ])
    expect(JSON.parse(entries.get('account.json') ?? '')).toMatchObject({
      user: null,
      keys: [{ id: alone.id }],
    })
    expect((await send('HEAD /v1/me/export', { key: alone.key })).headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="export-.*\.tar"$/,
    )
  })
})

describe('a setting', () => {
  const LONG_AGO = Date.parse('2020-01-01T00:00:00Z')

  async function age(thread: string, inThread: boolean): Promise<void> {
    await runInDurableObject(workspace(), (_, { storage }) => {
      const at = new Date(LONG_AGO).toISOString()
      storage.sql.exec('UPDATE threads SET updated_at = ? WHERE id = ?', at, thread)
    })
    if (!inThread) return
    const stub = env.THREADS.getByName(`default/${thread}`)
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('UPDATE thread SET updated_at = ?', LONG_AGO)
    })
    await evictDurableObject(stub)
  }

  it('deletes threads that nobody used for days, but none with an open run', async () => {
    modelReplies(({ messages }) =>
      JSON.stringify(messages).includes('Pay') ? { calls: [{ name: 'pay', input: {} }] } : { text: 'Done.' },
    )
    const { key } = await makeKey('chat', 'retained')
    const [old, used, young] = [await finished(key), await finished(key), await finished(key)]
    const waiting = await got<{ thread_id: string }>(
      send('POST /v1/chat', { key, body: { message: 'Pay', stream: false } }),
      202,
    )
    await age(old.thread, true)
    await age(waiting.thread_id, true)
    // The list may be behind the thread.
    await age(used.thread, false)
    const status = async (id: string): Promise<number> =>
      (await send(`GET /v1/threads/${id}`, { key })).status
    await runDurableObjectAlarm(workspace())
    expect(await status(old.thread)).toBe(200)
    await got(send('PATCH /admin/settings', { body: { retention: { thread_days: 30 } } }))
    await eventually(async () => {
      await runDurableObjectAlarm(workspace())
      return (await status(old.thread)) === 404
    })
    for (const id of [used.thread, young.thread, waiting.thread_id]) expect(await status(id)).toBe(200)
    await got(send('PATCH /admin/settings', { body: { retention: { thread_days: null } } }))
    await runDurableObjectAlarm(workspace())
    await runInDurableObject(workspace(), async (_, { storage }) =>
      expect(await storage.getAlarm()).toBeNull(),
    )
  })
})
