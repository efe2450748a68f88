// Guards the backup of a deployment: one that is restored into an empty deployment is the same, continues where
// nothing was open, and does nothing twice.

import { reset, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/agent/events.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { Thread } from '../../src/thread/thread.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { World } from '../fault/world.ts'
import { chat, got, makeKey, modelReplies, publish, refused, send, serveSkills } from './api-fixture.ts'
import { actions } from './audited-route.ts'
import { backUp, pagesOf, restore, tablesIn, type Archive } from './backup-fixture.ts'
import { bytesOf, put } from './files-fixture.ts'
import { deliver, signed, type Made } from './hook-requests.ts'

const world = new World()
const bound = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    return { ...bound.call(this), tools: () => [world.paying()], whyUnreachable: async () => null }
  },
})

interface Listed<T> {
  readonly data: readonly T[]
}

/** What an admin sees of everything that a restore must not change. */
async function seen(threads: readonly string[]): Promise<unknown> {
  const all = await Promise.all(
    [
      '/admin/catalog',
      '/admin/catalog/versions',
      '/admin/skills/own/versions',
      '/admin/skills/own/history',
      '/admin/keys',
      '/admin/settings/history',
      '/admin/secrets',
      '/admin/runs?status=completed&limit=100',
      ...threads.flatMap((id) => [
        `/v1/threads/${id}`,
        `/v1/threads/${id}/messages`,
        `/v1/threads/${id}/runs`,
        `/v1/threads/${id}/files`,
      ]),
    ].map((path) => got(send(`GET ${path}`))),
  )
  return JSON.parse(JSON.stringify(all), (name, value: unknown) => (name === 'last_used_at' ? null : value))
}

let archive: Archive
let before: unknown
const made = {
  ann: '',
  plain: '',
  fork: '',
  waiting: '',
  run: '',
  hook: '',
  schedule: '',
  endpoint: '',
  file: '',
}
let hooked: Made = { id: '', url: '', secret: '' }
let promised = { delivery_id: '', thread_id: '', run_id: '' }

beforeAll(async () => {
  await serveSkills([{ name: 'alpha', body: 'The procedure of alpha.' }])
  made.ann = (await makeKey('chat', 'ann')).key
  await publish({ name: 'own', body: 'The first version.' })
  await publish({ name: 'own', body: 'The second version.', files: { 'notes.md': 'A note.' } })
  await got(send('PATCH /admin/settings', { body: { files: { max_files: 321 } } }))
  await got(send('PUT /admin/secrets/token', { body: { value: 'a-secret-value', host: 'api.example.com' } }))
  modelReplies()
  const first = await chat({ message: '/own Find the walrus.' }, { key: made.ann })
  made.plain = first.thread
  await put(made.ann, made.plain, 'uploads/large.bin', bytesOf(200_000))
  await put(made.ann, made.plain, 'uploads/small.txt', 'small')
  await chat({ message: 'And the second question.', thread_id: made.plain }, { key: made.ann })
  const { data } = await got<Listed<{ id: string }>>(send(`GET /v1/threads/${made.plain}/messages`))
  const cut = { message_id: data.at(-2)?.id }
  made.fork = (
    await got<{ thread_id: string }>(
      send(`POST /v1/threads/${made.plain}/fork`, { key: made.ann, body: cut }),
      201,
    )
  ).thread_id
  modelReplies((request) =>
    request.messages.length === 1 ? { calls: [{ name: 'pay', input: { amount: 10 } }] } : { text: 'Done.' },
  )
  const waits = await got<{ thread_id: string; run_id: string }>(
    send('POST /v1/chat', { key: made.ann, body: { message: 'Pay.', stream: false } }),
    202,
  )
  made.waiting = waits.thread_id
  made.run = waits.run_id
  modelReplies()
  const hook = { name: 'Alerts', keep_days: 0 }
  hooked = await got(send('POST /admin/hooks', { body: hook }), 201)
  made.hook = hooked.id
  promised = await got(send(`POST /admin/hooks/${made.hook}/test`, { body: { payload: { a: 1 } } }), 202)
  const schedule = { name: 'Report', cron: '0 8 * * 1', message: 'Write the report.' }
  made.schedule = (await got<{ id: string }>(send('POST /admin/schedules', { body: schedule }), 201)).id
  const endpoint = { url: 'https://receiver.example.com/', events: ['run.completed', 'run.failed'] }
  made.endpoint = (await got<{ id: string }>(send('POST /admin/endpoints', { body: endpoint }), 201)).id
  await eventually(async () => {
    const { data: approvals } = await got<Listed<object>>(send('GET /v1/approvals'))
    return approvals.length === 1
  })
  await eventually(async () => {
    const listed = await got<Listed<{ id: string }>>(send('GET /v1/threads?limit=100'))
    return [made.plain, made.fork, made.waiting, promised.thread_id].every((id) =>
      listed.data.some((thread) => thread.id === id),
    )
  })
  await delivery('recorded')
  before = await seen([made.plain, made.fork])
  archive = await backUp()
  await reset()
  await restore(archive)
})

