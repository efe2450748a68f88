// Promise: a deployment restored elsewhere from a backup equals the original, whatever was interrupted on the way.
// Open runs end, and nothing acts twice.

import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { openArchive } from '../../scripts/backup/archive-reader.ts'
import { requestRestore, putArchive } from '../../scripts/backup/put.ts'
import { Client } from '../../src/client/client.ts'
import { ADMIN_KEY, finished, md, script, startSatchel, temporary, type Satchel } from './satchel.ts'
import { startTickets, type Tickets } from './tickets.ts'

const folder = temporary()
const FILE = join(folder, 'backup.tar')
let tickets: Tickets
let target: Satchel
let before: unknown
const made = { plain: '', fork: '', waiting: '', hook: '', schedule: '', key: '' }

/** The JSON of a response, which must be a success. */
async function got<T = Record<string, unknown>>(client: Client, line: string, body?: unknown): Promise<T> {
  const [method = '', path = ''] = line.split(' ')
  const answer = await client.json<T>(method, path, body)
  if (!answer.ok) throw new Error(`${line}: ${JSON.stringify(answer.error)}`)
  return answer.value.body
}

interface Listed<T = { readonly id: string }> {
  readonly data: readonly T[]
}

async function chat(client: Client, message: string, thread?: string): Promise<string> {
  const body = { message, stream: false, ...(thread === undefined ? {} : { thread_id: thread }) }
  return (await got<{ thread_id: string }>(client, 'POST /v1/chat', body)).thread_id
}

/** What must be equal afterwards. */
async function seen(client: Client): Promise<unknown> {
  const paths = [
    'admin/catalog',
    'admin/catalog/versions',
    'admin/skills/own/versions',
    'admin/settings',
    'admin/secrets',
    'admin/runs?status=completed',
    ...[made.plain, made.fork].flatMap((id) =>
      ['', '/messages', '/runs', '/files'].map((list) => `v1/threads/${id}${list}`),
    ),
  ]
  return Promise.all(paths.map((path) => got(client, `GET /${path}`)))
}

