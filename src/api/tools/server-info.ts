// What the API shows admins of an MCP server.

import { mcpServerOf, type ToolEntry } from '../../skills/skill.ts'
import { liveServer } from '../../tools/mcp/live.ts'

export interface McpServerInfo {
  readonly name: string
  readonly url: string
  readonly trusted: boolean
  readonly group: string | null
  readonly source: ToolEntry['source']
  readonly enabled: boolean
  readonly digest: string
  readonly updated_at: string | null
  /** The digest of the approved tools; null if none are approved at this address. */
  readonly approved: string | null
  /** How many tools new threads get. */
  readonly tools: number
  /** Why new threads get none of its tools, or null if nothing prevents it. */
  readonly problem: string | null
}

export async function serverInfo(entry: ToolEntry): Promise<McpServerInfo> {
  const { source, enabled, digest, updated_at } = entry
  const name = mcpServerOf(entry.name) ?? entry.name
  const live = await liveServer(entry)
  const { url = '', trusted = false, group = null } = live?.server ?? {}
  const approved = live?.pins?.digest ?? null
  const problem = live
    ? approved === null
      ? 'No tools are approved at this address. Refresh the server, then approve what it offers.'
      : null
    : 'This release cannot read the definition of the server. Create the server again.'
  const tools = live?.tools.length ?? 0
  return { name, url, trusted, group, source, enabled, digest, updated_at, approved, tools, problem }
}
