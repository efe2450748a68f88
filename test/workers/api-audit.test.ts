// Guards the audit: it records each action of admins and publishers before the action happens, with who, what, when, from
// which network and what changed, and contains no secret.

import { beforeAll, describe, expect, it } from 'vitest'
import { actionOf, resourceOf } from '../../src/api/audit/action.ts'
import { isAudited } from '../../src/api/audit/is-audited.ts'
import { NAMELESS_READERS, STATE_READERS } from '../../src/api/audit/states.ts'
import { ROUTES } from '../../src/api/app.ts'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { finished, foreignKey, got, makeKey, publish, refused, send, serveSkills } from './api-fixture.ts'
import { actions, idOfKey, inAudit } from './audited-route.ts'

const CANARY = 'whsec_Y2FuYXJ5LWNhbmFyeS1jYW5hcnktY2FuYXJ5'
const PLAIN_CANARY = 'plain canary of the audit'
const SCHEDULE = { name: 'Report', cron: '0 8 * * 1', message: 'Write the report.' }

beforeAll(() => serveSkills([{ name: 'alpha' }]))

/** The newest record of an action. */
async function newest(action: string, admin?: string) {
  return (await actions(`action=${action}&limit=1`, admin))[0]
}

describe('the routes', () => {
  it('of admins and publishers are all recorded under different names, except five that change nothing visible', () => {
    const keyed = ROUTES.filter(({ role }) => role !== null)
    const names = (routes: typeof ROUTES) => routes.map(({ method, path }) => `${method} ${path}`)
    const changing = keyed.filter(({ role, method }) => role !== 'chat' && method !== 'GET')
    expect(names(changing.filter((route) => !isAudited(route))).toSorted()).toEqual([
      'POST /admin/catalog/plan',
      'POST /admin/runs/wake',
      'PUT /admin/blobs/:sha256',
      'PUT /admin/restore/bytes/:name{.+}',
      'PUT /admin/restore/rows',
    ])
    const recorded = keyed.filter(isAudited)
    expect(names(recorded.filter(({ role, method }) => role === 'chat' && method !== 'GET'))).toEqual([
      'DELETE /v1/threads/:t',
    ])
    for (const { method, path } of recorded)
      if (method === 'GET') expect(path).toMatch(/\/(?:export|backup)$/)
    const actionNames = recorded.map(actionOf)
    expect(new Set(actionNames).size).toBe(actionNames.length)
    for (const name of actionNames) expect(name).toMatch(/^[a-z-]+(\.[a-z-]+)*$/)
    // None can change or delete a record.
    expect(names(ROUTES.filter(({ path }) => path.startsWith('/admin/audit')))).toEqual([
      'GET /admin/audit',
      'GET /admin/audit/sign-ins',
    ])
  })

  it('show what they changed, with few exceptions', () => {
    const readers = { ...NAMELESS_READERS, ...STATE_READERS }
    const others = ROUTES.filter(
      (route) => isAudited(route) && route.method !== 'GET' && !(resourceOf(route) in readers),
    )
    // Nothing remains to read of a deleted thread or user, and a backup is everything.
    const without = ['backup', 'restore', 'threads', 'users']
    expect(without).toEqual(expect.arrayContaining([...new Set(others.map(resourceOf))]))
  })
})

/** How the audit records the note of a key. */
const noted = async (note: string): Promise<string> => `sha256:${await sha256Hex(note)}`

