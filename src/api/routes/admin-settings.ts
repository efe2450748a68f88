// The routes for the settings of a workspace: their values with defaults, changes by admins, and the history of changes.

import { objects, config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { cacheSettings } from '../../settings/settings-cache.ts'
import { SettingsPatchSchema, withDefaults, type StoredSettings } from '../../settings/settings.ts'
import { etag, expectedVersion } from '../fields/conditions.ts'
import { readJson } from '../bodies/json-body.ts'
import { pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { json, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { authorOf } from '../skills/change.ts'

function settingsResponse(
  c: HttpContext,
  { version, changed, updated_at, updated_by }: StoredSettings,
): Response {
  const { defaults } = config(c.env)
  const settings = withDefaults(defaults, changed)
  return json({ version, settings, defaults, changed, updated_at, updated_by }, 200, etag(version))
}

async function show(c: HttpContext, caller: Caller): Promise<Reply> {
  const stored = await objects(c.env).workspace(caller.workspace).settings()
  return stored.ok ? settingsResponse(c, stored.value) : stored
}

async function change(c: HttpContext, caller: Caller): Promise<Reply> {
  const expected = expectedVersion(c, 'version of the settings', 'GET /admin/settings')
  if (!expected.ok) return expected
  const body = await readJson(c.req.raw, SettingsPatchSchema)
  if (!body.ok) return body
  const stored = await objects(c.env)
    .workspace(caller.workspace)
    .changeSettings({ author: authorOf(caller), patch: body.value.data, expectedVersion: expected.value })
  if (!stored.ok) return stored
  cacheSettings(caller.workspace, stored.value, systemClock())
  return settingsResponse(c, stored.value)
}

async function history(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  return objects(c.env).workspace(caller.workspace).settingsHistory(page.value.cursor, page.value.limit)
}

export const adminSettingsRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/settings', show),
  route('admin', 'PATCH', '/admin/settings', change),
  route('admin', 'GET', '/admin/settings/history', history, PAGE_QUERY),
]
