// Converts the tools that an MCP server offers to pins that an admin can approve. Tools that cannot be used are
// refused individually.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { utf8 } from '../../lib/bytes.ts'
import { jsonDepth } from '../../lib/json-depth.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { JSON_MAX_DEPTH } from '../../limits/requests.ts'
import { TOOL_SCHEMA_MAX_BYTES } from '../../limits/tools.ts'
import { declaredHeaders } from '../../mcp/param-headers.ts'
import type { OfferedMcpTool } from '../../mcp/protocol.ts'
import { MCP_DESCRIPTION_MAX_CHARS, MCP_TOOL_MAX_BYTES } from './limits.ts'
import { modelNames } from './names.ts'
import { setDigest, type McpPin, type McpPins } from './pins.ts'
import { relaxedSchema } from './relax.ts'
import { isWanted, type McpServer } from './server.ts'

export interface McpOffer {
  /** The usable tools, sorted by name. */
  readonly pins: McpPins
  readonly refused: readonly { readonly name: string; readonly problem: string }[]
}

/** Includes only tools that the definition allows. `digests` is the result of digestsOf(). */
export async function offerOf(
  serverName: string,
  server: McpServer,
  offered: readonly OfferedMcpTool[],
  digests: ReadonlyMap<string, string>,
): Promise<McpOffer> {
  const wanted = offered
    .filter(({ name }) => isWanted(server, name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = await modelNames(
    serverName,
    wanted.map(({ name }) => name),
  )
  const pins: McpPin[] = []
  const refused: { name: string; problem: string }[] = []
  for (const tool of wanted) {
    const pin = pinOf(tool, names.get(tool.name) ?? '', digests.get(tool.name) ?? '')
    if (pin.ok) pins.push(pin.value)
    else refused.push({ name: tool.name, problem: `The tool ${pin.error}.` })
  }
  const { url } = server
  return { pins: { url, digest: await setDigest(url, pins), tools: pins }, refused }
}

function pinOf(tool: OfferedMcpTool, modelName: string, digest: string): Result<McpPin, string> {
  const text = JSON.stringify(tool)
  if (jsonDepth(text) > 2 * JSON_MAX_DEPTH) return err('is nested too deeply')
  for (const [what, part, max] of [
    ['an input schema of', tool.inputSchema, TOOL_SCHEMA_MAX_BYTES],
    ['a name and annotations of', [tool.name, tool.annotations], MCP_TOOL_MAX_BYTES],
  ] as const) {
    const size = utf8(JSON.stringify(part)).length
    if (size > max) return err(`has ${what} ${size} bytes; the limit is ${max}`)
  }
  const headers = declaredHeaders(tool.inputSchema)
  if (!headers.ok) return headers
  const schema = relaxedSchema(tool.inputSchema)
  if (!schema.ok) return schema
  const { name, annotations } = tool
  return ok({
    name,
    tool: modelName,
    digest,
    description: cutText(tool.description.trim() || name, MCP_DESCRIPTION_MAX_CHARS),
    input_schema: schema.value.schema,
    ...(Object.keys(schema.value.fields).length > 0 && { fields: schema.value.fields }),
    annotations,
    param_headers: headers.value,
  })
}

export function isSamePin(a: McpPin, b: McpPin): boolean {
  return a.digest === b.digest && a.tool === b.tool
}

/** The text that an admin compares: everything that is approved of a tool. */
export function pinText(pin: McpPin): string {
  const { tool, description, input_schema, fields, annotations } = pin
  const compared = { tool, description, input_schema, ...(fields && { fields }), annotations }
  return `${JSON.stringify(JSON.parse(canonicalJson(compared)), null, 2)}\n`
}