describe('a record', () => {
  it('says who did what, when and from which network, never from which address', async () => {
    const { key } = await makeKey('admin', 'ann')
    const begun = Date.now()
    const headers = { 'CF-Connecting-IP': '203.0.113.77' }
    const created = await send('POST /admin/keys', { key, headers, body: { role: 'chat', note: 'one' } })
    const { id } = await got<{ id: string }>(Promise.resolve(created), 201)
    const record = await newest('keys.create')
    expect(record).toMatchObject({
      request_id: created.headers.get('X-Request-Id'),
      key: idOfKey(key),
      user: 'ann',
      role: 'admin',
      network: '203.0.113.0/24',
      action: 'keys.create',
      target: id,
      status: 201,
      before: null,
      after: { role: 'chat', note: await noted('one'), state: 'active' },
    })
    expect(Math.abs(Date.parse(record?.at ?? '') - begun)).toBeLessThan(60_000)
    const v6 = { 'CF-Connecting-IP': '2001:db8:7:1:2:3:4:5' }
    await got(send(`PATCH /admin/keys/${id}`, { key, headers: v6, body: { note: 'two' } }))
    expect(await newest('keys.change')).toMatchObject({
      network: '2001:db8:7::/48',
      target: id,
      before: { note: await noted('one') },
      after: { note: await noted('two') },
    })
    expect(await inAudit((sql) => JSON.stringify(sql.exec('SELECT * FROM audit').toArray()))).not.toMatch(
      /203\.0\.113\.77|7:1:2:3/,
    )
  })

  it('exists for a change of an admin in a thread, but not for one of its user', async () => {
    const { key: ann } = await makeKey('chat', 'ann')
    const { thread: id } = await finished(ann)
    const last = (await actions('limit=1'))[0]?.id
    await got(send(`PATCH /v1/threads/${id}`, { key: ann, body: { title: 'Mine' } }))
    expect((await actions('limit=1'))[0]?.id).toBe(last)
    await got(send(`PATCH /v1/threads/${id}`, { body: { title: 'Ours' } }))
    expect(await newest('threads.change')).toMatchObject({ role: 'admin', target: id, status: 200 })
  })

  it('is written before the action, which does not happen if it cannot be written', async () => {
    const key = await foreignKey('audit-full')
    await got(send('PATCH /admin/settings', { key, body: { files: { max_files: 7 } } }))
    await inAudit((sql) => {
      sql.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END")
    }, 'audit-full')
    const change = send('PATCH /admin/settings', { key, body: { files: { max_files: 8 } } })
    const problem = await refused(change, 503, 'overloaded')
    expect(problem.detail).toContain('Nothing was changed')
    expect(await got(send('GET /admin/settings', { key }))).toMatchObject({
      changed: { files: { max_files: 7 } },
    })
  })

  it('remains without an outcome if that cannot be written', async () => {
    const key = await foreignKey('audit-cut')
    await got(send('PATCH /admin/settings', { key, body: { files: { max_files: 7 } } }))
    await inAudit((sql) => {
      sql.exec("CREATE TRIGGER full BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'full'); END")
    }, 'audit-cut')
    await got(send('PATCH /admin/settings', { key, body: { files: { max_files: 8 } } }))
    expect(await newest('settings.change', key)).toMatchObject({ status: null, before: null, after: null })
  })

  it('of a refusal has its status and no change; a request without the role has none', async () => {
    const { key } = await makeKey('publisher')
    const before = (await actions('limit=1'))[0]?.id
    await refused(send('POST /admin/keys', { key, body: { role: 'admin' } }), 403, 'forbidden')
    expect((await actions('limit=1'))[0]?.id).toBe(before)
    await refused(send('POST /admin/keys', { body: { role: 'boss' } }), 422, 'invalid_request')
    expect(await newest('keys')).toMatchObject({
      action: 'keys.create',
      status: 422,
      target: null,
      after: null,
    })
    await refused(send('PATCH /admin/settings?dry=1', { body: {} }), 422, 'invalid_request')
  })

  it('of a dry run says so', async () => {
    await got(send('PATCH /admin/skills/alpha?dry_run=1', { body: { enabled: false } }))
    expect(await newest('skills.change')).toMatchObject({
      target: 'alpha',
      before: null,
      after: { dry_run: true },
    })
  })

  it('of a deleted thread names it, whoever deleted it', async () => {
    const { key, id } = await makeKey('chat', 'mia')
    const { thread } = await finished(key)
    await send(`DELETE /v1/threads/${thread}`, { key })
    expect(await newest('threads.delete')).toMatchObject({
      key: id,
      user: 'mia',
      target: thread,
      status: 204,
    })
  })
})

