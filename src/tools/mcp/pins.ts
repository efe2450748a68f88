// The tools of an MCP server that an admin approved, as they were offered at that time. Reads and compares them.

import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { isObject } from '../../lib/json-object.ts'
import type { ParamHeader } from '../../mcp/param-headers.ts'
import type { OfferedMcpTool } from '../../mcp/protocol.ts'

/** An approved tool. The model reads `tool`, `description` and `input_schema`. */
export interface McpPin {
  /** The server's name of the tool. */
  readonly name: string
  /** The name for models. */
  readonly tool: string
  /** The digest of everything that the server declares about the tool. */
  readonly digest: string
  readonly description: string
  /** The schema in a form that the Messages API and Satchel's validation accept. The server checks the rest. */
  readonly input_schema: Readonly<Record<string, unknown>>
  /** The server's names of fields that are renamed in the schema. Absent if there are none. */
  readonly fields?: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, unknown>> | null
  readonly param_headers: readonly ParamHeader[]
}

export interface McpPins {
  /** The URL at which the tools were offered. The pins are valid only for this URL. */
  readonly url: string
  /** The digest of the URL and of all tools with their names. */
  readonly digest: string
  readonly tools: readonly McpPin[]
}

/** The digest of a server's declaration of a tool. Excludes titles and icons, which only people see. */
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

/** The stored pins if they are valid for this URL, otherwise null. */
export function pinsFor(url: string, stored: unknown): McpPins | null {
  if (!isObject(stored) || stored['url'] !== url || !Array.isArray(stored['tools'])) return null
  // The cast is safe: only an approval writes pins.
  return stored as unknown as McpPins
}

/** The input with its fields renamed to the server's names. */
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
