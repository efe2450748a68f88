// Asks an MCP server for its tools on behalf of an admin, and compares them with the approved ones.

import { utf8 } from '../../lib/bytes.ts'
import { objects } from '../../env/env.ts'
import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { Effect } from '../../agent/tool.ts'
import { workspaceStream } from '../../net/workspace-fetch.ts'
import { connect, type Connection, type McpPorts } from '../../tools/mcp/connection.ts'
import { effectOfPin } from '../../tools/mcp/effect.ts'
import { liveServer, type LiveMcpServer } from '../../tools/mcp/live.ts'
import { failedObservation, listedObservation, type ReportObservation } from '../../tools/mcp/observation.ts'
import { isSamePin, offerOf, pinText, type McpOffer } from '../../tools/mcp/offer.ts'
import { digestsOf, type McpPin } from '../../tools/mcp/pins.ts'
import type { HttpContext } from '../route/route.ts'
import { adminSecrets } from './admin-secrets.ts'
import { findTool } from './find-tool.ts'

export interface OfferedServer {
  readonly live: LiveMcpServer
  readonly offer: McpOffer
}

/** One tool of POST …/refresh. */
interface McpToolInfo {
  /** The name at the server, and for models. */
  readonly name: string
  readonly tool: string
  readonly description: string
  readonly input_schema: unknown
  readonly annotations: unknown
  readonly effect: Effect
  /** How it differs from what is approved. */
  readonly change: 'added' | 'changed' | 'same'
  /** A unified diff of a changed tool, without hunks if nothing that models read has changed; null if it would be too large. */
  readonly diff: string | null
}

export interface McpOfferInfo {
  readonly server: string
  /** The digest to send to POST …/approve. */
  readonly digest: string
  readonly approved: string | null
  readonly tools: readonly McpToolInfo[]
  /** Approved tools that the server no longer offers. */
  readonly removed: readonly string[]
  readonly refused: McpOffer['refused']
}

export function mcpPorts(c: HttpContext, caller: Caller): McpPorts {
  return {
    stream: workspaceStream(c.env, caller.workspace, systemClock),
    secrets: adminSecrets(c, caller),
    now: systemClock,
    reportMcpServer: (...observation) =>
      c.executionCtx.waitUntil(recordObservation(c, caller, ...observation)),
  }
}

/** Records what was observed. If this fails, nothing else changes. */
export async function recordObservation(
  c: HttpContext,
  { workspace }: Caller,
  ...observation: Parameters<ReportObservation>
): Promise<void> {
  await objects(c.env)
    .workspace(workspace)
    .recordMcpServer(...observation)
    .catch(() => null)
}

/** The server that the path names. */
export async function findServer(c: HttpContext, caller: Caller): Promise<Result<LiveMcpServer>> {
  const entry = await findTool(c, caller)
  if (!entry.ok) return entry
  const live = await liveServer(entry.value)
  return live
    ? ok(live)
    : fail('invalid_tool', 'This release cannot read the definition of the server. Create the server again.')
}

/** Lists the tools of the server that the path names. Fails with `server_unavailable` if the server cannot be used. */
export async function askServer(c: HttpContext, caller: Caller): Promise<Result<OfferedServer>> {
  const found = await findServer(c, caller)
  if (!found.ok) return found
  const { name, server } = found.value
  const ports = mcpPorts(c, caller)
  const list = async (rejected: Connection | null) => {
    const connection = await connect(server, ports, c.req.raw.signal, rejected)
    if (!connection.ok) return connection
    const { client, mask } = connection.value
    const tools = await client.listTools(c.req.raw.signal)
    c.executionCtx.waitUntil(client.close())
    return ok({ connection: connection.value, mask, tools })
  }
  const first = await list(null)
  // The token may have been revoked before it expired.
  const isRejected = first.ok && !first.value.tools.ok && first.value.tools.error.unauthorized
  const listed = isRejected && first.value.connection.token ? await list(first.value.connection) : first
  if (!listed.ok) return fail('invalid_request', `The server was not asked for its tools. ${listed.error}`)
  const { tools, mask } = listed.value
  if (!tools.ok) {
    await recordObservation(c, caller, name, failedObservation(found.value, tools.error.detail))
    const hint =
      tools.error.sent || tools.error.interrupted || server.url.startsWith('https:')
        ? ''
        : ' Servers on your own machine or network must be listed in PRIVATE_HOSTS.'
    return fail('server_unavailable', `${tools.error.detail}${hint}`)
  }
  const digests = await digestsOf(tools.value)
  await recordObservation(c, caller, name, await listedObservation(found.value, tools.value, digests, mask))
  return ok({ live: found.value, offer: await offerOf(name, server, tools.value, digests) })
}

export async function offerInfo({ live, offer }: OfferedServer): Promise<McpOfferInfo> {
  const { unifiedDiff } = await import('../../skills/package/unified-diff.ts')
  const before = new Map(live.pins?.tools.map((pin) => [pin.name, pin]))
  const after = new Set(offer.pins.tools.map(({ name }) => name))
  const infoOf = (pin: McpPin): McpToolInfo => {
    const earlier = before.get(pin.name)
    const change = !earlier ? 'added' : isSamePin(earlier, pin) ? 'same' : 'changed'
    const { name, tool, description, input_schema, annotations } = pin
    const patch =
      change === 'changed' && earlier
        ? unifiedDiff(`${name}.json`, utf8(pinText(earlier)), utf8(pinText(pin)))
        : null
    const effect = effectOfPin(live.server, pin)
    return { name, tool, description, input_schema, annotations, effect, change, diff: patch?.diff ?? null }
  }
  return {
    server: live.name,
    digest: offer.pins.digest,
    approved: live.pins?.digest ?? null,
    tools: offer.pins.tools.map(infoOf),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    refused: offer.refused,
  }
}
