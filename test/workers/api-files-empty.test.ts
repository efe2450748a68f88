// Guards threads created for files before their first message: nobody else sees them, the first message completes them, and one
// without a message is deleted after a day with its files.

import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { newId } from '../../src/lib/ids.ts'
import { REQUEST_BODY_MAX_BYTES } from '../../src/api/bodies/limits.ts'
import { EMPTY_THREAD_RETENTION_MS } from '../../src/limits/files.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { ThreadInfo } from '../../src/thread/api.ts'
import { plan } from '../fault/plan.ts'
import { requested, chat, got, makeKey, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import { bytesOf, keptInR2, line, listed, newThread, put, ring } from './files-fixture.ts'

let key = ''
const ANN = { workspace: 'default', keyId: 'k', role: 'chat', user: 'ann' } as const

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }, { name: 'beta' }])
  key = (await makeKey('chat', 'ann')).key
})

async function ids(): Promise<readonly string[]> {
  const { data } = await got<{ data: ThreadInfo[] }>(send('GET /v1/threads?limit=100', { key }))
  return data.map(({ id }) => id)
}

describe('POST /v1/threads', () => {
  it('creates a thread, with no body or an empty object', async () => {
    for (const ask of [{}, { body: '' }, { body: {} }, { body: ' {} ' }]) {
      const response = await send('POST /v1/threads', { key, ...ask })
      const { thread_id } = await response.clone().json<{ thread_id: string }>()
      expect(response.headers.get('Location')).toBe(`/v1/threads/${thread_id}`)
      expect(await got(Promise.resolve(response), 201)).toEqual({
        thread_id: expect.stringMatching(/^th_[0-9a-z]{24}$/),
      })
      expect(await listed(key, thread_id)).toEqual([])
    }
  })

  it('refuses a body with fields', async () => {
    await refused(send('POST /v1/threads', { key, body: { id: newId('th') } }), 422, 'invalid_request')
    await refused(send('POST /v1/threads', { key, body: '[]' }), 422, 'invalid_request')
    await refused(send('POST /v1/threads', { key, body: '{' }), 400, 'bad_json')
    const text = { key, body: '{}', headers: { 'Content-Type': 'text/plain' } }
    await refused(send('POST /v1/threads', text), 415, 'unsupported_media_type')
    const long = { key, body: bytesOf(REQUEST_BODY_MAX_BYTES + 1) }
    await refused(send('POST /v1/threads', long), 413, 'too_large')
    await refused(send('POST /v1/threads?title=x', { key }), 422, 'invalid_request')
  })

  it('counts as a message does', async () => {
    const limited = (await makeKey('chat')).key
    const CHAT_RATE = { limit: async () => ({ success: false }) }
    await send('POST /v1/threads', { key: limited, env: { CHAT_RATE } })
    for (let turn = 0; ; turn++) {
      const response = await send('POST /v1/threads', { key: limited, env: { CHAT_RATE } })
      if (response.status === 429) {
        await refused(Promise.resolve(response), 429, 'rate_limited')
        break
      }
      expect(turn).toBeLessThan(2_000)
      await scheduler.wait(5)
    }
    const chatted = { key: limited, body: { message: 'Hello' }, env: { CHAT_RATE } }
    await refused(send('POST /v1/chat', chatted), 429, 'rate_limited')
  })
})

it('threads without a message have their own limit per minute, which messages do not use', async () => {
  const busy = (await makeKey('chat')).key
  const requested: string[] = []
  const MATCH_RATE: RateLimit = {
    limit: async ({ key: by }) => {
      requested.push(by)
      return { success: false }
    },
  }
  const make = (): Promise<Response> => send('POST /v1/threads', { key: busy, env: { MATCH_RATE } })
  expect((await make()).status).toBe(201)
  await expect.poll(() => requested.length).toBe(1)
  await refused(make(), 429, 'rate_limited')
  const chatted = { key: busy, body: { message: 'Hello' }, env: { MATCH_RATE } }
  expect((await send('POST /v1/chat', chatted)).status).toBeLessThan(300)
})

describe('a thread without a message', () => {
  it('is in no list, and is visible to its owner only', async () => {
    const thread = await newThread(key)
    expect(await ids()).not.toContain(thread)
    await got(send(`GET /v1/threads/${thread}`, { key }))
    const other = (await makeKey('chat', 'ben')).key
    await refused(send(`GET /v1/threads/${thread}`, { key: other }), 404, 'not_found')
    await refused(
      send('POST /v1/chat', { key: other, body: { message: 'x', thread_id: thread } }),
      404,
      'not_found',
    )
  })

  it('takes model and skills from its first message, and keeps them and its files', async () => {
    const thread = await newThread(key)
    await put(key, thread, 'uploads/a.csv', 'a,b')
    modelReplies()
    const first = { message: 'Look at it', thread_id: thread, model: 'demo', skills: { allow: ['beta'] } }
    expect((await chat(first, { key })).last?.type).toBe('run.completed')
    expect(await ids()).toContain(thread)
    const output = JSON.stringify(requested[0])
    expect(output).toContain('/mnt/user-data/uploads/a.csv')
    expect([output.includes('skills/public/beta'), output.includes('skills/public/alpha')]).toEqual([
      true,
      false,
    ])
    const frozen = { message: 'More', thread_id: thread, skills: { allow: ['alpha'] } }
    await refused(send('POST /v1/chat', { key, body: frozen }), 409, 'prefix_frozen')
    await ring(thread)
    expect((await listed(key, thread)).map(({ path }) => path)).toEqual(['uploads/a.csv'])
  })

  it('is deleted with its files after a day, and no sooner', async () => {
    const thread = newId('th')
    const at = systemClock()
    let now = at
    plan('default', thread, { now: () => now })
    await objects(env).thread('default', thread).createEmpty(ANN, thread)
    await put(key, thread, 'uploads/large.bin', bytesOf(300_000))
    expect(await keptInR2(thread)).toHaveLength(1)
    now = at + EMPTY_THREAD_RETENTION_MS - 1
    await ring(thread)
    expect(await listed(key, thread)).toHaveLength(1)
    now = at + EMPTY_THREAD_RETENTION_MS
    await ring(thread)
    await refused(send(line('GET', thread), { key }), 404, 'not_found')
    expect(await keptInR2(thread)).toEqual([])
  })

  it('stays after a day if it got a message', async () => {
    const thread = newId('th')
    const at = systemClock()
    let now = at
    plan('default', thread, { now: () => now })
    await objects(env).thread('default', thread).createEmpty(ANN, thread)
    await chat({ message: 'Hello', thread_id: thread }, { key })
    now = at + 2 * EMPTY_THREAD_RETENTION_MS
    await ring(thread)
    await got(send(`GET /v1/threads/${thread}`, { key }))
  })
})
