// Guards keys: shown once, stored as hashes, limited to their role, and rejected in this isolate as soon as they are
// revoked.

import { beforeAll, describe, expect, it } from 'vitest'
import type { KeyInfo } from '../../src/workspace/key-api.ts'
import type { RunInfo, UsageReport } from '../../src/workspace/run-api.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import {
  ADMIN_KEY,
  finished,
  foreignKey,
  got,
  makeKey,
  modelReplies,
  refused,
  send,
  serveSkills,
} from './api-fixture.ts'

beforeAll(async () => {
  modelReplies()
  await serveSkills([{ name: 'alpha' }])
})

type Made = KeyInfo & { readonly key: string; readonly warning: string | null }

async function listed(): Promise<readonly KeyInfo[]> {
  return (await got<{ data: KeyInfo[] }>(send('GET /admin/keys?limit=100'))).data
}

describe('a key', () => {
  it('is shown once, and nowhere again', async () => {
    const body = { role: 'chat', user: ' ann ', note: 'For the page', tools: { deny: ['bash'] } }
    const { key, warning, ...info } = await got<Made>(send('POST /admin/keys', { body }), 201)
    expect(warning).toBeNull()
    expect(key).toMatch(/^sk_default_[0-9a-z]{24}_[0-9a-z]{40}$/)
    expect(info).toEqual({
      id: key.split('_')[2],
      role: 'chat',
      user: 'ann',
      note: 'For the page',
      tools: { allow: null, deny: ['bash'] },
      models: null,
      caps: null,
      max_budget: null,
      state: 'active',
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      last_used_at: null,
      rotated_at: null,
      previous_secret_until: null,
      revoked_at: null,
    })
    expect((await listed())[0]).toEqual(info)
    const secret = key.split('_')[3] ?? ''
    const lines = ['GET /admin/keys', `DELETE /admin/keys/${info.id}`, 'GET /admin/keys', 'GET /admin/usage']
    for (const line of lines) {
      const text = await (await send(line)).text()
      expect(text).not.toContain(secret)
      expect(text).not.toContain(ADMIN_KEY)
    }
  })

  it('shows its owner the role, the user and the note, and no secret', async () => {
    const body = { role: 'chat', user: 'ann', note: 'For the page' }
    const { id, key } = await got<Made>(send('POST /admin/keys', { body }), 201)
    const all = { models: null, expires_at: null, max_budget: null }
    const mine = {
      workspace: 'default',
      role: 'chat',
      user: 'ann',
      key: { id, note: 'For the page', ...all },
      caps: [],
    }
    expect(await got(send('GET /v1/me', { key }))).toEqual(mine)
    const operator = {
      workspace: 'default',
      role: 'admin',
      user: null,
      key: { id: 'admin', note: null, ...all },
      caps: [],
    }
    expect(await got(send('GET /v1/me'))).toEqual(operator)
    await refused(send('GET /v1/me', { key: null }), 401, 'unauthenticated')
  })

  it('without a user or a note says so', async () => {
    const made = await got<Made>(send('POST /admin/keys', { body: { role: 'admin' } }), 201)
    expect(made).toMatchObject({ role: 'admin', user: null, note: null })
  })

  it('does not inherit the role of its creator', async () => {
    const chat = await makeKey('chat')
    const publisher = await makeKey('publisher')
    await refused(send('GET /admin/skills', { key: chat.key }), 403, 'forbidden')
    await got(send('GET /admin/skills', { key: publisher.key }))
    const problem = await refused(send('GET /admin/keys', { key: publisher.key }), 403, 'forbidden')
    expect(problem.detail).toContain('role admin, but yours has the role publisher')
  })

  it('that is revoked is refused at once, and stays in the list', async () => {
    const { id, key } = await makeKey('publisher')
    await got(send('GET /v1/models', { key }))
    const revoked = await got<KeyInfo>(send(`DELETE /admin/keys/${id}`))
    expect(revoked.revoked_at).toMatch(/Z$/)
    const problem = await refused(send('GET /v1/models', { key }), 401, 'unauthenticated')
    const unknown = await refused(send('GET /v1/models', { key: 'sk_default_x_y' }), 401, 'unauthenticated')
    expect(problem.detail).toBe(unknown.detail)
    expect(await got(send(`DELETE /admin/keys/${id}`))).toEqual(revoked)
    expect((await listed()).find((one) => one.id === id)).toEqual(revoked)
  })

  it('can revoke itself', async () => {
    const { id, key } = await makeKey('admin')
    await got(send(`DELETE /admin/keys/${id}`, { key }))
    await refused(send('GET /v1/models', { key }), 401, 'unauthenticated')
  })

  it('of one workspace has no access to another', async () => {
    const { id, key } = await makeKey('chat')
    const other = await foreignKey('other-team')
    await refused(send(`DELETE /admin/keys/${id}`, { key: other }), 404, 'not_found')
    const made = await got<Made>(send('POST /admin/keys', { key: other, body: { role: 'admin' } }), 201)
    expect(made.key).toMatch(/^sk_other-team_/)
    expect((await listed()).some((one) => one.id === made.id)).toBe(false)
    await got(send('GET /v1/models', { key }))
  })
})

describe('usage', () => {
  it("is the sum of the workspace's runs", async () => {
    const other = await foreignKey('lonely')
    expect(await got(send('GET /admin/usage', { key: other }))).toEqual({
      from: null,
      to: null,
      by: null,
      runs: 0,
      failed: 0,
      cancelled: 0,
      steps: 0,
      tool_calls: 0,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cost_usd: null,
      },
      charged: { tokens: 0, usd: 0, estimated: false },
      data: [],
      more: false,
    })
  })

  it('and runs can be filtered by the fields of a row', async () => {
    const { key, id } = await makeKey('chat', 'ann')
    const { thread, run } = await finished(key)
    const { data } = await got<{ data: RunInfo[] }>(send(`GET /admin/runs?thread=${thread}&status=completed`))
    expect(data).toMatchObject([{ run_id: run, key: id, user: 'ann', rating: null, stop_reason: 'answered' }])
    const day = data[0]?.ended_at.slice(0, 10)
    const report = await got<UsageReport>(send(`GET /admin/usage?from=${day}&to=${day}&by=day,key`))
    expect(report.data).toContainEqual(expect.objectContaining({ day, value: id, runs: 1 }))
    await got(send(`POST /v1/threads/${thread}/runs/${run}/rating`, { key, body: { value: 'up' } }))
    await eventually(
      () => got<{ data: RunInfo[] }>(send(`GET /admin/runs?thread=${thread}&rating=up`)),
      (rated) => rated.data.length === 1,
    )
  })

  it.each([
    ['runs?from=2026-02-30', 'from'],
    ['runs?status=running', 'status'],
    ['runs?rating=5', 'rating'],
    ['usage?from=2026-02-02&to=2026-02-01', 'to'],
    ['usage?to=today', 'to'],
    ['usage?by=week', 'by'],
    ['usage?by=key,user', 'by'],
    ['usage?by=', 'by'],
  ])('%s is refused', async (query, path) => {
    const problem = await refused(send(`GET /admin/${query}`), 422, 'invalid_request')
    expect(problem.errors?.[0]?.path).toBe(path)
  })
})
