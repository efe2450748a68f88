// The definition of an HTTP tool as plain data: its input, its request, and how its response is shown.

import type { ApprovalRule } from '../../agent/approval.ts'
import type { ToolSpec } from '../../agent/model.ts'
import type { Effect } from '../../agent/tool.ts'
import type { Method } from '../../net/fetch.ts'

/** A validated definition in which all defaults are filled in. */
export interface HttpToolDefinition {
  readonly name: string
  readonly description: string
  readonly input_schema: ToolSpec['input_schema']
  readonly request: {
    readonly method: Method
    /** A template with a fixed scheme and host. */
    readonly url: string
    /** Templates by name. */
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    /** JSON whose strings are templates, or null if there is no body. */
    readonly body: unknown
    readonly body_type: 'json' | 'form' | 'text'
  }
  readonly effect: Effect
  readonly approval: ApprovalRule
  readonly group: string | null
  readonly timeout_s: number
  readonly response: {
    /** Where the response is cut, or null to keep all of it; a long result is stored as a file. */
    readonly max_chars: number | null
    /** JSON pointers to the parts to show; empty to show the entire response. */
    readonly pick: readonly string[]
  }
  /** Set if the server may answer 202 and work on: its result is then fetched from the Location that it names. */
  readonly answer?: '202 + Location'
  /** Names of secrets that a chat request supplies. They are never looked up among the stored secrets. */
  readonly request_secrets: readonly string[]
}
