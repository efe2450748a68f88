// The approved tools of an MCP server in the current catalog, and the rows that a thread stores for them. Sends no
// request.

import { NEVER_ASK, type ApprovalRule } from '../../agent/approval.ts'
import type { Effect, ToolRow } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { mcpServerOf, type ToolEntry, type WholeTool } from '../../skills/skill.ts'
import type { BriefRow } from '../record/offered.ts'
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
  /** Null if no tools were approved at this URL. */
  readonly pins: McpPins | null
  /** The pins of the tools that the lists of the definition allow. */
  readonly allowed: readonly McpPin[]
  /** Returns one of these tools. Created on demand, because a server may have thousands. */
  readonly toolOf: (pin: McpPin) => Promise<LiveMcpTool>
}

/** Stores results instead of promises, because a promise belongs to the request that created it. */
const parsedServers = new WeakMap<WholeTool, LiveMcpServer | 'unreadable'>()

/** The server of a catalog entry; null if the entry is not a server, or if this release cannot read its definition. */
export async function liveServer(entry: WholeTool): Promise<LiveMcpServer | null> {
  const server = parsedServers.get(entry) ?? (await read(entry)) ?? 'unreadable'
  parsedServers.set(entry, server)
  return server === 'unreadable' ? null : server
}

async function read(entry: WholeTool): Promise<LiveMcpServer | null> {
  const found = serverIn(entry)
  if (!found) return null
  const digest = await sha256Hex(canonicalJson([entry.definition, found.pins?.digest ?? null]))
  const made = new Map<McpPin, LiveMcpTool>()
  const toolOf = async (pin: McpPin): Promise<LiveMcpTool> => {
    const tool = made.get(pin) ?? { pin, row: await rowOf(found.server, pin) }
    made.set(pin, tool)
    return tool
  }
  return { ...found, digest, toolOf }
}

function serverIn(entry: ToolEntry): Pick<LiveMcpServer, 'name' | 'server' | 'pins' | 'allowed'> | null {
  const name = mcpServerOf(entry.name)
  const parsed = parseServer(entry.definition)
  if (name === null || !parsed.ok) return null
  const server = parsed.value
  const pins = pinsFor(server.url, entry.approved)
  // The lists of the definition may have become stricter since the approval.
  return { name, server, pins, allowed: pins?.tools.filter((pin) => isWanted(server, pin.name)) ?? [] }
}

/** The parts of a server's approved tools that the index contains if their definitions are in separate objects. */
export function briefServer(entry: ToolEntry): {
  readonly name: string
  readonly server: McpServer
  readonly tools: readonly { readonly pin: Pick<McpPin, 'name'>; readonly row: BriefRow }[]
} | null {
  const found = serverIn(entry)
  if (!found) return null
  const { name, server, allowed } = found
  const tools = allowed.map((pin) => {
    // The cast is safe: a brief pin has these fields (skills/store/tool-details.ts).
    const { tool, description: line, tokens } = pin as McpPin & Pick<BriefRow, 'tokens'>
    const effect = effectOfPin(server, { name: pin.name, annotations: pin.annotations ?? null })
    return {
      pin,
      row: { name: tool, source: 'mcp' as const, effect, approval: approvalOf(effect), line, tokens, entry },
    }
  })
  return { name, server, tools }
}

/** Whether a tool with this name for models was approved. */
export function offersTool({ approved }: ToolEntry, tool: string): boolean {
  const tools = approved?.['tools']
  return Array.isArray(tools) && tools.some((pin: McpPin) => pin.tool === tool)
}

async function rowOf(server: McpServer, pin: McpPin): Promise<ToolRow> {
  const { tool, description, input_schema } = pin
  const spec = { name: tool, description, input_schema: { ...input_schema, type: 'object' as const } }
  const effect = effectOfPin(server, pin)
  const digest = await sha256Hex(canonicalJson({ spec, effect, server: pin.digest }))
  return { name: tool, spec, source: 'mcp', effect, approval: approvalOf(effect), digest }
}

function approvalOf(effect: Effect): ApprovalRule {
  return effect === 'read' ? NEVER_ASK : { ask: 'always' }
}
