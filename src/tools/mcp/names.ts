// Names of MCP servers and of their tools. The catalog entry of a server has a name that no HTTP tool can have.

import { sha256Hex } from '../../lib/bytes.ts'
import { mcpToolName } from '../../skills/mcp-tool-names.ts'
import { MCP_ENTRY_PREFIX } from '../../skills/skill.ts'
import { MCP_SERVER_NAME_MAX_CHARS, MCP_TOOL_NAME_MAX_CHARS } from './limits.ts'

/** Underscores are excluded, so that the name of a tool identifies its server. */
const SERVER_NAME = new RegExp(`^[a-z0-9](?:[a-z0-9-]{0,${MCP_SERVER_NAME_MAX_CHARS - 2}}[a-z0-9])?$`)

export function isServerName(name: string): boolean {
  return SERVER_NAME.test(name)
}

/** The name of the server's entry in the catalog. */
export function entryNameOf(server: string): string {
  return `${MCP_ENTRY_PREFIX}${server}`
}

/** Maps the server's names of tools to unique names for models. */
export async function modelNames(
  server: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const result = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const name of names) {
    const key = mcpToolName(server, name).toLowerCase()
    taken.set(key, (taken.get(key) ?? 0) + 1)
  }
  for (const name of names) {
    const full = mcpToolName(server, name)
    const isUnique = taken.get(full.toLowerCase()) === 1
    result.set(name, isUnique && full.length <= MCP_TOOL_NAME_MAX_CHARS ? full : await hashedName(full, name))
  }
  return result
}

async function hashedName(full: string, name: string): Promise<string> {
  const hash = (await sha256Hex(name)).slice(0, 8)
  return `${full.slice(0, MCP_TOOL_NAME_MAX_CHARS - 9)}_${hash}`
}
