// The shapes of the API's responses about MCP servers.

import type { Effect } from '../agent/tool.ts'
import type { Preview } from '../agent/approval.ts'

/** A server of GET /admin/mcp. */
export interface McpServerRow {
  readonly name: string
  readonly url: string
  readonly trusted: boolean
  readonly group: string | null
  readonly enabled: boolean
  /** The digest of the approved tools, or null. */
  readonly approved: string | null
  /** How many tools new threads get. */
  readonly tools: number
  readonly state: 'off' | 'unreadable' | 'unapproved' | 'unknown' | 'ok' | 'blocked' | 'failing'
  readonly last_seen_at: string | null
  readonly last_error: { readonly at: string; readonly detail: string } | null
  /** How many approved tools are blocked, because the server now offers them differently or not at all. */
  readonly blocked: number
  /** How many offered tools nobody has approved. */
  readonly unapproved: number
  readonly problem: string | null
}

export function mcpServerPath(name: string): string {
  return `/admin/mcp/${encodeURIComponent(name.toWellFormed())}`
}

/** The response of GET /admin/mcp/:server. */
export interface McpServerDetail extends McpServerRow {
  readonly approved_tools: readonly {
    readonly name: string
    readonly tool: string
    readonly description: string
    readonly effect: Effect
  }[]
  readonly blocked_tools: readonly {
    readonly name: string
    readonly tool: string
    readonly change: 'changed' | 'removed'
    readonly diff: string | null
  }[]
  /** Offered tools that nobody has approved. */
  readonly unapproved_tools: readonly string[]
}

/** The response of PUT and DELETE /admin/mcp/:server, and of POST …/approve. */
export interface McpChange {
  readonly server: McpServerRow | null
  readonly catalog_version: number
  readonly created?: boolean
}

/** The response of POST /admin/mcp/:server/refresh. */
export interface McpOffered {
  /** The digest that POST …/approve expects. */
  readonly digest: string
  readonly approved: string | null
  readonly tools: readonly {
    readonly name: string
    readonly tool: string
    readonly description: string
    readonly input_schema: unknown
    readonly annotations: unknown
    readonly effect: Effect
    readonly change: 'added' | 'changed' | 'same'
    readonly diff: string | null
  }[]
  readonly removed: readonly string[]
  readonly refused: readonly { readonly name: string; readonly problem: string }[]
}

/** The response of POST /admin/mcp/:server/test. */
export interface McpTest {
  readonly request: Preview | null
  readonly result: string
  readonly is_error: boolean
  readonly duration_ms: number
}
