// The approved tools of an MCP server in the current catalog, and the rows that a thread stores of them. Asks no server.

import { NEVER_ASK } from '../../agent/approval.ts'
import type { ToolRow } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { mcpServerOf, type ToolEntry } from '../../skills/skill.ts'
import { effectOfPin } from './effect.ts'
import { pinsFor, type McpPin, type McpPins } from './pins.ts'
import { isWanted, parseServer, type McpServer } from './server.ts'

export interface LiveMcpTool {
  readonly pin: McpPin
  readonly row: ToolRow
}

export interface LiveMcpServer {
  readonly name: string
  readonly server: McpServer
  /** The digest of the definition and of the approved tools, to which approvals of calls are bound. */
  readonly digest: string
  /** Null if nothing was approved at this address. */
  readonly pins: McpPins | null
  readonly tools: readonly LiveMcpTool[]
}

/** Stores results instead of promises, because a promise belongs to the request that created it. */
const parsedServers = new WeakMap<ToolEntry, LiveMcpServer | 'unreadable'>()

/** The server of a catalog entry; null if it is none, or if this release cannot read its definition. */
export async function liveServer(entry: ToolEntry): Promise<LiveMcpServer | null> {
  const server = parsedServers.get(entry) ?? (await read(entry)) ?? 'unreadable'
  parsedServers.set(entry, server)
  return server === 'unreadable' ? null : server
}

async function read(entry: ToolEntry): Promise<LiveMcpServer | null> {
  const name = mcpServerOf(entry.name)
  const parsed = parseServer(entry.definition)
  if (name === null || !parsed.ok) return null
  const server = parsed.value
  const pins = pinsFor(server.url, entry.approved)
  // A list of the definition may have become stricter after the approval.
  const allowed = (pins?.tools ?? []).filter(({ name }) => isWanted(server, name))
  const tools = await Promise.all(allowed.map(async (pin) => ({ pin, row: await rowOf(server, pin) })))
  const digest = await sha256Hex(canonicalJson([entry.definition, pins?.digest ?? null]))
  return { name, server, digest, pins, tools }
}

async function rowOf(server: McpServer, pin: McpPin): Promise<ToolRow> {
  const { tool, description, input_schema } = pin
  const spec = { name: tool, description, input_schema: { ...input_schema, type: 'object' as const } }
  const effect = effectOfPin(server, pin)
  const digest = await sha256Hex(canonicalJson({ spec, effect, server: pin.digest }))
  const approval = effect === 'read' ? NEVER_ASK : ({ ask: 'always' } as const)
  return { name: tool, spec, source: 'mcp', effect, approval, digest }
}
