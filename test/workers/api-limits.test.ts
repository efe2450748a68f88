// Guards the limits of a workspace: only admins change them, each change is a version, invalid ones change nothing, and
// no run gets a larger budget than its key may ask for.

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetKeys } from '../../src/api/auth/auth.ts'
import type { LimitsVersion, StoredLimits } from '../../src/workspace/cap-api.ts'
import type { KeyInfo } from '../../src/workspace/key-api.ts'
import { ADMIN_KEY, chat, foreignKey, got, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import { actions } from './audited-route.ts'
import { completed, deliver, deliveries, makeHook, signed, type Accepted } from './hook-requests.ts'

beforeAll(async () => {
  modelReplies()
  await serveSkills([{ name: 'alpha' }])
})

let workspaces = 0
/** An admin of a separate workspace. */
function admin(): Promise<string> {
  workspaces += 1
  return foreignKey(`limits-${workspaces}`, 'admin', 'ann')
}

function patch(key: string, body: unknown, match?: string): Promise<Response> {
  return send('PATCH /admin/limits', { key, body, headers: match === undefined ? {} : { 'If-Match': match } })
}

/** A new key in the workspace of an admin. */
async function keyOf(adminKey: string, body: object): Promise<string> {
  return (await got<{ key: string }>(send('POST /admin/keys', { key: adminKey, body }), 201)).key
}

const NOTHING = {
  workspace: {},
  key: {},
  user: {},
  users: {},
  hook: {},
  hooks: {},
  thread: {},
  max_budget: {},
}
const DAY = { day: { usd: 5, runs: 100 } }

describe('limits', () => {
  it('are empty at first, and changed by merge patches whose versions are listed and audited', async () => {
    const key = await admin()
    const first = await send('GET /admin/limits', { key })
    expect(first.headers.get('ETag')).toBe('"0"')
    expect(await first.json()).toEqual({ version: 0, limits: NOTHING, updated_at: null, updated_by: null })
    const change = { workspace: { month: { usd: 100 } }, users: { 'ann@example.com': DAY } }
    const changed = await patch(key, change, '"0"')
    expect(changed.headers.get('ETag')).toBe('"1"')
    expect((await got<StoredLimits>(Promise.resolve(changed))).limits).toEqual({ ...NOTHING, ...change })
    const again = { workspace: { day: { runs: 7 }, month: null }, users: null, thread: { usd: 1 } }
    const { limits, version } = await got<StoredLimits>(patch(key, again))
    expect(version).toBe(2)
    expect(limits).toEqual({ ...NOTHING, workspace: { day: { runs: 7 } }, thread: { usd: 1 } })
    await refused(patch(key, { key: DAY }, '"1"'), 412, 'stale_version')
    const history = await got<{ data: LimitsVersion[] }>(send('GET /admin/limits/history', { key }))
    expect(history.data.map((one) => [one.version, one.author, one.change])).toEqual([
      [2, 'ann', { ...again, users: { 'ann@example.com': null } }],
      [1, 'ann', change],
    ])
    expect((await actions('action=limits.change&limit=3', key))[2]).toMatchObject({
      status: 200,
      before: { 'workspace.month': null },
      after: { 'workspace.month': { usd: 100 }, 'users.ann@example.com': DAY },
    })
  })

  it.each([
    [{ workspace: { day: { usd: 0.009 } } }, 'workspace.day.usd', /0\.01/],
    [{ workspace: { day: { usd: 1.0000001 } } }, 'workspace.day.usd', /6 decimals/],
    [{ key: { month: { tokens: 9_999 } } }, 'key.month.tokens', /10000/],
    [{ user: { day: { runs: 0 } } }, 'user.day.runs', /1/],
    [{ users: { ann: { day: {} } } }, 'users.ann.day', /must have usd, tokens or runs/],
    [{ hooks: { hk_1: {} } }, 'hooks.hk_1', /must have day or month/],
    [{ thread: { runs: 3 } }, 'thread.runs', /not a field/],
    [{ hook: { week: { usd: 1 } } }, 'hook.week', /not a field/],
    [{ max_budget: { hook: { usd: 101 } } }, 'max_budget.hook.usd', /100/],
    [{ max_budget: { metrics: { usd: 1 } } }, 'max_budget.metrics', /not a field/],
    [{ users: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [n, DAY])) }, 'users', /500 names/],
  ])('that are invalid change nothing: %j', async (body, path, message) => {
    const key = await admin()
    const problem = await refused(patch(key, body), 422, 'invalid_request')
    expect(problem.errors).toEqual([{ path, message: expect.stringMatching(message) }])
    expect(await got(send('GET /admin/limits', { key }))).toMatchObject({ version: 0 })
  })

  it('name at most 500 users in all', async () => {
    const key = await admin()
    const users = (from: number, count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`user-${from + n}`, DAY]))
    await got(patch(key, { users: users(0, 499) }))
    await got(patch(key, { users: { ...users(499, 1), ...users(0, 100) } }))
    await refused(patch(key, { users: users(500, 1) }), 422, 'invalid_request')
    await got(patch(key, { users: { ...users(500, 1), 'user-0': null } }))
  })
})

