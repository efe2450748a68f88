// An HTTP tool from settings, as plain data: what it takes, what it sends and what becomes of the answer.

import type { ApprovalRule } from '../../agent/approval.ts'
import type { ToolSpec } from '../../agent/model.ts'
import type { Effect } from '../../agent/tool.ts'
import type { Method } from '../../net/fetch.ts'

/** Every default is filled in. */
export interface HttpToolDefinition {
  readonly name: string
  readonly description: string
  readonly input_schema: ToolSpec['input_schema']
  readonly request: {
    readonly method: Method
    /** A template. Scheme and host are fixed. */
    readonly url: string
    /** Templates by name. */
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    /** JSON with templates in its texts; null: none is sent. */
    readonly body: unknown
    readonly body_type: 'json' | 'form' | 'text'
  }
  readonly effect: Effect
  readonly approval: ApprovalRule
  readonly group: string | null
  readonly timeout_s: number
  readonly response: {
    readonly max_chars: number
    /** JSON pointers; none: the whole answer. */
    readonly pick: readonly string[]
  }
  /** Secrets that a chat request may bring; these names are never looked up among the stored ones. */
  readonly request_secrets: readonly string[]
}
