// Handles the admin requests for MCP servers: definitions, the tools that a server offers, their approval, and test
// calls.

import * as z from 'zod'
import type { Caller } from '../../lib/caller.ts'
import { objects } from '../../env/env.ts'
import { systemClock } from '../../lib/clock.ts'
import { isSha256 } from '../../lib/bytes.ts'
import { newId } from '../../lib/ids.ts'
import { fail } from '../../lib/result.ts'
import { toDisplayText } from '../../agent/result.ts'
import { mcpServerOf } from '../../skills/skill.ts'
import { skillContent } from '../../skills/store/content.ts'
import { effectOfPin } from '../../tools/mcp/effect.ts'
import { entryNameOf } from '../../tools/mcp/names.ts'
import { serverEntry } from '../../tools/mcp/server.ts'
import { mcpTool } from '../../tools/mcp/tool.ts'
import { readJson } from '../bodies/json-body.ts'
import { etag } from '../fields/conditions.ts'
import { pageFrom, pageQuery } from '../fields/page.ts'
import { json, param, type HttpContext, type Reply } from '../route/route.ts'
import { catalogOf, changeRoute, skillTerms } from '../skills/change.ts'
import { readNoteQuery } from '../skills/upload.ts'
import { refuseManyTrials } from '../tools/admin-secrets.ts'
import { changeEntry } from '../tools/entry-changes.ts'
import { findTool } from '../tools/find-tool.ts'
import { listingOf, serverInfo } from '../tools/server-info.ts'
import { askServer, findServer, mcpPorts, offerInfo, recordObservation } from '../tools/server-offer.ts'
import type { WorkspaceApi } from '../../workspace/api.ts'
import { liveIndex } from './skills.ts'

const Definition = z.record(z.string(), z.unknown())
const Approval = z.strictObject({
  digest: z.string().refine(isSha256, 'must be the digest that POST …/refresh returned'),
})
const TestBody = z.strictObject({ tool: z.string().min(1), input: z.record(z.string(), z.unknown()) })

const workspaceOf = (c: HttpContext, { workspace }: Caller): WorkspaceApi =>
  objects(c.env).workspace(workspace)

export async function listServers(c: HttpContext, caller: Caller): Promise<Reply> {
  const query = pageQuery(c)
  if (!query.ok) return query
  const live = await liveIndex(c, caller.workspace)
  if (!live.ok) return live
  const { index, version } = live.value
  const servers = (index.tools ?? []).filter(({ name }) => mcpServerOf(name) !== null)
  const page = pageFrom(query.value, servers, ({ name }) => name)
  if (!page.ok) return page
  const seen = await workspaceOf(c, caller).seenMcpServers(null)
  if (!seen.ok) return seen
  const seenByName = new Map(seen.value.map((server) => [entryNameOf(server.name), server]))
  const { next_cursor } = page.value
  const whole = await skillContent(c.env, caller.workspace).wholeTools(page.value.data)
  if (!whole.ok) return whole
  const data = await Promise.all(whole.value.map((entry) => serverInfo(entry, seenByName.get(entry.name))))
  return json({ data, next_cursor, catalog_version: version })
}

export async function showServer(c: HttpContext, caller: Caller): Promise<Reply> {
  const entry = await findTool(c, caller)
  if (!entry.ok) return entry
  const versions = await catalogOf(c, caller).toolVersions(entry.value.name)
  if (!versions.ok) return versions
  const { definition, digest } = entry.value
  const live = await findServer(c, caller)
  const approved_tools = live.ok
    ? live.value.allowed.map((pin) => ({
        name: pin.name,
        tool: pin.tool,
        description: pin.description,
        effect: effectOfPin(live.value.server, pin),
      }))
    : []
  const seen = await workspaceOf(c, caller).seenMcpServers(param(c, 'server'))
  if (!seen.ok) return seen
  const info = await serverInfo(entry.value, seen.value[0])
  const listing = listingOf(info, seen.value[0])
  const body = { ...info, definition, approved_tools, ...listing, versions: versions.value }
  return json(body, 200, etag(digest))
}

export const putServer = changeRoute(skillTerms, async (c, caller, terms) => {
  const note = readNoteQuery(c.req.raw)
  if (!note.ok) return note
  const body = await readJson(c.req.raw, Definition)
  if (!body.ok) return body
  const entry = await serverEntry(param(c, 'server'), body.value.data)
  if (!entry.ok) return entry
  const tools = [{ ...entry.value, expect: terms.expect }]
  return changeEntry(c, caller, terms, { kind: 'upsert-tools', tools, note: note.value })
})

export async function refreshServer(c: HttpContext, caller: Caller): Promise<Reply> {
  const refusal = refuseManyTrials(c, caller)
  if (refusal) return refusal
  const offered = await askServer(c, caller)
  return offered.ok ? json(await offerInfo(offered.value)) : offered
}

/** Asks the server again, so that exactly what the admin has compared is approved. */
export async function approveServer(c: HttpContext, caller: Caller): Promise<Reply> {
  const refusal = refuseManyTrials(c, caller)
  if (refusal) return refusal
  const body = await readJson(c.req.raw, Approval)
  if (!body.ok) return body
  const offered = await askServer(c, caller)
  if (!offered.ok) return offered
  const { pins } = offered.value.offer
  if (pins.digest !== body.value.data.digest)
    return fail(
      'tool_changed',
      'The server now offers other tools than those with this digest. Nothing was approved. Compare them again: POST …/refresh.',
    )
  const { url, digest } = pins
  const change = changeRoute(skillTerms, async (_, __, terms) => {
    const listing = { approved: digest, blocked: [], unapproved: [] }
    // This has no effect if the approval fails, because another digest is approved then.
    if (!terms.dryRun)
      await recordObservation(c, caller, offered.value.live.name, { url, error: null, listing })
    return changeEntry(c, caller, terms, {
      kind: 'approve-tool',
      tool: entryNameOf(param(c, 'server')),
      expect: terms.expect,
      approved: { ...pins },
    })
  })
  return change(c, caller)
}

/** Really makes a call. Needs no approval, because the admin who sends the request has decided. */
export async function testServer(c: HttpContext, caller: Caller): Promise<Reply> {
  const refusal = refuseManyTrials(c, caller)
  if (refusal) return refusal
  const body = await readJson(c.req.raw, TestBody)
  if (!body.ok) return body
  const found = await findServer(c, caller)
  if (!found.ok) return found
  const { tool: wanted, input } = body.value.data
  const pin = found.value.allowed.find(({ name, tool }) => name === wanted || tool === wanted)
  if (!pin)
    return fail(
      'not_found',
      `No tool "${wanted}" of this server is approved. GET /admin/mcp/${found.value.name} lists those that are; refresh the server to approve others.`,
    )
  const endings: (() => Promise<void>)[] = []
  const { stream, secrets, now, reportMcpServer } = mcpPorts(c, caller)
  const callable = mcpTool(found.value, await found.value.toolOf(pin), {
    stream,
    secrets,
    context: { now },
    reportMcpServer,
    onEnd: (work) => void endings.push(work),
  })
  const startedAt = systemClock()
  const id = newId('req')
  const result = await callable.run(input, {
    runId: id,
    toolUseId: 'test',
    idempotencyKey: `${id}:test`,
    signal: c.req.raw.signal,
    progress: () => undefined,
  })
  for (const end of endings) c.executionCtx.waitUntil(end())
  return json({
    request: callable.preview?.(input) ?? null,
    result: toDisplayText(result.content),
    is_error: result.isError,
    duration_ms: systemClock() - startedAt,
  })
}