it('a hook at its cap accepts and records no delivery until the cap is raised', async () => {
  const hook = await makeHook({ template: 'Look: {{payload}}' })
  const capTo = (runs: number): Promise<unknown> =>
    got(patch(ADMIN_KEY, { hooks: { [hook.id]: { day: { runs } } } }))
  await capTo(1)
  const first = signed(hook.secret, 'msg_1')
  await completed(await got<Accepted>(deliver(hook, first), 202))
  // As after a second: the caps that the object has cached are outdated.
  await evictDurableObject(env.HOOKS.getByName(hook.id))
  const second = signed(hook.secret, 'msg_2')
  const refusal = await deliver(hook, second)
  expect(Number(refusal.headers.get('Retry-After'))).toBeGreaterThan(0)
  await refused(Promise.resolve(refusal), 429, 'quota_exceeded')
  expect(await deliveries(hook)).toHaveLength(1)
  // One that was accepted before is answered as before.
  await got(deliver(hook, first), 202)
  await capTo(2)
  await evictDurableObject(env.HOOKS.getByName(hook.id))
  await completed(await got<Accepted>(deliver(hook, second), 202))
})

describe('a run', () => {
  /** The limits of a run with this budget. */
  async function limitsOf(key: string, budget?: object): Promise<Readonly<Record<string, number>>> {
    const { last } = await chat({ message: 'Hello', ...(budget && { budget }) }, { key })
    if (last?.type !== 'run.completed') throw new Error('the run did not complete')
    return Object.fromEntries(Object.entries(last.receipt.budget).map(([name, { limit }]) => [name, limit]))
  }

  it('gets no larger budget than its role may ask for, and is refused if it asks for one', async () => {
    const key = await admin()
    await got(patch(key, { max_budget: { chat: { usd: 0.5, steps: 10, wall_s: 900 } } }))
    const chatKey = await keyOf(key, { role: 'chat', user: 'zoe' })
    // A default is lowered, and never raised.
    expect(await limitsOf(chatKey)).toMatchObject({ usd: 0.5, steps: 10, wall_s: 600, tokens: 1_000_000 })
    expect(await limitsOf(chatKey, { usd: 0.4, wall_s: 900 })).toMatchObject({
      usd: 0.4,
      steps: 10,
      wall_s: 900,
    })
    const body = { message: 'Hello', budget: { usd: 0.6, steps: 11, tokens: 5_000_000 } }
    const problem = await refused(send('POST /v1/chat', { key: chatKey, body }), 422, 'invalid_request')
    expect(problem.errors).toEqual([
      {
        path: 'budget.usd',
        message: 'must be at most 0.5, the most that a run of your key may use (max_budget)',
      },
      { path: 'budget.steps', message: expect.stringContaining('at most 10,') },
    ])
    const compact = `POST /v1/threads/th_${'a'.repeat(24)}/compact`
    await refused(send(compact, { key: chatKey, body: { budget: { usd: 1 } } }), 422, 'invalid_request')
    // Other roles are not limited.
    expect(await limitsOf(key, { usd: 3 })).toMatchObject({ usd: 3 })
    expect(await got(send('GET /v1/me', { key: chatKey }))).toMatchObject({
      key: { max_budget: { usd: 0.5, steps: 10, wall_s: 900 } },
      caps: [],
    })
  })

  it('of a key with its own maximum gets that instead', async () => {
    const key = await admin()
    await got(patch(key, { max_budget: { chat: { usd: 0.5 } } }))
    const chatKey = await keyOf(key, { role: 'chat', user: 'zoe', max_budget: { steps: 40 }, caps: DAY })
    expect(await limitsOf(chatKey, { usd: 3, steps: 40 })).toMatchObject({ usd: 3, steps: 40 })
    const { data } = await got<{ data: KeyInfo[] }>(send('GET /admin/keys', { key }))
    const info = data.find(({ caps }) => caps !== null)
    expect(info).toMatchObject({ max_budget: { steps: 40 }, caps: DAY })
    await got(send(`PATCH /admin/keys/${info?.id}`, { key, body: { max_budget: null, caps: null } }))
    forgetKeys()
    const body = { message: 'Hello', budget: { usd: 3 } }
    await refused(send('POST /v1/chat', { key: chatKey, body }), 422, 'invalid_request')
    for (const fields of [{ caps: {} }, { caps: { day: { usd: 0 } } }, { max_budget: {} }])
      await refused(
        send('POST /admin/keys', { key, body: { role: 'chat', ...fields } }),
        422,
        'invalid_request',
      )
  })
})