/** Makes the delivery one that waits: with the IDs of a run that does not exist, and a body that is not kept otherwise. */
async function delivery(state: string): Promise<void> {
  promised = { ...promised, thread_id: `th_${'w'.repeat(24)}`, run_id: `run_${'w'.repeat(24)}` }
  await runInDurableObject(env.HOOKS.getByName(made.hook), (_, { storage: { sql } }) => {
    sql.exec(
      'UPDATE deliveries SET state = ?, thread_id = ?, run_id = ?, next_try_at = ?',
      state,
      promised.thread_id,
      promised.run_id,
      Date.now() + 60_000,
    )
    sql.exec(
      "INSERT OR IGNORE INTO payloads (ord, received_at, headers, body, bytes) SELECT ord, received_at, '{}', ?, 7 FROM deliveries",
      new TextEncoder().encode('{"a":1}').buffer,
    )
  })
}

describe('a restored deployment', () => {
  it('has the same versions, digests, transcripts, receipts, files, keys and sums', async () => {
    expect(await seen([made.plain, made.fork])).toEqual(before)
    const file = await send(`GET /v1/threads/${made.plain}/files/uploads/large.bin`, { key: made.ann })
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(
      new Uint8Array(await new Response(bytesOf(200_000)).arrayBuffer()),
    )
  })

  it('has the same rows, except for open work', async () => {
    for (const name of [`threads/${made.plain}`, `threads/${made.fork}`, 'catalog'])
      expect(tablesIn(await pagesOf(name))).toEqual(tablesIn(archive.pages.get(name) ?? []))
  })

  it('finds the words of its threads', async () => {
    const { data } = await got<Listed<{ id: string }>>(send('GET /v1/threads?q=walrus', { key: made.ann }))
    expect(data.map(({ id }) => id)).toContain(made.plain)
  })

  it('continues chats with the same skills', async () => {
    const { last } = await chat({ message: 'Go on.', thread_id: made.plain }, { key: made.ann })
    expect(last?.type).toBe('run.completed')
  })

  it('rolls a skill back to its first version', async () => {
    const { data } = await got<Listed<{ digest: string }>>(send('GET /admin/skills/own/versions'))
    const body = { to: data.at(-1)?.digest }
    await got(send('POST /admin/skills/own/rollback', { body }))
    const skill = await got<{ digest: string }>(send('GET /v1/skills/own', { key: made.ann }))
    expect(skill.digest).toBe(data.at(-1)?.digest)
  })

  it('ends the waiting run with a reason, and asks nobody for approval', async () => {
    const receipt = await got<Receipt>(send(`GET /v1/threads/${made.waiting}/runs/${made.run}`))
    expect(receipt).toMatchObject({ status: 'failed', stop_reason: 'internal' })
    expect(JSON.stringify(receipt)).toContain('A restored run does not continue')
    expect(await got(send('GET /v1/approvals'))).toMatchObject({ data: [] })
    const { data } = await got<Listed<{ run_id: string; status: string }>>(send('GET /admin/runs?limit=100'))
    expect(data.filter(({ run_id }) => run_id === made.run)).toMatchObject([{ status: 'failed' }])
    const { last } = await chat({ message: 'Then not.', thread_id: made.waiting }, { key: made.ann })
    expect(last?.type).toBe('run.completed')
  })

  it('notifies no endpoint of that end', async () => {
    const { data } = await got<Listed<{ type: string; state: string }>>(
      send(`GET /admin/endpoints/${made.endpoint}/log`),
    )
    expect(data.filter(({ type }) => type === 'run.failed')).toEqual([])
  })

  it('pauses schedules', async () => {
    expect(await got(send(`GET /admin/schedules/${made.schedule}`))).toMatchObject({
      state: 'paused',
      next: [],
    })
  })

  it('keeps a waiting delivery paused until it is replayed, which starts the promised run', async () => {
    const path = `/admin/hooks/${made.hook}/deliveries/${promised.delivery_id}`
    expect(await got(send(`GET ${path}`))).toMatchObject({
      state: 'paused',
      run_id: promised.run_id,
      reason: expect.stringContaining('Replay it'),
    })
    await refused(send(`GET /v1/threads/${promised.thread_id}`), 404, 'not_found')
    expect(await got(send(`POST ${path}/replay`), 202)).toEqual({ ...promised, created: true })
    await eventually(async () => {
      const info = await got<{ state: string }>(send(`GET ${path}`))
      return info.state === 'started'
    })
    await got(send(`GET /v1/threads/${promised.thread_id}/runs/${promised.run_id}`))
    await got(send(`POST /admin/hooks/${made.hook}/test`, { body: { payload: { b: 2 } } }), 202)
  })

  it('verifies deliveries with the same secret, which the backup has only sealed', async () => {
    expect(JSON.stringify([...archive.pages])).not.toContain(hooked.secret.slice('whsec_'.length))
    await got(deliver(hooked, signed(hooked.secret, 'msg_after')), 202)
  })

  it('has the audit of the backup, followed by the restore', async () => {
    const names = (await actions('limit=100')).map(({ action }) => action).toReversed()
    const at = (name: string): number => names.indexOf(name)
    expect(at('settings.change')).toBeGreaterThanOrEqual(0)
    expect(at('backup.read')).toBeGreaterThan(at('settings.change'))
    expect(at('restore.create')).toBeGreaterThan(at('backup.read'))
    expect(at('restore.finish')).toBeGreaterThan(at('restore.create'))
  })
})
