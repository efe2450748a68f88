// What the admin routes of HTTP tools and MCP servers share: both are entries of the catalog, with versions and a history.

import * as z from 'zod'
import { objects } from '../../env/env.ts'
import { isSha256 } from '../../lib/bytes.ts'
import type { Caller } from '../../lib/caller.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { fail } from '../../lib/result.ts'
import type { ChangeTerms } from '../../skills/catalog/api.ts'
import type { ToolVersionInfo, ToolOperation } from '../../skills/catalog/tools-api.ts'
import type { WholeTool } from '../../skills/skill.ts'
import { readJson } from '../bodies/json-body.ts'
import { etag } from '../fields/conditions.ts'
import { Rollback } from '../fields/fields.ts'
import { numberedPageQuery, pageFrom, pageQuery } from '../fields/page.ts'
import { json, param, type HttpContext, type Reply } from '../route/route.ts'
import { catalogOf, changeRoute, skillTerms } from '../skills/change.ts'
import { catalogNameOf, findTool } from './find-tool.ts'
import { toolInfo, type ToolInfo } from './info.ts'
import type { McpServerInfo } from './server-info.ts'

const Patch = z.strictObject({ enabled: z.boolean() })

type Shown = { readonly tool: ToolInfo | null } | { readonly server: McpServerInfo | null }

/** The tool or the server, depending on the path; null after it was removed. */
async function shown(c: HttpContext, caller: Caller, entry: WholeTool | null): Promise<Shown> {
  const server = c.req.param('server')
  if (server === undefined) return { tool: entry && (await toolInfo(entry)) }
  // Loaded late, because most deployments have no servers.
  const { serverInfo } = await import('./server-info.ts')
  const seen = await objects(c.env).workspace(caller.workspace).seenMcpServers(server)
  return { server: entry && (await serverInfo(entry, seen.ok ? seen.value[0] : undefined)) }
}

/** Makes the change and returns the tool or the server. The status is 201 if it was created or replaced. */
export async function changeEntry(
  c: HttpContext,
  caller: Caller,
  { author, build, dryRun }: ChangeTerms,
  operation: ToolOperation,
): Promise<Reply> {
  const result = await catalogOf(c, caller).change({ author, build, dryRun, operation })
  if (!result.ok) return result
  const { version: catalog_version, tools, toolChanges } = result.value
  const [entry = null] = tools
  const responseFields = { ...(await shown(c, caller, entry)), catalog_version }
  const isNew = toolChanges.added.length + toolChanges.changed.length > 0
  const body =
    operation.kind === 'upsert-tools' ? { ...responseFields, created: isNew && !dryRun } : responseFields
  if (dryRun) return json({ ...body, changes: toolChanges, dry_run: true })
  const status = operation.kind === 'upsert-tools' && isNew ? 201 : 200
  return json(body, status, entry ? etag(entry.digest) : {})
}

export const patchEntry = changeRoute(skillTerms, async (c, caller, terms) => {
  const body = await readJson(c.req.raw, Patch)
  if (!body.ok) return body
  const { enabled } = body.value.data
  const target = { tool: catalogNameOf(c), expect: terms.expect }
  return changeEntry(c, caller, terms, { kind: 'patch-tool', ...target, enabled })
})

export const removeEntry = changeRoute(skillTerms, async (c, caller, terms) => {
  const target = { tool: catalogNameOf(c), expect: terms.expect }
  return changeEntry(c, caller, terms, { kind: 'delete-tool', ...target })
})

export const rollbackEntry = changeRoute(skillTerms, async (c, caller, terms) => {
  const body = await readJson(c.req.raw, Rollback)
  if (!body.ok) return body
  const target = { tool: catalogNameOf(c), expect: terms.expect }
  return changeEntry(c, caller, terms, { kind: 'rollback-tool', ...target, to: body.value.data.to })
})

export async function entryVersions(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = pageQuery(c)
  if (!page.ok) return page
  const result = await catalogOf(c, caller).toolVersions(catalogNameOf(c))
  if (!result.ok) return result
  if (result.value.length === 0) {
    const existing = await findTool(c, caller)
    if (!existing.ok) return existing
  }
  const key = (version: ToolVersionInfo): string => `${version.created_at} ${version.digest}`
  return pageFrom(page.value, result.value, key, 'descending')
}

export async function entryVersion(c: HttpContext, caller: Caller): Promise<Reply> {
  const digest = param(c, 'digest')
  if (!isSha256(digest))
    return fail('not_found', 'Specify the version by its digest: 64 lower-case hex digits.')
  const result = await catalogOf(c, caller).toolVersion(catalogNameOf(c), digest)
  return result.ok ? json(result.value, 200, etag(digest)) : result
}

export async function entryHistory(c: HttpContext, caller: Caller): Promise<Reply> {
  const page = numberedPageQuery(c)
  if (!page.ok) return page
  const { before, limit } = page.value
  const result = await catalogOf(c, caller).history(catalogNameOf(c), limit, before, 'tool')
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
