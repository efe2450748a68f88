// Reads the tools of the agent from the API, and the shapes of its other responses about tools.

import type { ApprovalRule, Preview } from '../agent/approval.ts'
import type { Effect, ToolLabel } from '../agent/tool.ts'
import { ok, type Result } from '../lib/result.ts'
import type { ToolChanges, ToolVersionInfo } from '../skills/catalog/tools-api.ts'
import type { Page } from '../thread/api.ts'
import type { Client } from './client.ts'
import type { ClientFailure } from './types.ts'

/** A tool in the list of GET /admin/tools, or of GET /v1/tools, which omits the admin fields. */
export interface ToolRow {
  readonly name: string
  readonly description: string
  readonly source: 'builtin' | 'http' | 'mcp' | 'server' | 'build' | 'workspace'
  /** Only in the list of GET /v1/tools. */
  readonly label?: ToolLabel | null
  /** Only in that list: the MCP server that offers the tool, and its name there; null for other tools. */
  readonly origin?: { readonly server: string; readonly tool: string } | null
  readonly group: string | null
  readonly effect: Effect
  readonly approval: ApprovalRule
  readonly enabled?: boolean
  readonly method?: string
  readonly url?: string
  readonly problem?: string | null
}

/** A tool from GET /admin/tools/:tool. */
export interface ToolDetail extends ToolRow {
  readonly definition: unknown
  readonly versions: readonly ToolVersionInfo[]
}

export interface ToolChange {
  readonly tool: { readonly digest: string; readonly enabled: boolean } | null
  readonly catalog_version: number
  readonly created?: boolean
  readonly dry_run?: true
  readonly changes?: ToolChanges
}

/** The result of POST /admin/tools/:tool/test. */
export interface ToolTest {
  /** The request with secrets replaced by their names; null if nothing was sent because the input is invalid. */
  readonly request: Preview | null
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null
  /** The result that the model would see. */
  readonly result: string
  readonly is_error: boolean
  readonly duration_ms: number
}

/** The result of POST /admin/tools/import. */
export interface ToolImport {
  readonly imported: readonly {
    readonly name: string
    /** Method and path, such as `GET /users/{id}`. */
    readonly operation: string
    readonly change: 'added' | 'changed' | 'same'
    readonly notes: readonly string[]
  }[]
  readonly refused: readonly { readonly operation: string; readonly reason: string }[]
  /** Requested names that match no operation. */
  readonly unknown: readonly string[]
  readonly catalog_version: number
  readonly dry_run?: true
}

/** The tools that a thread started now would get. */
export async function listTools(client: Client): Promise<Result<readonly ToolRow[], ClientFailure>> {
  const answer = await client.json<Page<ToolRow>>('GET', '/v1/tools')
  return answer.ok ? ok(answer.value.body.data) : answer
}

/** The labels of tools, by name. A tool without a label is not in the map. */
export function labelsByName(tools: readonly ToolRow[]): ReadonlyMap<string, ToolLabel> {
  return new Map(tools.flatMap(({ name, label }) => (label ? [[name, label] as const] : [])))
}
