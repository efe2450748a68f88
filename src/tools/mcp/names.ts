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

/** The numbers of hexadecimal digits of a hash in a name, in the order in which they are tried. */
const HASH_CHARS = [0, 8, 32] as const

/**
 * Maps the server's names of tools to unique names for models. A name that would be too long or not unique ends in a
 * hash. A server could offer a tool with the hashed name of another one; then that tool gets a hash too.
 */
export async function modelNames(
  server: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(
    names.map(async (name) => {
      const full = mcpToolName(server, name)
      const level = full.length <= MCP_TOOL_NAME_MAX_CHARS ? 0 : 1
      return { name, full, hash: await sha256Hex(name), level }
    }),
  )
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false
    for (const group of Map.groupBy(entries, (entry) => nameAt(entry).toLowerCase()).values()) {
      const lowest = Math.min(...group.map(({ level }) => level))
      if (group.length < 2 || lowest >= HASH_CHARS.length - 1) continue
      for (const entry of group) if (entry.level === lowest) entry.level += 1
      hasChanged = true
    }
  }
  return new Map(entries.map((entry) => [entry.name, nameAt(entry)]))
}

/** The name at this index of HASH_CHARS. */
function nameAt({ full, hash, level }: { full: string; hash: string; level: number }): string {
  const chars = HASH_CHARS[level] ?? 0
  return chars === 0 ? full : `${full.slice(0, MCP_TOOL_NAME_MAX_CHARS - 1 - chars)}_${hash.slice(0, chars)}`
}
