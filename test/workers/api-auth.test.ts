// Guards authorization: every route is tried with every kind of credential, and a refusal changes nothing. The table
// below defines the rules; a route that is missing there fails.

import { beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/api/app.ts'
import { fromUtf8, sha256Hex } from '../../src/lib/bytes.ts'
import {
  ADMIN_KEY,
  finished,
  foreignKey,
  got,
  makeKey,
  messageOf,
  publish,
  refused,
  send,
  serveSkills,
  skillFolderOf,
  stateOfAll,
  statusOf,
} from './api-fixture.ts'
import { expectAudited } from './audited-route.ts'
import { BAD_CREDENTIALS } from './bad-credentials.ts'
import { FORM, formOf } from './files-fixture.ts'

type Statuses = readonly [chat: number, publisher: number, admin: number, otherWorkspace: number]

const ALL: Statuses = [200, 200, 200, 200]
// The threads in the paths belong to a user for whom only their creator and an admin may act.
const THREAD: Statuses = [404, 404, 200, 404]
const PUBLISHER: Statuses = [403, 200, 200, 200]
const SKILL: Statuses = [403, 200, 200, 404]
const ADMIN: Statuses = [403, 403, 200, 200]
const NEW: Statuses = [403, 403, 201, 201]
const ADMINS_OWN: Statuses = [403, 403, 200, 404]

/** A server whose secret does not exist, so that nothing is sent. */
const MCP = { url: 'https://notes.example.com/mcp', headers: { Authorization: '{{secrets.NONE}}' } }

const input_schema = { type: 'object', properties: {}, additionalProperties: false }
const request = { method: 'GET', url: 'https://api.example.com/x' }
const TOOL = { name: ':tool', description: 'Looks it up.', input_schema, request }
const SECRET = { value: 'a-secret-value', host: 'api.example.com' }
const SCHEDULE = { name: 'Report', cron: '0 8 * * 1', message: 'Write the report.' }

const own = { name: 'own', body: 'Do it our way.' }

const FORM_OF_ONE = fromUtf8(formOf([{ name: 'a.txt', data: 'x' }])) ?? ''

const RULES: Readonly<Record<string, readonly [Statuses | 'open', body?: object | string]>> = {
  'GET /v1/threads': [ALL],
  'GET /v1/threads/:t': [THREAD],
  'PATCH /v1/threads/:t': [THREAD, { title: 'Mine now' }],
  'DELETE /v1/threads/:t': [[404, 404, 204, 404]],
  'GET /v1/threads/:t/messages': [THREAD],
  'GET /v1/threads/:t/runs': [THREAD],
  'GET /v1/threads/:t/runs/:r': [THREAD],
  'GET /v1/threads/:t/events': [THREAD],
  'GET /v1/threads/:t/runs/:r/events': [THREAD],
  'POST /v1/threads/:t/runs/:r/cancel': [THREAD],
  // The run has no reply.
  'POST /v1/threads/:t/runs/:r/reply': [[403, 403, 404, 404]],
  'POST /v1/threads/:t/fork': [[404, 404, 201, 404], { message_id: ':m' }],
  'POST /v1/threads/:t/compact': [[404, 404, 202, 404], {}],
  'POST /v1/threads/:t/runs/:r/rating': [THREAD, { value: 'up' }],
  'DELETE /v1/threads/:t/runs/:r/rating': [THREAD],
  'POST /v1/threads': [[201, 201, 201, 201], {}],
  'GET /v1/threads/:t/files': [THREAD],
  'POST /v1/threads/:t/files': [[404, 404, 201, 404], FORM_OF_ONE],
  'GET /v1/threads/:t/files/:path{.+}': [THREAD],
  'PUT /v1/threads/:t/files/:path{.+}': [THREAD, { any: 'bytes' }],
  'DELETE /v1/threads/:t/files/:path{.+}': [[404, 404, 204, 404]],
  'GET /v1/skills': [ALL],
  'GET /v1/skills/:skill': [[200, 200, 200, 404]],
  'GET /v1/skills/:skill/files/:path{.+}': [[200, 200, 200, 404]],
  'POST /v1/skills/match': [ALL, { text: 'alpha' }],
  'GET /v1/models': [ALL],
  'GET /v1/me': [ALL],
  'GET /v1/me/export': [ALL],
  'GET /admin/export': [[403, 403, 422, 422]],
  // Nobody has this name.
  'DELETE /admin/users/:user': [[403, 403, 404, 404]],
  'GET /admin/users/:user/deletion': [[403, 403, 404, 404]],
  'GET /admin/backup': [ADMIN],
  'GET /admin/backup/rows': [[403, 403, 422, 422]],
  'GET /admin/backup/bytes': [ADMIN],
  'GET /admin/backup/bytes/:name{.+}': [[403, 403, 422, 422]],
  'POST /admin/backup/sign': [ADMIN, { archive: 'a'.repeat(24), digest: 'a'.repeat(64) }],
  // The workspaces are in use, and no restore has begun.
  'POST /admin/restore': [[403, 403, 422, 422], {}],
  'PUT /admin/restore/rows': [[403, 403, 422, 422], ''],
  'PUT /admin/restore/bytes/:name{.+}': [[403, 403, 404, 404], ''],
  'POST /admin/restore/finish': [[403, 403, 409, 409], { missing: [] }],
  'POST /admin/skills': [[403, 201, 200, 201], skillFolderOf(own)],
  'GET /admin/skills': [PUBLISHER],
  'GET /admin/skills/:skill': [SKILL],
  'PATCH /admin/skills/:skill': [SKILL, { enabled: false }],
  'DELETE /admin/skills/:skill': [SKILL],
  'POST /admin/skills/:skill/rollback': [[403, 422, 422, 404], { to: -1 }],
  'GET /admin/skills/:skill/versions': [SKILL],
  'GET /admin/skills/:skill/history': [SKILL],
  'GET /admin/skills/:skill/diff': [SKILL],
  'GET /admin/skills/:skill/archive': [SKILL],
  'GET /admin/skills/:skill/files/:path{.+}': [SKILL],
  // The version is live.
  'DELETE /admin/skills/:skill/versions/:digest': [[403, 403, 409, 404]],
  'GET /admin/catalog': [PUBLISHER],
  'GET /admin/catalog/versions': [PUBLISHER],
  'POST /admin/catalog/restore': [PUBLISHER, { version: 1 }],
  'POST /admin/catalog/plan': [PUBLISHER, { skills: [{ files: { 'SKILL.md': 'a'.repeat(64) } }] }],
  'POST /admin/catalog/commit': [SKILL, { unpublish: [':skill'] }],
  // Different for each workspace: the second time, the bytes exist already.
  'PUT /admin/blobs/:sha256': [[403, 201, 200, 201], { any: 'bytes' }],
  'POST /admin/keys': [NEW, { role: 'chat' }],
  'GET /admin/keys': [ADMIN],
  'PATCH /admin/keys/:key': [ADMINS_OWN, { note: 'x' }],
  'POST /admin/keys/:key/rotate': [ADMINS_OWN, {}],
  'DELETE /admin/keys/:key': [ADMINS_OWN],
  'GET /admin/runs': [ADMIN],
  'GET /admin/usage': [ADMIN],
  'GET /admin/audit': [ADMIN],
  'GET /admin/audit/sign-ins': [ADMIN],
  'GET /admin/metrics': [ADMIN],
  'GET /admin/settings': [ADMIN],
  'PATCH /admin/settings': [ADMIN, { files: { max_files: 100 } }],
  'GET /admin/settings/history': [ADMIN],
  'GET /admin/limits': [ADMIN],
  'PATCH /admin/limits': [ADMIN, { workspace: { day: { usd: 100 } } }],
  'GET /admin/limits/history': [ADMIN],
  'PUT /admin/tools/:tool': [[403, 403, 200, 201], TOOL],
  'GET /admin/tools': [ADMIN],
  'GET /admin/tools/:tool': [ADMINS_OWN],
  'PATCH /admin/tools/:tool': [ADMINS_OWN, { enabled: true }],
  'GET /admin/tools/:tool/versions': [ADMINS_OWN],
  'GET /admin/tools/:tool/versions/:digest': [[403, 403, 404, 404]],
  'GET /admin/tools/:tool/history': [ADMINS_OWN],
  'GET /admin/tools/:tool/diff': [ADMINS_OWN],
  'POST /admin/tools/:tool/rollback': [[403, 403, 422, 404], {}],
  // The input is invalid, so nothing is sent.
  'POST /admin/tools/:tool/test': [ADMINS_OWN, { input: { x: 1 } }],
  'DELETE /admin/tools/:tool': [ADMINS_OWN],
  'POST /admin/tools/import': [[403, 403, 422, 422], { document: '' }],
  'GET /admin/mcp': [ADMIN],
  'GET /admin/mcp/:server': [ADMINS_OWN],
  'PUT /admin/mcp/:server': [[403, 403, 200, 201], MCP],
  'PATCH /admin/mcp/:server': [ADMINS_OWN, { enabled: true }],
  'GET /admin/mcp/:server/versions': [ADMINS_OWN],
  'GET /admin/mcp/:server/versions/:digest': [[403, 403, 404, 404]],
  'GET /admin/mcp/:server/history': [ADMINS_OWN],
  'GET /admin/mcp/:server/diff': [ADMINS_OWN],
  'POST /admin/mcp/:server/rollback': [[403, 403, 422, 404], {}],
  'POST /admin/mcp/:server/refresh': [[403, 403, 422, 404]],
  'POST /admin/mcp/:server/approve': [[403, 403, 422, 404], { digest: 'a'.repeat(64) }],
  // No tool is approved.
  'POST /admin/mcp/:server/test': [[403, 403, 404, 404], { tool: 'add', input: {} }],
  'DELETE /admin/mcp/:server': [ADMINS_OWN],
  'GET /v1/tools': [ALL],
  'GET /v1/approvals': [ALL],
  'POST /v1/threads/:t/runs/:r/approvals/:tool_use_id': [[404, 404, 404, 404], { decision: 'deny' }],
  'PUT /admin/secrets/:name': [ADMIN, SECRET],
  'GET /admin/secrets': [ADMIN],
  'GET /admin/secrets/:name': [ADMINS_OWN],
  'DELETE /admin/secrets/:name': [[403, 403, 204, 404]],
  'POST /admin/hooks': [NEW, { name: 'Alerts' }],
  'GET /admin/hooks': [ADMIN],
  'GET /admin/hooks/:hook': [ADMINS_OWN],
  'PATCH /admin/hooks/:hook': [ADMINS_OWN, { name: 'Alarms' }],
  'POST /admin/hooks/:hook/rotate': [ADMINS_OWN, {}],
  'DELETE /admin/hooks/:hook': [[403, 403, 204, 404]],
  'GET /admin/hooks/:hook/deliveries': [ADMINS_OWN],
  'GET /admin/hooks/:hook/deliveries/:delivery': [[403, 403, 404, 404]],
  'POST /admin/hooks/:hook/deliveries/:delivery/replay': [[403, 403, 404, 404]],
  'POST /admin/hooks/:hook/deliveries/:delivery/reply': [[403, 403, 404, 404]],
  'POST /admin/hooks/:hook/test': [ADMINS_OWN, { payload: {}, dry_run: true }],
  'POST /admin/endpoints': [NEW, { url: 'https://receiver.example.com/' }],
  'GET /admin/endpoints': [ADMIN],
  'GET /admin/endpoints/:endpoint': [ADMINS_OWN],
  'PATCH /admin/endpoints/:endpoint': [ADMINS_OWN, { answer: true }],
  'DELETE /admin/endpoints/:endpoint': [[403, 403, 204, 404]],
  'POST /admin/endpoints/:endpoint/rotate': [ADMINS_OWN, {}],
  'POST /admin/endpoints/:endpoint/test': [[403, 403, 202, 404]],
  'GET /admin/endpoints/:endpoint/log': [ADMINS_OWN],
  'POST /admin/endpoints/:endpoint/log/:entry/replay': [ADMINS_OWN],
  'POST /admin/schedules': [NEW, SCHEDULE],
  'GET /admin/schedules': [ADMIN],
  'GET /admin/schedules/:schedule': [ADMINS_OWN],
  'PATCH /admin/schedules/:schedule': [ADMINS_OWN, { name: 'Monthly' }],
  'POST /admin/schedules/:schedule/pause': [ADMINS_OWN],
  'POST /admin/schedules/:schedule/resume': [ADMINS_OWN],
  'POST /admin/schedules/:schedule/run': [[403, 403, 202, 404]],
  'GET /admin/schedules/:schedule/occurrences': [ADMINS_OWN],
  'DELETE /admin/schedules/:schedule': [[403, 403, 204, 404]],
  'POST /hooks/:hook': ['open'],
  'GET /.well-known/agent-skills/index.json': ['open'],
  'GET /.well-known/agent-skills/:skill/:artifact{.+}': ['open'],
  'GET /.well-known/skills/index.json': ['open'],
  'GET /.well-known/skills/:skill/:path{.+}': ['open'],
  'GET /healthz': ['open'],
  'GET /readyz': ['open'],
  'PUT /admin/catalog/build': [[403, 403, 404, 404], { digest: 'a'.repeat(64) }],
  'POST /admin/runs/wake': [[403, 403, 404, 404]],
  // Last, because its run is reported to the workspace after the answer.
  'POST /v1/chat': [THREAD, { message: 'Hello', thread_id: ':t' }],
}

const keys = { ann: '', chat: '', publisher: '', revoked: '', other: '' }

beforeAll(async () => {
  await serveSkills([{ name: 'alpha' }])
  keys.ann = (await makeKey('chat', 'ann')).key
  keys.chat = (await makeKey('chat', 'ben')).key
  keys.publisher = (await makeKey('publisher')).key
  const revoked = await makeKey('admin')
  keys.revoked = revoked.key
  await got(send(`DELETE /admin/keys/${revoked.id}`))
  keys.other = await foreignKey('other')
})

interface Made {
  readonly line: string
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request for the route, with everything that it names created anew. */
async function concrete(line: string, body?: object | string): Promise<Made> {
  const file = line.includes('/files/:path') && line.includes(':t')
  let text = JSON.stringify([line, body]).replace(':path{.+}', file ? 'uploads/a.txt' : 'SKILL.md')
  const put = (name: string, value: string): void => {
    text = text.replaceAll(new RegExp(`:${name}\\b`, 'g'), value)
  }
  if (text.includes(':t')) {
    const { thread, run } = await finished(keys.ann)
    put('t', thread)
    put('r', run)
    put('m', await messageOf(thread, keys.ann))
    if (file)
      await got(send(`PUT /v1/threads/${thread}/files/uploads/a.txt`, { key: keys.ann, body: 'x' }), 201)
  }
  if (text.includes(':skill')) {
    const name = `skill-${crypto.randomUUID().slice(0, 8)}`
    put('digest', (await publish({ name })).skill.digest)
    put('skill', name)
  }
  if (text.includes(':sha256')) put('sha256', await sha256Hex(JSON.stringify(body)))
  if (text.includes(':key')) put('key', (await makeKey('chat')).id)
  if (text.includes('tools/:tool')) {
    const name = `tool_${crypto.randomUUID().slice(0, 8)}`
    await got(send(`PUT /admin/tools/${name}`, { body: { ...TOOL, name } }), 201)
    put('tool', name)
  }
  if (text.includes(':server')) {
    const name = `server-${crypto.randomUUID().slice(0, 8)}`
    await got(send(`PUT /admin/mcp/${name}`, { body: MCP }), 201)
    put('server', name)
  }
  if (text.includes(':name')) {
    const name = `secret_${crypto.randomUUID().slice(0, 8)}`
    await got(send(`PUT /admin/secrets/${name}`, { body: SECRET }))
    put('name', name)
  }
  if (text.includes(':hook')) {
    const hook = await got<{ id: string }>(send('POST /admin/hooks', { body: { name: 'Test' } }), 201)
    put('hook', hook.id)
  }
  if (text.includes(':endpoint')) {
    // A workspace has few endpoints, so those of earlier requests go.
    const { data } = await got<{ data: { id: string }[] }>(send('GET /admin/endpoints'))
    for (const { id } of data) await send(`DELETE /admin/endpoints/${id}`)
    const body = { url: 'https://receiver.example.com/' }
    const { id } = await got<{ id: string }>(send('POST /admin/endpoints', { body }), 201)
    await send(`POST /admin/endpoints/${id}/test`)
    put('endpoint', id)
    put('entry', '1')
  }
  if (text.includes(':schedule')) {
    const schedule = await got<{ id: string }>(send('POST /admin/schedules', { body: SCHEDULE }), 201)
    put('schedule', schedule.id)
  }
  const [path, sent] = JSON.parse(text) as [string, (object | string)?]
  return { line: path, ...(sent ? { body: sent } : {}), ...(sent === FORM_OF_ONE ? { headers: FORM } : {}) }
}

describe('each route', () => {
  it('has a rule, and each rule a route', () => {
    const routes = ROUTES.map(({ method, path }) => `${method} ${path}`)
    expect(routes.toSorted()).toEqual(Object.keys(RULES).toSorted())
    for (const route of ROUTES)
      expect([route.path, route.role === null]).toEqual([
        route.path,
        RULES[`${route.method} ${route.path}`]?.[0] === 'open',
      ])
  })

  for (const [rule, [statuses, body]] of Object.entries(RULES)) {
    if (statuses === 'open') continue
    it(`${rule} admits who may, and changes nothing for others`, async () => {
      const callers = [keys.chat, keys.publisher, ADMIN_KEY, keys.other]
      const made = await concrete(rule, body)
      const { line, ...sent } = made
      const before = await stateOfAll()
      const secrets = [ADMIN_KEY, ...Object.values(keys)]
      for (const headers of [
        BAD_CREDENTIALS['no header'],
        BAD_CREDENTIALS['garbage'],
        BAD_CREDENTIALS['the key twice'],
        BAD_CREDENTIALS['a revoked key'],
      ]) {
        const problem = await refused(
          send(line, { ...sent, key: null, headers: headers?.(keys) ?? {} }),
          401,
          'unauthenticated',
        )
        for (const secret of secrets) expect(JSON.stringify(problem)).not.toContain(secret)
      }
      for (const [at, key] of callers.entries()) {
        const status = statuses[at] ?? 0
        if (status === 403) await refused(send(line, { ...sent, key }), 403, 'forbidden')
        if (status === 404) await refused(send(line, { ...sent, key }), 404, 'not_found')
      }
      expect(await stateOfAll()).toEqual(before)
      for (const [at, key] of callers.entries()) {
        const status = statuses[at] ?? 0
        if (status === 403 || status === 404) continue
        const fresh = await concrete(rule, body)
        const { line: again, ...same } = fresh
        expect(await statusOf(() => send(again, { ...same, key }))).toBe(status)
        await expectAudited(rule, again, key, status, key === keys.other ? keys.other : ADMIN_KEY)
      }
    })
  }
})
