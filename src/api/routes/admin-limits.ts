// The routes for the limits of a workspace: what its runs may spend, and the history of changes.

import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import type { Result } from '../../lib/result.ts'
import { CAP_NAMES_MAX } from '../../limits/caps.ts'
import type { StoredLimits } from '../../workspace/cap-api.ts'
import { forgetKeys } from '../auth/auth.ts'
import { readJson } from '../bodies/json-body.ts'
import { LimitsPatchFields } from '../fields/caps.ts'
import { etag, expectedVersion } from '../fields/conditions.ts'
import { pageQuery } from '../fields/page.ts'
import { invalidField } from '../problems/field-errors.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { authorOf } from '../skills/change.ts'

function shown(stored: Result<StoredLimits>): Reply {
  return stored.ok ? json(stored.value, 200, etag(stored.value.version)) : stored
}

async function show(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  return shown(await objects(c.env).workspace(workspace).limits())
}

/** How many names have caps after a change. */
function countNames(current: object, change: object | null | undefined): number {
  const names = Object.entries({ ...(change === null ? {} : current), ...change })
  return names.filter(([, caps]) => caps !== null).length
}

async function change(c: HttpContext, caller: Caller): Promise<Reply> {
  const expected = expectedVersion(c, 'version of the limits', 'GET /admin/limits')
  if (!expected.ok) return expected
  const body = await readJson(c.req.raw, LimitsPatchFields)
  if (!body.ok) return body
  const stub = objects(c.env).workspace(caller.workspace)
  const patch = body.value.data
  const current = await stub.limits()
  if (!current.ok) return current
  for (const section of ['users', 'hooks'] as const)
    if (countNames(current.value.limits[section], patch[section]) > CAP_NAMES_MAX)
      return invalidField(section, `must have at most ${CAP_NAMES_MAX} names in all: remove some with null`)
  const author = authorOf(caller)
  const changed = await stub.changeLimits({ author, patch, expectedVersion: expected.value })
  // A verified key has the maximum budget of its role.
  forgetKeys()
  return shown(changed)
}

async function history(c: HttpContext, { workspace }: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  return objects(c.env).workspace(workspace).limitsHistory(page.value.cursor, page.value.limit)
}

export const adminLimitRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/limits', show),
  route('admin', 'PATCH', '/admin/limits', change),
  route('admin', 'GET', '/admin/limits/history', history, PAGE_QUERY),
]
