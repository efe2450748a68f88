// Tools from settings as the API tells of them: the shapes of its answers.

import type { ApprovalRule, Preview } from '../agent/approval.ts'
import type { Effect, ToolLabel } from '../agent/tool.ts'
import type { ToolChanges, ToolVersionInfo } from '../skills/catalog/tools-api.ts'

/** Of GET /admin/tools, and of GET /v1/tools without what is for admins. */
export interface ToolRow {
  readonly name: string
  readonly description: string
  readonly source: 'builtin' | 'http' | 'server' | 'build' | 'workspace'
  /** Of GET /v1/tools. */
  readonly label?: ToolLabel | null
  readonly group: string | null
  readonly effect: Effect
  readonly approval: ApprovalRule
  readonly enabled?: boolean
  readonly method?: string
  readonly url?: string
  readonly problem?: string | null
}

/** Of GET /admin/tools/:tool. */
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

/** Of POST /admin/tools/:tool/test. */
export interface ToolTest {
  /** As it was sent, secrets by their names; null: the input does not fit, and nothing was sent. */
  readonly request: Preview | null
  /** Null: nobody answered. */
  readonly status: number | null
  /** What the model would see. */
  readonly result: string
  readonly is_error: boolean
  readonly duration_ms: number
}

/** Of POST /admin/tools/import. */
export interface ToolImport {
  readonly imported: readonly {
    readonly name: string
    /** `GET /users/{id}` */
    readonly operation: string
    readonly change: 'added' | 'changed' | 'same'
    readonly notes: readonly string[]
  }[]
  readonly refused: readonly { readonly operation: string; readonly reason: string }[]
  /** What of the choice named no operation. */
  readonly unknown: readonly string[]
  readonly catalog_version: number
  readonly dry_run?: true
}
