// The Tool port: something the model may call.

import type { ToolContent } from './message.ts'
import type { ToolSpec } from './model.ts'

/**
 * What happens to the world, and so what may be done after a crash:
 * `read` and `idempotent` run again (with the same key), `once` never does.
 */
export type Effect = 'read' | 'idempotent' | 'once'

export interface ToolCall {
  readonly runId: string
  readonly toolUseId: string
  /** The same for every try of this call: `run_id:tool_use_id`. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
}

/** A fact for the receipt and the readers, beside the words for the model. */
export type ToolNote =
  | {
      readonly type: 'skill'
      readonly name: string
      readonly category: 'public' | 'custom'
      readonly digest: string
      readonly via: 'tool' | 'read'
      /** The content is the skill's instructions from their beginning, and not a part that was asked for. */
      readonly body: boolean
    }
  | {
      readonly type: 'resource'
      readonly skill: string
      readonly category: 'public' | 'custom'
      readonly digest: string
      readonly path: string
    }

/** What Satchel says before and behind the text of others. */
export interface Frame {
  readonly before: string
  readonly after: string
}

export interface ToolResult {
  /**
   * For the model; when `isError`, it says what failed and what to do instead. Others may have written it: our own tags
   * in it are made harmless when it is written down. Blocks that no model can be shown become words then.
   */
  readonly content: ToolContent
  /** Our own words around it, which stay as they are: what others wrote is escaped in them. */
  readonly frame?: Frame
  readonly isError: boolean
  readonly notes?: readonly ToolNote[]
}

/** A tool of a thread, frozen when the thread was born: what the model is given, and all that may be run. */
export interface ToolRow {
  readonly name: string
  readonly spec: ToolSpec
  /** Where what carries out its calls is found. */
  readonly source: 'builtin'
  readonly effect: Effect
  /** Whom a call needs the leave of. */
  readonly approval: 'never'
  /** Sha-256 of the spec's canonical JSON. */
  readonly digest: string
}

/**
 * What carries out calls of one tool. Contract of an implementation:
 * - `run` checks its own input and answers an error result for bad input; it may throw only for bugs
 *   (the loop turns a throw into an error result).
 * - It stops soon after `signal` aborts.
 * - After a crash it may be called again with the same key when the effect in its row is not `once`.
 */
export interface Tool {
  readonly timeoutMs: number
  run(input: unknown, call: ToolCall): Promise<ToolResult>
}
