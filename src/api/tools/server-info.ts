// What the API shows admins of an MCP server.

import { mcpServerOf, type ToolEntry, type WholeTool } from '../../skills/skill.ts'
import { liveServer } from '../../tools/mcp/live.ts'
import type { BlockedMcpTool } from '../../tools/mcp/observation.ts'
import type { SeenMcpServer } from '../../workspace/api.ts'

/**
 * `unknown`: no run and no admin has contacted the server since its tools were approved. `blocked`: it answers, but offers
 * some approved tools differently or no longer, and these are not called. `failing`: the last attempt failed.
 */
type McpServerState = 'off' | 'unreadable' | 'unapproved' | 'unknown' | 'ok' | 'blocked' | 'failing'

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
  readonly state: McpServerState
  /** When the server last answered at this address. */
  readonly last_seen_at: string | null
  readonly last_error: { readonly at: string; readonly detail: string } | null
  /** How many approved tools are blocked, and how many offered ones nobody has approved. */
  readonly blocked: number
  readonly unapproved: number
  /** Why new threads get none of its tools, or null if nothing prevents it. */
  readonly problem: string | null
}

/** What `GET /admin/mcp/:server` shows of the last list of the server. */
export interface McpServerListing {
  readonly blocked_tools: readonly BlockedMcpTool[]
  readonly unapproved_tools: readonly string[]
}

/** `seen` is what was last seen of a server of this name, which may have had another address. */
export async function serverInfo(entry: WholeTool, seen: SeenMcpServer | undefined): Promise<McpServerInfo> {
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
  const tools = live?.allowed.length ?? 0
  const own = seen?.url === url ? seen : undefined
  const listing = listingOf({ url, approved }, seen)
  const blocked = listing.blocked_tools.length
  const facts = { isReadable: live !== null, enabled, approved, blocked }
  return {
    name,
    url,
    trusted,
    group,
    source,
    enabled,
    digest,
    updated_at,
    approved,
    tools,
    state: stateOf(facts, own),
    last_seen_at: own?.seen_at ?? null,
    last_error: own?.error ?? null,
    blocked,
    unapproved: listing.unapproved_tools.length,
    problem,
  }
}

/** Empty if the last list is of another address, or was compared with other approved tools than the current ones. */
export function listingOf(
  { url, approved }: Pick<McpServerInfo, 'url' | 'approved'>,
  seen: SeenMcpServer | undefined,
): McpServerListing {
  if (seen?.url !== url || !seen.listing || seen.listing.approved !== approved)
    return { blocked_tools: [], unapproved_tools: [] }
  return { blocked_tools: seen.listing.blocked, unapproved_tools: seen.listing.unapproved }
}

interface Facts extends Pick<McpServerInfo, 'enabled' | 'approved' | 'blocked'> {
  readonly isReadable: boolean
}

function stateOf(facts: Facts, seen: SeenMcpServer | undefined): McpServerState {
  if (!facts.isReadable) return 'unreadable'
  if (!facts.enabled) return 'off'
  if (facts.approved === null) return 'unapproved'
  const { seen_at = null, error = null, listing = null } = seen ?? {}
  if (error !== null && (seen_at === null || error.at > seen_at)) return 'failing'
  if (listing?.approved !== facts.approved) return 'unknown'
  return facts.blocked > 0 ? 'blocked' : 'ok'
}
