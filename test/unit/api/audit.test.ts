// Promise: actions have readable names made from their routes, and a record has only the fields that changed, short and
// without secrets.

import { expect, test } from 'vitest'

import { actionOf } from '../../../src/api/audit/action.ts'
import { changedFields } from '../../../src/api/audit/changed-fields.ts'
import { isAudited, isAuditedFor } from '../../../src/api/audit/is-audited.ts'
import type { ApiRoute } from '../../../src/api/route/route.ts'

function route(line: string, role: ApiRoute['role'] = 'admin'): ApiRoute {
  const [method, path = ''] = line.split(' ')
  // The cast is safe: the tests name methods of the API, and call no handler.
  return { method, path, role, handle: () => ({ ok: true, value: null }) } as ApiRoute
}

test('an action is named by the fixed segments of its path and what its method does', () => {
  for (const [line, name] of [
    ['POST /admin/keys', 'keys.create'],
    ['PATCH /admin/keys/:key', 'keys.change'],
    ['DELETE /admin/keys/:key', 'keys.delete'],
    ['POST /admin/keys/:key/rotate', 'keys.rotate'],
    ['PUT /admin/secrets/:name', 'secrets.put'],
    ['DELETE /admin/skills/:skill/versions/:digest', 'skills.versions.delete'],
    ['POST /admin/endpoints/:endpoint/log/:entry/replay', 'endpoints.log.replay'],
    ['DELETE /v1/threads/:t', 'threads.delete'],
    ['GET /admin/export', 'export'],
    ['GET /v1/me/export', 'me.export'],
  ] as const)
    expect(actionOf(route(line)), line).toBe(name)
})

test('a new route of admins or publishers is recorded unless it only reads, and so is every export', () => {
  expect(isAudited(route('POST /admin/new/:thing'))).toBe(true)
  expect(isAudited(route('DELETE /admin/new/:thing', 'publisher'))).toBe(true)
  expect(isAudited(route('GET /admin/new'))).toBe(false)
  expect(isAudited(route('GET /v1/me/export', 'chat'))).toBe(true)
  expect(isAudited(route('GET /admin/backup'))).toBe(true)
  expect(isAudited(route('GET /admin/backup/rows'))).toBe(false)
  expect(isAudited(route('POST /v1/new', 'chat'))).toBe(false)
  expect(isAudited(route('POST /new', null))).toBe(false)
  const approval = route('POST /v1/threads/:t/runs/:r/approvals/:tool_use_id', 'chat')
  expect(isAuditedFor('chat', approval)).toBe(false)
  expect(isAuditedFor('admin', approval)).toBe(true)
  expect(isAuditedFor('admin', route('GET /v1/threads/:t', 'chat'))).toBe(false)
})

test('only fields that changed are recorded, and absent ones count as null', async () => {
  const before = { a: 1, b: { x: 1, y: 2 }, c: null, gone: 'g' }
  const after = { a: 2, b: { y: 2, x: 1 }, made: true }
  expect(await changedFields(before, after)).toEqual({
    before: { a: 1, gone: 'g', made: null },
    after: { a: 2, gone: null, made: true },
  })
  expect(await changedFields(before, before)).toEqual({ before: null, after: null })
  expect(await changedFields(null, { a: 1 })).toEqual({ before: null, after: { a: 1 } })
  expect(await changedFields({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null })
})

test('a long value becomes its digest, and what looks like a secret is removed', async () => {
  const text = 'x'.repeat(400)
  const { after } = await changedFields(null, {
    text,
    url: 'https://a:b@example.com/',
    list: ['sk-0123456789abcdef'],
  })
  expect(after).toEqual({
    text: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    url: 'https://[redacted]@example.com/',
    list: ['[redacted]'],
  })
})
