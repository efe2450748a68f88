// HTTP tools in the API: the shapes of its responses.

import type { ApprovalRule, Preview } from '../agent/approval.ts'
import type { Effect, ToolLabel } from '../agent/tool.ts'
import type { ToolChanges, ToolVersionInfo } from '../skills/catalog/tools-api.ts'

/** From GET /admin/tools, and from GET /v1/tools without the admin fields. */
export interface ToolRow {
  readonly name: string
  readonly description: string
  readonly source: 'builtin' | 'http' | 'server' | 'build' | 'workspace'
  /** From GET /v1/tools. */
  readonly label?: ToolLabel | null
  readonly group: string | null
  readonly effect: Effect
  readonly approval: ApprovalRule
  readonly enabled?: boolean
  readonly method?: string
  readonly url?: string
  readonly problem?: string | null
}

/** From GET /admin/tools/:tool. */
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

/** From POST /admin/tools/:tool/test. */
export interface ToolTest {
  /** As sent, with names in place of secrets; null if the input is invalid, and nothing was sent. */
  readonly request: Preview | null
  /** Null: no response. */
  readonly status: number | null
  /** The result that the model would see. */
  readonly result: string
  readonly is_error: boolean
  readonly duration_ms: number
}

/** From POST /admin/tools/import. */
export interface ToolImport {
  readonly imported: readonly {
    readonly name: string
    /** `GET /users/{id}` */
    readonly operation: string
    readonly change: 'added' | 'changed' | 'same'
    readonly notes: readonly string[]
  }[]
  readonly refused: readonly { readonly operation: string; readonly reason: string }[]
  /** Chosen names that match no operation. */
  readonly unknown: readonly string[]
  readonly catalog_version: number
  readonly dry_run?: true
}
