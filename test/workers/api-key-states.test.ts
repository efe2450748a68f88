// Guards what a key may do in each of its states, on every route: only an active key with a current secret gets in, and
// a key with models starts no run with another one.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/api/app.ts'
import { forgetKeys } from '../../src/api/auth/auth.ts'
import type { KeyInfo } from '../../src/workspace/key-api.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { chat, finished, got, modelReplies, refused, send, serveSkills } from './api-fixture.ts'

type Made = KeyInfo & { readonly key: string; readonly warning: string | null }

const HOUR = /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/
const LATER = '2100-01-01T00:00:00Z'

beforeAll(async () => {
  modelReplies()
  await serveSkills([{ name: 'alpha' }])
})

function make(body: object = {}): Promise<Made> {
  return got<Made>(send('POST /admin/keys', { body: { role: 'admin', ...body } }), 201)
}

async function setColumn(id: string, column: string, value: string): Promise<void> {
  const stub = env.WORKSPACES.getByName('default') as DurableObjectStub<Workspace>
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec(`UPDATE keys SET ${column} = ? WHERE id = ?`, value, id)
  })
  forgetKeys()
}

/** Changes a key's row, as if time had passed. */
function age(id: string, column: 'expires_at' | 'previous_until'): Promise<void> {
  return setColumn(id, column, '2001-01-01T00:00:00.000Z')
}

function rotate(id: string, overlap_s = 60): Promise<Made> {
  return got<Made>(send(`POST /admin/keys/${id}/rotate`, { body: { overlap_s } }))
}

const infoOf = async (id: string): Promise<KeyInfo | undefined> =>
  (await got<{ data: KeyInfo[] }>(send('GET /admin/keys?limit=100'))).data.find((key) => key.id === id)

/** Keys by their state, and whether they get in. */
const STATES: Readonly<Record<string, readonly [lets: boolean, key: () => Promise<string>]>> = {
  active: [true, async () => (await make()).key],
  'at its cap': [
    true,
    async () => {
      const { key } = await make({ caps: { day: { runs: 1 } } })
      await finished(key)
      return key
    },
  ],
  'active until later': [true, async () => (await make({ expires_at: LATER })).key],
  'rotated, the new secret': [true, async () => (await rotate((await make()).id)).key],
  'rotated, the previous secret': [
    true,
    async () => {
      const { id, key } = await make()
      await rotate(id)
      return key
    },
  ],
  'rotated, the previous secret, too late': [
    false,
    async () => {
      const { id, key } = await make()
      await rotate(id)
      await age(id, 'previous_until')
      return key
    },
  ],
  'rotated twice, the first secret': [
    false,
    async () => {
      const { id, key } = await make()
      await rotate(id)
      await rotate(id)
      return key
    },
  ],
  'rotated without overlap, the previous secret': [
    false,
    async () => {
      const { id, key } = await make()
      await rotate(id, 0)
      return key
    },
  ],
  expired: [
    false,
    async () => {
      const { id, key } = await make({ expires_at: LATER })
      await age(id, 'expires_at')
      return key
    },
  ],
  revoked: [
    false,
    async () => {
      const { id, key } = await make()
      await got(send(`DELETE /admin/keys/${id}`))
      return key
    },
  ],
}