describe('before and after are', () => {
  it('the digests of a skill that is published again, switched and purged', async () => {
    const first = await publish({ name: 'audited', body: 'One.' })
    expect(await newest('skills.create')).toMatchObject({
      target: 'audited',
      before: null,
      after: { digest: first.skill.digest, enabled: true },
    })
    const second = await publish({ name: 'audited', body: 'Two.' })
    expect(await newest('skills.create')).toMatchObject({
      before: { digest: first.skill.digest },
      after: { digest: second.skill.digest },
    })
    await got(send('PATCH /admin/skills/audited', { body: { enabled: false } }))
    expect(await newest('skills.change')).toMatchObject({
      before: { enabled: true },
      after: { enabled: false },
    })
    await got(send(`DELETE /admin/skills/audited/versions/${first.skill.digest}`))
    expect(await newest('skills.versions.delete')).toMatchObject({
      target: `audited/${first.skill.digest}`,
      status: 200,
    })
    await got(send('DELETE /admin/skills/audited'))
    expect(await newest('skills.delete')).toMatchObject({
      before: { digest: second.skill.digest },
      after: null,
    })
  })

  it('fields of settings by section and name', async () => {
    await got(send('PATCH /admin/settings', { body: { retention: { audit_days: 400 } } }))
    expect(await newest('settings')).toMatchObject({
      before: { 'retention.audit_days': null },
      after: { 'retention.audit_days': 400 },
    })
    const allow_hosts = Array.from({ length: 40 }, (_, at) => `host-${at}.example.com`)
    await got(send('PATCH /admin/settings', { body: { web: { allow_hosts } } }))
    expect((await newest('settings'))?.after).toEqual({
      'web.allow_hosts': expect.stringMatching(/^sha256:/),
    })
    await got(send('PATCH /admin/settings', { body: { web: null, retention: null } }))
  })

  it('never a secret, wherever one is sent or returned', async () => {
    const returned: string[] = []
    const made = async (line: string, body: object, status = 201): Promise<string> => {
      const answer = await got<Record<string, string>>(send(line, { body }), status)
      returned.push(...[answer['key'], answer['secret']].filter((secret) => secret !== undefined))
      return answer['id'] ?? ''
    }
    const key = await made('POST /admin/keys', { role: 'chat' })
    await made(`POST /admin/keys/${key}/rotate`, {}, 200)
    const hook = await made('POST /admin/hooks', { name: 'Audited', secret: CANARY })
    await got(send(`PATCH /admin/hooks/${hook}`, { body: { template: `Use ${CANARY} ${'x'.repeat(400)}` } }))
    await made(`POST /admin/hooks/${hook}/rotate`, {}, 200)
    const endpoint = await made('POST /admin/endpoints', { url: 'https://a.example.com/', secret: CANARY })
    await got(
      send(`PATCH /admin/endpoints/${endpoint}`, { body: { url: `https://a.example.com/${CANARY}` } }),
    )
    await made(`POST /admin/endpoints/${endpoint}/rotate`, {}, 200)
    const secret = { value: PLAIN_CANARY, host: 'api.example.com' }
    await got(send('PUT /admin/secrets/AUDITED', { body: secret }))
    expect(await newest('secrets.put')).toMatchObject({
      target: 'AUDITED',
      after: { host: 'api.example.com' },
    })
    const request = { method: 'GET', url: 'https://api.example.com/', headers: { 'X-Api-Key': CANARY } }
    await send('PUT /admin/tools/audited', {
      body: {
        name: 'audited',
        description: PLAIN_CANARY,
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        request,
      },
    })
    // A key in the place of its ID.
    await send(`DELETE /admin/keys/${returned[0]}`)
    await send('POST /admin/schedules', { body: { ...SCHEDULE, message: `Use ${CANARY}.` } })
    const rows = await inAudit((sql) => JSON.stringify(sql.exec('SELECT * FROM audit').toArray()))
    for (const value of [...returned, CANARY, PLAIN_CANARY]) expect(rows).not.toContain(value)
    expect(returned).toHaveLength(6)
    const changed = await newest('hooks.change')
    expect(changed?.after).toEqual({ template: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })
    expect((await newest('endpoints.change'))?.after).toEqual({ url: 'https://a.example.com/[redacted]' })
  })
})
