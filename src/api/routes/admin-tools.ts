// The admin routes of HTTP tools: creating or replacing, enabling and disabling, removing, rolling back, and their versions.

import * as z from 'zod'
import { config } from '../../env/env.ts'
import { isSha256 } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { fail } from '../../lib/result.ts'
import { TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import type { ChangeTerms } from '../../skills/catalog/api.ts'
import type { ToolVersionInfo, ToolOperation } from '../../skills/catalog/tools-api.ts'
import { checkTool } from '../../tools/check-tool.ts'
import { etag } from '../fields/conditions.ts'
import { Rollback } from '../fields/fields.ts'
import { invalidField } from '../problems/field-errors.ts'
import { readJson } from '../bodies/json-body.ts'
import { numberedPageQuery, pageFrom, pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { limitCatalogRead } from '../admission/queues.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { catalogOf, changeRoute, skillTerms } from '../skills/change.ts'
import { readNoteQuery } from '../skills/upload.ts'
import { toolInfo } from '../tools/info.ts'
import { NO_TOOL, findTool } from '../tools/find-tool.ts'
import { importTools } from './admin-tool-import.ts'
import { testTool } from './admin-tool-test.ts'
import { liveIndex } from './skills.ts'
import { toolDiff } from '../tools/diff.ts'

type Handle = KeyedRoute['handle']

const Definition = z.record(z.string(), z.unknown())
const Patch = z.strictObject({ enabled: z.boolean() })
async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const query = pageQuery(c)
  if (!query.ok) return query
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const { index, version } = live.value
  const page = pageFrom(query.value, index.tools ?? [], ({ name }) => name)
  if (!page.ok) return page
  const { data, next_cursor } = page.value
  return json({ data: await Promise.all(data.map(toolInfo)), next_cursor, catalog_version: version })
}

async function showTool(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = await findTool(c, caller)
  if (!entry.ok) return entry
  const versions = await catalogOf(c, caller).toolVersions(entry.value.name)
  if (!versions.ok) return versions
  const { definition, digest } = entry.value
  const info = await toolInfo(entry.value)
  return json({ ...info, definition, versions: versions.value }, 200, etag(digest))
}

/** Makes the change and returns the tool. The status is 201 if the tool was created or replaced. */
async function makeChange(
  c: HttpContext,
  caller: Caller,
  { author, build, dryRun }: ChangeTerms,
  operation: ToolOperation,
): Promise<Reply> {
  const result = await catalogOf(c, caller).change({ author, build, dryRun, operation })
  if (!result.ok) return result
  const { version: catalog_version, tools, toolChanges } = result.value
  const [entry = null] = tools
  const responseFields = { tool: entry && (await toolInfo(entry)), catalog_version }
  const isNew = toolChanges.added.length + toolChanges.changed.length > 0
  const body =
    operation.kind === 'upsert-tools' ? { ...responseFields, created: isNew && !dryRun } : responseFields
  if (dryRun) return json({ ...body, changes: toolChanges, dry_run: true })
  const status = operation.kind === 'upsert-tools' && isNew ? 201 : 200
  return json(body, status, entry ? etag(entry.digest) : {})
}

const createOrReplace = changeRoute(skillTerms, async (c, caller, terms) => {
  const note = readNoteQuery(c.req.raw)
  if (!note.ok) return note
  const body = await readJson(c.req.raw, Definition)
  if (!body.ok) return body
  const pathName = param(c, 'tool')
  const { name = pathName } = body.value.data
  if (name !== pathName) return invalidField('name', 'must be the same as the name in the path')
  const tool = await checkTool({ ...body.value.data, name }, { secretsInUrl: config(c.env).secretsInUrl })
  if (!tool.ok) return tool
  const tools = [{ ...tool.value, expect: terms.expect }]
  return makeChange(c, caller, terms, { kind: 'upsert-tools', tools, note: note.value })
})

const patch = changeRoute(skillTerms, async (c, caller, terms) => {
  const body = await readJson(c.req.raw, Patch)
  if (!body.ok) return body
  const { enabled } = body.value.data
  const target = { tool: param(c, 'tool'), expect: terms.expect }
  return makeChange(c, caller, terms, { kind: 'patch-tool', ...target, enabled })
})

const remove = changeRoute(skillTerms, async (c, caller, terms) => {
  const target = { tool: param(c, 'tool'), expect: terms.expect }
  return makeChange(c, caller, terms, { kind: 'delete-tool', ...target })
})

const rollback = changeRoute(skillTerms, async (c, caller, terms) => {
  const body = await readJson(c.req.raw, Rollback)
  if (!body.ok) return body
  const target = { tool: param(c, 'tool'), expect: terms.expect }
  return makeChange(c, caller, terms, { kind: 'rollback-tool', ...target, to: body.value.data.to })
})

async function versions(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const result = await catalogOf(c, caller).toolVersions(param(c, 'tool'))
  if (!result.ok) return result
  if (result.value.length === 0) {
    const existing = await findTool(c, caller)
    if (!existing.ok) return existing
  }
  const key = (version: ToolVersionInfo): string => `${version.created_at} ${version.digest}`
  return pageFrom(page.value, result.value, key, 'descending')
}

async function version(c: HttpContext, caller: Caller): Promise<Reply> {
  const digest = param(c, 'digest')
  if (!isSha256(digest))
    return fail('not_found', 'Specify the version by its digest: 64 lower-case hex digits.')
  const result = await catalogOf(c, caller).toolVersion(param(c, 'tool'), digest)
  return result.ok ? json(result.value, 200, etag(digest)) : result
}

async function history(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const { before, limit } = page.value
  const result = await catalogOf(c, caller).history(param(c, 'tool'), limit, before, 'tool')
  if (!result.ok) return result
  const { items, next } = result.value
  if (items.length === 0) {
    const existing = await findTool(c, caller)
    if (!existing.ok) return existing
  }
  const data = items.map((item) => {
    const { findings: _, ...info } = item
    return info
  })
  return json({ data, next_cursor: next === null ? null : encodeCursor([next]) })
}

/** Refuses names that are too long to exist, without looking them up. */
function withToolNameCheck(handle: Handle): Handle {
  return (c, caller) => (param(c, 'tool').length > TOOL_NAME_MAX_CHARS ? NO_TOOL : handle(c, caller))
}

export const adminToolRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/tools', limitCatalogRead(list), PAGE_QUERY),
  route('admin', 'POST', '/admin/tools/import', importTools, ['dry_run']),
  route('admin', 'GET', '/admin/tools/:tool', limitCatalogRead(withToolNameCheck(showTool))),
  route('admin', 'PUT', '/admin/tools/:tool', withToolNameCheck(createOrReplace), ['dry_run', 'note']),
  route('admin', 'PATCH', '/admin/tools/:tool', withToolNameCheck(patch), ['dry_run']),
  route('admin', 'DELETE', '/admin/tools/:tool', withToolNameCheck(remove), ['dry_run']),
  route('admin', 'POST', '/admin/tools/:tool/test', withToolNameCheck(testTool)),
  route('admin', 'POST', '/admin/tools/:tool/rollback', withToolNameCheck(rollback), ['dry_run']),
  route(
    'admin',
    'GET',
    '/admin/tools/:tool/versions',
    limitCatalogRead(withToolNameCheck(versions)),
    PAGE_QUERY,
  ),
  route('admin', 'GET', '/admin/tools/:tool/versions/:digest', limitCatalogRead(withToolNameCheck(version))),
  route(
    'admin',
    'GET',
    '/admin/tools/:tool/history',
    limitCatalogRead(withToolNameCheck(history)),
    PAGE_QUERY,
  ),
  route('admin', 'GET', '/admin/tools/:tool/diff', limitCatalogRead(withToolNameCheck(toolDiff)), [
    'from',
    'to',
  ]),
]
