// What an admin approved of an MCP server: its tools, as they were offered. Reads and compares; renders nothing.

import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { isObject } from '../../lib/json-object.ts'
import type { ParamHeader } from '../../mcp/param-headers.ts'
import type { OfferedMcpTool } from '../../mcp/protocol.ts'

/** An approved tool. The model reads `tool`, `description` and `input_schema`. */
export interface McpPin {
  /** The name at the server. */
  readonly name: string
  /** The name for models. */
  readonly tool: string
  /** The digest of everything that the server says about the tool. */
  readonly digest: string
  readonly description: string
  /** The schema in the form that models and Satchel's check accept; the server checks the rest. */
  readonly input_schema: Readonly<Record<string, unknown>>
  /** The server's names of the fields that have another name in the schema. Absent if none has. */
  readonly fields?: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, unknown>> | null
  readonly param_headers: readonly ParamHeader[]
}

export interface McpPins {
  /** The address at which the tools were offered. Pins hold for no other. */
  readonly url: string
  /** The digest of the address and of all tools, with their names. */
  readonly digest: string
  readonly tools: readonly McpPin[]
}

/** The digest of what a server says about a tool. Titles and icons are for people. */
function offeredDigest(tool: OfferedMcpTool): Promise<string> {
  const { name, description, inputSchema, outputSchema, annotations } = tool
  return sha256Hex(canonicalJson({ name, description, inputSchema, outputSchema, annotations }))
}

/** The digests of these tools, by name. */
export async function digestsOf(offered: readonly OfferedMcpTool[]): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(offered.map(async (tool) => [tool.name, await offeredDigest(tool)] as const)),
  )
}

export function setDigest(url: string, tools: readonly McpPin[]): Promise<string> {
  return sha256Hex(canonicalJson([url, tools.map(({ tool, digest }) => [tool, digest])]))
}

/** The stored pins if they hold for this address, otherwise null. */
export function pinsFor(url: string, stored: unknown): McpPins | null {
  if (!isObject(stored) || stored['url'] !== url || !Array.isArray(stored['tools'])) return null
  // The cast is safe: only an approval stores pins.
  return stored as unknown as McpPins
}

/** The input with the server's names of its fields. */
export function withServerNames(
  fields: McpPin['fields'],
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!fields) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      Object.hasOwn(fields, name) ? (fields[name] ?? name) : name,
      value,
    ]),
  )
}