beforeAll(async () => {
  tickets = await startTickets()
  const source = await startSatchel({ args: tickets.args })
  const { client, url } = source
  try {
    for (const body of ['First.', 'Second.'])
      await got(client, 'POST /admin/skills', { files: { 'SKILL.md': md('own', body), 'notes.md': body } })
    await got(client, 'PATCH /admin/settings', { files: { max_files: 321 } })
    await got(client, 'PUT /admin/secrets/token', { value: 'a-secret-value', host: 'api.example.com' })
    made.key = (await got<{ key: string }>(client, 'POST /admin/keys', { role: 'chat', user: 'ann' })).key
    made.plain = await chat(client, '/own Find the walrus.')
    await got(
      client,
      `PUT /v1/threads/${made.plain}/files/uploads/large.bin`,
      new Uint8Array(300_000).fill(7),
    )
    await chat(client, 'And then?', made.plain)
    const { data } = await got<Listed>(client, `GET /v1/threads/${made.plain}/messages`)
    const cut = { message_id: data.find((message) => JSON.stringify(message).includes('And then?'))?.id }
    made.fork = (
      await got<{ thread_id: string }>(client, `POST /v1/threads/${made.plain}/fork`, cut)
    ).thread_id
    await got(client, 'PUT /admin/tools/create_ticket', JSON.parse(tickets.definition))
    made.waiting = await chat(client, 'Open a ticket: no sugar')
    made.hook = (await got<{ id: string }>(client, 'POST /admin/hooks', { name: 'Alerts' })).id
    const schedule = { name: 'Report', cron: '0 8 * * 1', message: 'Write the report.' }
    made.schedule = (await got<{ id: string }>(client, 'POST /admin/schedules', schedule)).id
    before = await seen(client)
    const { status, out } = await finished(script('backup.ts', [FILE, '--url', url]))
    expect(status, out).toBe(0)
    expect(out).toMatch(/backup\.tar has 3 threads and \d+ files, .*It is secret/)
  } finally {
    await source.stop()
  }
  target = await startSatchel({ args: tickets.args })
})
afterAll(async () => {
  await target?.stop()
  await tickets?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function restore(file: string): ReturnType<typeof finished> {
  return finished(script('restore.ts', [file, '--yes', '--url', target.url]))
}

test('an archive is readable by its owner only, and no incomplete file remains', async () => {
  expect(statSync(FILE).mode & 0o077).toBe(0)
  expect(existsSync(`${FILE}.partial`)).toBe(false)
  expect(readFileSync(FILE, 'latin1')).not.toMatch(new RegExp(`a-secret-value|${made.key}|${ADMIN_KEY}`))
})

test('a truncated or changed archive is refused, and nothing is sent', async () => {
  const broken = join(folder, 'broken.tar')
  const whole = readFileSync(FILE)
  const at = whole.indexOf('Find the walrus.')
  expect(at).toBeGreaterThan(0)
  whole.write('Find the zebras.', at)
  writeFileSync(broken, whole)
  const changed = await restore(broken)
  expect(changed.status).toBe(1)
  expect(changed.out).toContain('was damaged or changed at rows/threads/')
  for (const bytes of [whole.length - 1_024, Math.floor(whole.length / 2), 100, 0]) {
    copyFileSync(FILE, broken)
    truncateSync(broken, bytes)
    await expect(openArchive(broken, () => undefined)).rejects.toThrow('is not a complete backup')
  }
  expect(await got(target.client, 'GET /admin/keys')).toMatchObject({ data: [] })
})

test('an interrupted restore serves nobody until the command completes it', async () => {
  const archive = await openArchive(FILE, () => undefined)
  let left = archive.manifest.bytes.length + 3
  const client = new Client({
    url: target.url,
    key: ADMIN_KEY,
    wait: async () => undefined,
    fetch: async (address, init) => {
      if (left-- <= 0)
        return Response.json({ code: 'internal', status: 500, detail: 'Cut off.' }, { status: 500 })
      return fetch(address, init)
    },
  })
  const progress = { show: () => undefined, end: () => undefined }
  const ports = { client, url: target.url, say: () => undefined, complain: () => undefined, progress }
  await requestRestore(archive, ports)
  await expect(putArchive(archive, ports)).rejects.toThrow('Cut off.')
  await archive.close()
  const ready = await fetch(`${target.url}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('being restored')])
  const refusal = await fetch(`${target.url}/v1/threads`, {
    headers: { Authorization: `Bearer ${made.key}` },
  })
  expect([refusal.status, await refusal.text()]).toEqual([503, expect.stringContaining('being restored')])
  const { status, out } = await restore(FILE)
  expect(status, out).toBe(0)
  expect(out).toContain('Restored.')
})

test('versions, digests, transcripts, receipts and files are equal', async () => {
  expect(await seen(target.client)).toEqual(before)
  const file = await target.client.bytes(`/v1/threads/${made.plain}/files/uploads/large.bin`)
  const digest = createHash('sha256')
    .update(file.ok ? file.value : '')
    .digest('hex')
  expect(digest).toBe(createHash('sha256').update(new Uint8Array(300_000).fill(7)).digest('hex'))
})

test('chat continues, and a rollback works', async () => {
  const { client } = target
  expect(await chat(client, 'Go on.', made.plain)).toBe(made.plain)
  const { data } = await got<Listed<{ digest: string }>>(client, 'GET /admin/skills/own/versions')
  await got(client, 'POST /admin/skills/own/rollback', { to: data.at(-1)?.digest })
  expect(await got(client, 'GET /v1/skills/own')).toMatchObject({ digest: data.at(-1)?.digest })
})

test('a run that waited for approval ends with the reason, and nothing is sent', async () => {
  const { data } = await got<Listed<object>>(target.client, `GET /v1/threads/${made.waiting}/runs`)
  expect(data).toMatchObject([{ status: 'failed' }])
  expect(JSON.stringify(data)).toContain('A restored run does not continue')
  expect(await got(target.client, 'GET /v1/approvals')).toMatchObject({ data: [] })
  expect(tickets.received()).toEqual([])
})

test('the schedule is paused, and the hook works', async () => {
  expect(await got(target.client, `GET /admin/schedules/${made.schedule}`)).toMatchObject({ state: 'paused' })
  const accepted = await got(target.client, `POST /admin/hooks/${made.hook}/test`, { payload: { a: 1 } })
  expect(accepted).toMatchObject({ run_id: expect.stringMatching(/^run_/) })
})

test('a second restore is refused', async () => {
  const { status, out } = await restore(FILE)
  expect(status).toBe(1)
  expect(out).toContain('409 not_empty')
})
