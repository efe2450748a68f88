// The definition of an HTTP tool as plain data: its input, its request, and the handling of its answer.

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
    /** JSON with templates in its texts; null if there is no body. */
    readonly body: unknown
    readonly body_type: 'json' | 'form' | 'text'
  }
  readonly effect: Effect
  readonly approval: ApprovalRule
  readonly group: string | null
  readonly timeout_s: number
  readonly response: {
    /** Null: the whole answer; a long one goes to a file. */
    readonly max_chars: number | null
    /** JSON pointers; none: the whole answer. */
    readonly pick: readonly string[]
  }
  /** Secrets that a chat request may bring; these names are never looked up among the stored ones. */
  readonly request_secrets: readonly string[]
}
