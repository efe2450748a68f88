// Guards the configuration of a hook: it is checked, shown and changed without its secret, which is shown once.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEMO_MODEL } from '../../src/demo/demo.ts'
import { newSecret } from '../../src/webhooks/schemes/secret.ts'
import type { Message } from '../../src/agent/message.ts'
import { RUN_OPTIONS } from '../unit/unattended/run-options.ts'
import { foreignKey, got, modelReplies, refused, send, serveSkills } from './api-fixture.ts'
import { completed, deliver, makeHook, signed } from './hook-requests.ts'
import type { Accepted } from './hook-requests.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))
beforeEach(() => modelReplies())

describe('a hook', () => {
  it('shows its secret once', async () => {
    const allowed_calls = [{ tool: 'tickets', fields: { '/project': 'OPS' }, free: ['/text'] }]
    const { secret, ...hook } = await makeHook({ user: 'ann', allowed_calls })
    expect(secret).toMatch(/^whsec_/)
    expect(hook).toEqual({
      id: expect.stringMatching(/^hk_default_[0-9a-z]{36}$/),
      url: `/hooks/${hook.id}`,
      workspace: 'default',
      name: 'Alerts',
      scheme: 'standard',
      signature: null,
      previous_secret_until: null,
      secret_readable: true,
      template: 'An alert: {{title}}',
      filter: null,
      thread: 'each',
      on_busy: 'enqueue',
      keep_days: 7,
      reply: null,
      ...RUN_OPTIONS,
      user: 'ann',
      allowed_calls,
      created_at: expect.stringMatching(/Z$/),
    })
    const { url, ...view } = hook
    expect(await got(send(`GET /admin/hooks/${hook.id}`))).toEqual(view)
    for (const path of ['/admin/hooks', `/admin/hooks/${hook.id}`, `/admin/hooks/${hook.id}/deliveries`]) {
      const text = await (await send(`GET ${path}`)).text()
      expect(text).not.toContain(secret.slice('whsec_'.length))
    }
    await refused(send(`GET ${url}`, { key: null }), 405, 'method_not_allowed')
  })

  it('changes its configuration, and keeps its URL, its secret and omitted fields', async () => {
    const hook = await makeHook({ user: 'ann', model: DEMO_MODEL, budget: { usd: 0.5 } })
    const change = { template: 'Now: {{title}}', user: null, skills: { load: ['alpha'] } }
    const changed = await got<object>(send(`PATCH /admin/hooks/${hook.id}`, { body: change }))
    expect(changed).toEqual({
      ...(await got<object>(send(`GET /admin/hooks/${hook.id}`))),
      template: 'Now: {{title}}',
      user: null,
      model: DEMO_MODEL,
      budget: { ...RUN_OPTIONS.budget, usd: 0.5 },
      skills: { allow: null, load: ['alpha'] },
    })
    const delivered = await got<Accepted>(deliver(hook, signed(hook.secret, 'msg_1')), 202)
    await completed(delivered)
    const messages = await got<{ data: Message[] }>(send(`GET /v1/threads/${delivered.thread_id}/messages`))
    expect(JSON.stringify(messages.data[0])).toContain('Now: <webhook_payload>')
  })

  it.each([
    [{ scheme: 'github' }, 'scheme'],
    [{ secret: 'a-new-secret' }, 'secret'],
    [{ template: '{{' }, 'template'],
    [{ budget: { usd: -1 } }, 'budget.usd'],
    [{ model: 'no-such-model' }, 'model'],
    [{ skills: { allow: ['alpha'], load: ['beta'] } }, 'skills.load[0]'],
  ])('refuses the change %j and names the field', async (body, path) => {
    const hook = await makeHook()
    const before = await got(send(`GET /admin/hooks/${hook.id}`))
    const response = await send(`PATCH /admin/hooks/${hook.id}`, { body })
    expect(response.status).toBe(422)
    expect(JSON.stringify(await response.json())).toContain(path)
    expect(await got(send(`GET /admin/hooks/${hook.id}`))).toEqual(before)
  })

  it('accepts the secret of a sender that has one, and explains why one is invalid', async () => {
    const secret = newSecret()
    expect((await makeHook({ secret })).secret).toBe(secret)
    const body = { name: 'Alerts', secret: 'whsec_c2hvcnQ=' }
    const problem = await refused(send('POST /admin/hooks', { body }), 422, 'invalid_request')
    expect(problem.errors?.[0]?.path).toBe('secret')
    expect(JSON.stringify(problem)).not.toContain('c2hvcnQ')
  })

  it('is listed with the others, in pages, until it is removed', async () => {
    const key = await foreignKey('hooks-listed')
    const made = [await makeHook({}, key), await makeHook({}, key), await makeHook({}, key)]
    type Listed = { data: { id: string }[]; next_cursor: string | null }
    const first = await got<Listed>(send('GET /admin/hooks?limit=2', { key }))
    const rest = await got<Listed>(send(`GET /admin/hooks?limit=2&cursor=${first.next_cursor}`, { key }))
    expect([...first.data, ...rest.data].map((hook) => hook.id).toSorted()).toEqual(
      made.map((hook) => hook.id).toSorted(),
    )
    expect(rest.next_cursor).toBeNull()
    const gone = await makeHook({}, key)
    expect((await send(`DELETE /admin/hooks/${gone.id}`, { key })).status).toBe(204)
    await refused(send(`DELETE /admin/hooks/${gone.id}`, { key }), 404, 'not_found')
    await refused(send(`GET /admin/hooks/${gone.id}`, { key }), 404, 'not_found')
    await refused(deliver(gone, signed(gone.secret, 'msg_1')), 404, 'not_found')
    expect((await got<Listed>(send('GET /admin/hooks', { key }))).data).toHaveLength(made.length)
  })
})
