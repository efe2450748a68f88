// Reads the audit in tests, and checks that it has recorded a request to a route.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { actionOf } from '../../src/api/audit/action.ts'
import { isAudited } from '../../src/api/audit/is-audited.ts'
import { ROUTES } from '../../src/api/app.ts'
import type { AuditEntry } from '../../src/workspace/audit-api.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { ADMIN_KEY, got, send } from './api-fixture.ts'

/** Works with the tables of a workspace. */
export function inAudit<T>(work: (sql: SqlStorage) => T, workspace = 'default'): Promise<T> {
  const stub = env.WORKSPACES.getByName(workspace) as DurableObjectStub<Workspace>
  return runInDurableObject(stub, (_, { storage }) => work(storage.sql))
}

/** The newest records, read by an admin of the workspace. */
export async function actions(query = '', admin = ADMIN_KEY): Promise<readonly AuditEntry[]> {
  return (await got<{ data: AuditEntry[] }>(send(`GET /admin/audit?${query}`, { key: admin }))).data
}

export function idOfKey(key: string): string {
  return key === ADMIN_KEY ? 'admin' : (key.split('_')[2] ?? '')
}

/** What the parameters of the route are in this request, in order. */
function namesIn(rule: string, line: string): readonly string[] {
  const [patterns, segments] = [rule, line].map((text) => (text.split('?')[0] ?? '').split('/'))
  return (segments ?? []).filter((_, index) => patterns?.[index]?.startsWith(':')).map(decodeURIComponent)
}

/** `rule` is a route as `POST /admin/keys`, `line` the request to it. `admin` reads the records of its workspace. */
export async function expectAudited(
  rule: string,
  line: string,
  key: string,
  status: number,
  admin: string,
): Promise<void> {
  const [route] = ROUTES.filter(({ method, path }) => `${method} ${path}` === rule)
  if (!route || !isAudited(route)) return
  const [newest] = await actions(`action=${actionOf(route)}&limit=1`, admin)
  const target = namesIn(rule, line).join('/')
  expect(newest).toMatchObject({
    key: idOfKey(key),
    action: actionOf(route),
    status,
    ...(target === '' ? {} : { target }),
  })
  if (status === 201) expect(newest?.target).toEqual(expect.any(String))
}
