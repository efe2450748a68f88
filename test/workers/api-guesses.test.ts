// Guards against guessing: a made-up key or hook creates no object, has no body read, and learns nothing.

import { listDurableObjectIds } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { randomToken } from '../../src/lib/ids.ts'
import { inParallel } from '../../src/lib/parallel.ts'
import { WEBHOOK_BODY_MAX_BYTES } from '../../src/limits/requests.ts'
import { newHookId } from '../../src/webhooks/hook-id.ts'
import { foreignKey, got, makeKey, refused, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

const GUESSES = 300

beforeAll(() => serveSkills([{ name: 'alpha' }]))

async function objectsThere(): Promise<readonly string[]> {
  const all = [env.WORKSPACES, env.HOOKS, env.THREADS, env.CATALOGS]
  const ids = await Promise.all(all.map((namespace) => listDurableObjectIds(namespace)))
  return ids.flat().map(String).toSorted()
}

/** Guesses as good as possible: valid in form, half of them for a workspace that everybody knows. */
function workspaceOfGuess(at: number): string {
  return at % 2 === 0 ? 'default' : `team-${at}`
}

async function guess(each: (at: number) => Promise<void>): Promise<void> {
  await inParallel(
    Array.from({ length: GUESSES }, (_, at) => at),
    50,
    each,
  )
}

it('guessed keys create no object', async () => {
  const before = await objectsThere()
  await guess(async (at) => {
    const key = `sk_${workspaceOfGuess(at)}_${randomToken(24)}_${randomToken(40)}`
    await refused(send('GET /v1/threads', { key }), 401, 'unauthenticated')
  })
  expect(await objectsThere()).toEqual(before)
})

it('guessed hooks create no object, and none of their bodies is read', async () => {
  const before = await objectsThere()
  let pulled = 0
  await guess(async (at) => {
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(65_536))
        },
      },
      { highWaterMark: 0 },
    )
    const path = `/hooks/hk_${workspaceOfGuess(at)}_${randomToken(36)}`
    await refused(send(`POST ${path}`, { key: null, body }), 404, 'not_found')
  })
  expect(pulled).toBe(0)
  expect(await objectsThere()).toEqual(before)
})

it('guessed hooks from one address are answered 429 after a while', async () => {
  const headers = { 'CF-Connecting-IP': 'guesser-of-hooks' }
  const statuses = new Set<number>()
  for (let at = 0; at < 200 && !statuses.has(429); at++) {
    const response = await send(`POST /hooks/hk_default_${randomToken(36)}`, { key: null, body: {}, headers })
    statuses.add(response.status)
  }
  expect(statuses).toEqual(new Set([404, 429]))
})

it('forged deliveries from one address are refused unread after a while; other hooks are not affected', async () => {
  const [forged, honest] = await Promise.all(
    ['Forged', 'Honest'].map((name) =>
      got<{ url: string }>(send('POST /admin/hooks', { body: { name } }), 201),
    ),
  )
  const headers = { ...forgedHeaders(), 'CF-Connecting-IP': 'forger-of-deliveries' }
  let pulled = 0
  const deliver = async (to: { url: string } | undefined): Promise<number> => {
    pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(1_000))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return (await send(`POST ${to?.url}`, { key: null, body, headers })).status
  }
  let status = 0
  for (let at = 0; at < 200 && status !== 429; at++) {
    status = await deliver(forged)
    expect(pulled).toBe(1)
  }
  expect(await deliver(forged)).toBe(429)
  expect(pulled).toBe(0)
  // The genuine hook's delivery is still read, although forged ones there are refused the same way.
  await deliver(honest)
  expect(pulled).toBe(1)
})

/** The headers that a sender would send, signed with another secret. */
function forgedHeaders(id = 'msg_forged', ageS = 0): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.now() / 1000) - ageS),
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  }
}

it('a delivery that declares too many bytes is refused before its body is read', async () => {
  const hook = await got<{ id: string; url: string }>(
    send('POST /admin/hooks', { body: { name: 'Read' } }),
    201,
  )
  let pulled = 0
  const deliver = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(1_000))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return (await send(`POST ${hook.url}`, { key: null, body, headers })).status
  }
  const announced = { ...forgedHeaders(), 'Content-Length': String(WEBHOOK_BODY_MAX_BYTES + 1) }
  expect([await deliver(announced), pulled]).toEqual([413, 0])
  expect([await deliver(forgedHeaders()), pulled]).toEqual([401, 1])
  expect((await send(`DELETE /admin/hooks/${hook.id}`)).status).toBe(204)
  expect([await deliver(forgedHeaders()), pulled]).toEqual([404, 1])
  // A removed hook never comes back.
  expect([await deliver(forgedHeaders()), pulled]).toEqual([404, 0])
})

for (const where of ['a hook', 'a key'])
  it(`bodies interrupted at ${where} count as failures of their network, which is refused there unread after a while`, async () => {
    const { key } = await makeKey('chat')
    const hook = await got<{ url: string }>(send('POST /admin/hooks', { body: { name: 'Broken' } }), 201)
    let pulled = 0
    const broken = async (from: string, how: 'breaks' | 'ends'): Promise<number> => {
      pulled = 0
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled += 1
            if (how === 'breaks') controller.error(new Error('Network connection lost.'))
            else controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const headers = { ...forgedHeaders(), 'Content-Type': 'application/json', 'CF-Connecting-IP': from }
      const to =
        where === 'a hook' ? { line: `POST ${hook.url}`, key: null } : { line: 'POST /v1/skills/match', key }
      return (await send(to.line, { key: to.key, body, headers })).status
    }
    // Each failure is counted after its response.
    await eventually(async () => (await broken(`breaks off at ${where}`, 'breaks')) === 429)
    expect([await broken(`breaks off at ${where}`, 'ends'), pulled]).toEqual([429, 0])
    expect((await broken('elsewhere', 'ends')) === 429).toBe(false)
    expect(pulled).toBe(1)
  })

it('a hook of the previous secret is found while both are set', async () => {
  const was = { ID_SECRET: 'the-secret-that-was-set-until-today' }
  const made = await got<{ url: string }>(send('POST /admin/hooks', { body: { name: 'Old' }, env: was }), 201)
  const headers = forgedHeaders()
  const deliver = (more: object) => send(`POST ${made.url}`, { key: null, body: {}, headers, env: more })
  await refused(deliver({}), 404, 'not_found')
  await refused(deliver({ ID_SECRET_PREVIOUS: was.ID_SECRET }), 401, 'unauthenticated')
})

it('without ID_SECRET keys and hooks are neither created nor accepted, with the reason; the admin key works', async () => {
  const none = { env: { ID_SECRET: '', ID_SECRET_PREVIOUS: 'alone-it-makes-and-opens-nothing-at-all' } }
  const { key } = await makeKey('chat')
  const hook = `/hooks/${await newHookId('default', env.ID_SECRET ?? '')}`
  for (const requested of [
    send('POST /admin/keys', { ...none, body: { role: 'chat' } }),
    send('POST /admin/hooks', { ...none, body: { name: 'Alerts' } }),
    send('GET /v1/models', { ...none, key: await foreignKey('unset') }),
    send(`POST ${hook}`, { ...none, key: null, body: {} }),
  ]) {
    const problem = await refused(requested, 503, 'not_configured')
    expect(problem.detail).toContain('wrangler secret put ID_SECRET')
  }
  await got(send('GET /v1/models', none))
  await got(send('GET /v1/models', { key }))
})
