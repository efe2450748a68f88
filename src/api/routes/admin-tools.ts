// The admin routes of HTTP tools: creating or replacing, enabling and disabling, removing, rolling back, and their versions.

import * as z from 'zod'
import { config } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { TOOL_NAME_MAX_CHARS } from '../../limits/requests.ts'
import { checkTool } from '../../tools/check-tool.ts'
import { mcpServerOf } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import { etag } from '../fields/conditions.ts'
import { invalidField } from '../problems/field-errors.ts'
import { readJson } from '../bodies/json-body.ts'
import { pageFrom, pageQuery } from '../fields/page.ts'
import { PAGE_QUERY } from '../route/query.ts'
import { limitCatalogRead } from '../admission/queues.ts'
import { json, param, route, type HttpContext, type KeyedRoute, type Reply } from '../route/route.ts'
import { catalogOf, changeRoute, skillTerms } from '../skills/change.ts'
import { readNoteQuery } from '../skills/upload.ts'
import {
  changeEntry,
  entryHistory,
  entryVersion,
  entryVersions,
  patchEntry,
  removeEntry,
  rollbackEntry,
} from '../tools/entry-changes.ts'
import { toolInfo } from '../tools/info.ts'
import { NO_TOOL, findTool } from '../tools/find-tool.ts'
import { importTools } from './admin-tool-import.ts'
import { testTool } from './admin-tool-test.ts'
import { liveIndex } from './skills.ts'
import { toolDiff } from '../tools/diff.ts'

type Handle = KeyedRoute['handle']

function isHttpTool({ name }: { readonly name: string }): boolean {
  return mcpServerOf(name) === null
}

const Definition = z.record(z.string(), z.unknown())
async function list(c: HttpContext, caller: Caller): Promise<Reply> {
  const query = pageQuery(c)
  if (!query.ok) return query
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const { index, version } = live.value
  const page = pageFrom(query.value, (index.tools ?? []).filter(isHttpTool), ({ name }) => name)
  if (!page.ok) return page
  const { data, next_cursor } = page.value
  const tools = await skillContent(c.env, caller.workspace).wholeTools(data)
  if (!tools.ok) return tools
  return json({ data: await Promise.all(tools.value.map(toolInfo)), next_cursor, catalog_version: version })
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
  return changeEntry(c, caller, terms, { kind: 'upsert-tools', tools, note: note.value })
})

/** Refuses names that no HTTP tool can have, without looking them up. */
function withToolNameCheck(handle: Handle): Handle {
  return (c, caller) => {
    const name = param(c, 'tool')
    return name.length > TOOL_NAME_MAX_CHARS || !isHttpTool({ name }) ? NO_TOOL : handle(c, caller)
  }
}

export const adminToolRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/tools', limitCatalogRead(list), PAGE_QUERY),
  route('admin', 'POST', '/admin/tools/import', importTools, ['dry_run']),
  route('admin', 'GET', '/admin/tools/:tool', limitCatalogRead(withToolNameCheck(showTool))),
  route('admin', 'PUT', '/admin/tools/:tool', withToolNameCheck(createOrReplace), ['dry_run', 'note']),
  route('admin', 'PATCH', '/admin/tools/:tool', withToolNameCheck(patchEntry), ['dry_run']),
  route('admin', 'DELETE', '/admin/tools/:tool', withToolNameCheck(removeEntry), ['dry_run']),
  route('admin', 'POST', '/admin/tools/:tool/test', withToolNameCheck(testTool)),
  route('admin', 'POST', '/admin/tools/:tool/rollback', withToolNameCheck(rollbackEntry), ['dry_run']),
  route(
    'admin',
    'GET',
    '/admin/tools/:tool/versions',
    limitCatalogRead(withToolNameCheck(entryVersions)),
    PAGE_QUERY,
  ),
  route(
    'admin',
    'GET',
    '/admin/tools/:tool/versions/:digest',
    limitCatalogRead(withToolNameCheck(entryVersion)),
  ),
  route(
    'admin',
    'GET',
    '/admin/tools/:tool/history',
    limitCatalogRead(withToolNameCheck(entryHistory)),
    PAGE_QUERY,
  ),
  route('admin', 'GET', '/admin/tools/:tool/diff', limitCatalogRead(withToolNameCheck(toolDiff)), [
    'from',
    'to',
  ]),
]