describe('a key that is', () => {
  for (const [state, [lets, keyOf]] of Object.entries(STATES))
    it(`${state} ${lets ? 'gets in' : 'gets 401'} on every route`, async () => {
      const key = await keyOf()
      for (const { method, path, role } of ROUTES) {
        if (role === null) continue
        // An unknown query parameter is refused after authentication and before anything happens.
        const response = await send(`${method} ${path.replaceAll(/\/:path\{.*$/g, '/x')}?no-such-field=1`, {
          key,
        })
        expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} ${lets ? 422 : 401}`)
        await response.body?.cancel()
      }
    })
})

describe('a key', () => {
  it('at its cap starts no run, and does everything else', async () => {
    const { id, key } = await make({ role: 'chat', user: 'cap', caps: { day: { runs: 1, usd: 5 } } })
    const { thread } = await finished(key)
    const starts = { 'POST /v1/chat': { message: 'More' }, [`POST /v1/threads/${thread}/compact`]: {} }
    for (const [line, body] of Object.entries(starts)) {
      const response = await send(line, { key, body })
      const problem = await refused(Promise.resolve(response.clone()), 429, 'quota_exceeded')
      expect(problem.detail).toContain(`The cap of 1 run per UTC day for key ${id} is reached.`)
      const opensAt = Date.now() + Number(response.headers.get('Retry-After')) * 1_000
      expect(new Date(opensAt + 60_000).getUTCHours()).toBe(0)
    }
    for (const line of ['GET /v1/models', `GET /v1/threads/${thread}/messages`, 'POST /v1/skills/match'])
      await got(send(line, { key, ...(line.startsWith('POST') && { body: { text: 'alpha' } }) }))
    const { caps } = await got<{ caps: unknown[] }>(send('GET /v1/me', { key }))
    expect(caps).toMatchObject([
      { scope: `key:${id}`, window: 'day', cap: { runs: 1, usd: 5 }, left: { runs: 0 } },
    ])
    await got(send(`PATCH /admin/keys/${id}`, { body: { caps: { day: { runs: 2 } } } }))
    await finished(key)
  })

  it('with models starts and continues runs only with these', async () => {
    await refused(
      send('POST /admin/keys', { body: { role: 'chat', models: ['none'] } }),
      422,
      'unknown_model',
    )
    const { data } = await got<{ data: { id: string; default: boolean }[] }>(send('GET /v1/models'))
    const standard = data.find((model) => model.default)?.id ?? ''
    const limited = await make({ role: 'chat', user: 'mia', models: [standard] })
    const { thread } = await finished(limited.key)
    // The key may use a model that this deployment no longer has.
    await setColumn(limited.id, 'models', '["another"]')
    for (const body of [
      { message: 'Hello' },
      { message: 'Hello', model: standard },
      { message: 'More', thread_id: thread },
    ]) {
      const problem = await refused(send('POST /v1/chat', { key: limited.key, body }), 403, 'forbidden')
      expect(problem.detail).toContain('another')
    }
    expect(await got(send('GET /v1/models', { key: limited.key }))).toMatchObject({ data: [] })
    await got(send(`PATCH /admin/keys/${limited.id}`, { body: { models: null } }))
    const more = await chat({ message: 'More', thread_id: thread }, { key: limited.key })
    expect(more.last?.type).toBe('run.completed')
  })

  it('of the same user opens the threads of a revoked one; without a user, creating it warns', async () => {
    const first = await make({ role: 'chat', user: 'zoe' })
    expect(first.warning).toBeNull()
    const { thread } = await finished(first.key)
    await got(send(`DELETE /admin/keys/${first.id}`))
    const second = await make({ role: 'chat', user: 'zoe' })
    await got(send(`GET /v1/threads/${thread}`, { key: second.key }))
    const alone = await make({ role: 'chat' })
    expect(alone.warning).toMatch(/no user/)
    await refused(send(`GET /v1/threads/${thread}`, { key: alone.key }), 404, 'not_found')
    // Its threads stay its own when its secret is replaced.
    const own = await finished(alone.key)
    const { key } = await rotate(alone.id, 0)
    await got(send(`GET /v1/threads/${own.thread}`, { key }))
  })

  it('can be changed later, shows its last use by the hour, and is listed by state', async () => {
    const { id, key } = await make({ role: 'chat', note: 'old' })
    expect((await infoOf(id))?.last_used_at).toBeNull()
    await got(send('GET /v1/me', { key }))
    expect((await infoOf(id))?.last_used_at).toMatch(HOUR)
    const change = { note: 'new', expires_at: '2100-01-01T01:00:00+01:00', tools: { deny: ['bash'] } }
    const changed = await got<KeyInfo>(send(`PATCH /admin/keys/${id}`, { body: change }))
    const expires_at = '2100-01-01T00:00:00.000Z'
    expect(changed).toMatchObject({
      note: 'new',
      expires_at,
      tools: { allow: null, deny: ['bash'] },
      models: null,
    })
    // Each list of tools changes by itself.
    for (const [tools, expected] of [
      [{ allow: ['web'] }, { allow: ['web'], deny: ['bash'] }],
      [{ deny: [] }, { allow: ['web'], deny: [] }],
      [{ allow: null }, { allow: null, deny: [] }],
      [null, null],
    ])
      expect((await got<KeyInfo>(send(`PATCH /admin/keys/${id}`, { body: { tools } }))).tools).toEqual(
        expected,
      )
    expect(await got(send('GET /v1/me', { key }))).toMatchObject({ key: { note: 'new', expires_at } })
    const rotated = await rotate(id)
    expect(rotated).toMatchObject({ note: 'new', rotated_at: expect.any(String) })
    expect(Date.parse(rotated.previous_secret_until ?? '')).toBeGreaterThan(
      Date.parse(rotated.rotated_at ?? ''),
    )
    await age(id, 'expires_at')
    const listed = async (state: string): Promise<boolean> => {
      const { data } = await got<{ data: KeyInfo[] }>(send(`GET /admin/keys?limit=100&state=${state}`))
      expect(data.every((one) => one.state === state)).toBe(true)
      return data.some((one) => one.id === id)
    }
    expect([await listed('active'), await listed('expired'), await listed('revoked')]).toEqual([
      false,
      true,
      false,
    ])
    const late = await refused(send(`POST /admin/keys/${id}/rotate`, { body: {} }), 410, 'gone')
    expect(late.detail).toContain('has expired')
    await got(send(`PATCH /admin/keys/${id}`, { body: { expires_at: null } }))
    expect(await listed('active')).toBe(true)
    await got(send(`DELETE /admin/keys/${id}`))
    expect([await listed('active'), await listed('revoked')]).toEqual([false, true])
    await refused(send(`POST /admin/keys/${id}/rotate`, { body: {} }), 410, 'gone')
    await refused(send('GET /admin/keys?state=old'), 422, 'invalid_request')
    const past = { expires_at: '2001-01-01T00:00:00Z' }
    await refused(send(`PATCH /admin/keys/${id}`, { body: past }), 422, 'invalid_request')
    await refused(send(`PATCH /admin/keys/${id}`, { body: {} }), 422, 'invalid_request')
    await refused(send('PATCH /admin/keys/unknown', { body: { note: 'x' } }), 404, 'not_found')
    await refused(send('POST /admin/keys/unknown/rotate', { body: {} }), 404, 'not_found')
  })
})
