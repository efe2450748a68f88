// The Tool port: a function that the model may call.

import type { Code } from '../lib/result.ts'
import type { ToolContent } from './message.ts'
import type { ServerToolSpec, ToolSpec } from './model.ts'
import type { Question } from './question.ts'
import type { TodoItem } from './todos.ts'
import type { ApprovalRule, Preview } from './approval.ts'

/**
 * The side effects of a tool's calls, which decide what happens after a crash: `read` and `idempotent` calls run again with the same
 * key; `once` calls never do.
 */
export type Effect = 'read' | 'idempotent' | 'once'

export interface ToolCall {
  readonly runId: string
  readonly toolUseId: string
  /** `run_id:message:tool_use_id`, identical in every attempt of this call. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
  /** Whether a redirect of a fetch may lead to this address. If absent, the fetch guard alone decides. */
  readonly mayRedirect?: (url: URL) => boolean
  /** The key and thread that wait in queues shared by many runs. If absent, the wait counts for no key. */
  readonly queue?: {
    readonly key: string
    readonly thread: string
    /** Awaits without using the call's timeout. Afterwards the call has its full time again. */
    readonly trackWait: <T>(wait: Promise<T>) => Promise<T>
  }
}

/** A fact about a call for the receipt and the event log, in addition to the text for the model. */
export type ToolNote =
  | {
      readonly type: 'skill'
      readonly name: string
      readonly category: 'public' | 'custom'
      readonly digest: string
      readonly via: 'tool' | 'read'
      /** Whether the content is the skill's instructions from their beginning rather than a requested part. */
      readonly body: boolean
    }
  | {
      readonly type: 'resource'
      readonly skill: string
      readonly category: 'public' | 'custom'
      readonly digest: string
      readonly path: string
    }
  | {
      /** The model now knows the content of this version of a file. */
      readonly type: 'file'
      readonly path: string
      readonly sha256: string
    }
  | {
      /** A file for the person to see. `path` is relative to the root of the thread's files. */
      readonly type: 'artifact'
      readonly path: string
      readonly title: string
      readonly media_type: string
    }
  | {
      /** Addresses that the model received: the links of the page at this address (after redirects), or search results if null. */
      readonly type: 'links'
      readonly page: string | null
      readonly links: readonly string[]
    }
  | ({
      /** A question to the person. The run ends with this step, and the answer is the next message. */
      readonly type: 'question'
    } & Question)
  | {
      /** The new plan of the thread. */
      readonly type: 'todos'
      readonly items: readonly TodoItem[]
    }

/** The content of a file. A small one is in `data` and will be stored in a row; a large one has already been stored in an object. */
export interface FileBody {
  readonly sha256: string
  readonly bytes: number
  readonly data: Uint8Array | null
  /** The number of the object if `data` is null. */
  readonly object: number | null
}

/** A change to one path in the thread's files. */
export interface FileChange {
  /** Relative to the root of the tree, in canonical form. */
  readonly path: string
  /** Null deletes the file. */
  readonly body: FileBody | null
  /** The required SHA-256 of the current file, or null if no file may exist. If absent, any state is accepted. */
  readonly expect?: string | null
  /** False if a program wrote the new content, which the model therefore does not know. */
  readonly known?: false
}

/** A call that its server has accepted and is still working on. */
export interface PendingCall {
  /** What `Tool.check` needs to ask for the result, as JSON. It is stored unencrypted, so it must not contain a secret. */
  readonly state: unknown
  /** The pause before the next request that the server asked for; null if it did not say. */
  readonly pollAfterMs: number | null
}

/** Satchel's text before and after untrusted content. */
export interface TextFrame {
  readonly before: string
  readonly after: string
}

export interface ToolResult {
  /**
   * The content for the model. An error says what failed and what to do instead. Untrusted content is allowed: our own tags in it
   * are escaped when it is stored. A note replaces blocks that no model accepts.
   */
  readonly content: ToolContent
  /** Our own text around the content, stored unchanged. The tool must have escaped untrusted parts in it. */
  readonly frame?: TextFrame
  readonly isError: boolean
  /** Why the call could not be attempted, as an error code of docs/api/errors.md for readers of events. */
  readonly code?: Code
  readonly notes?: readonly ToolNote[]
  /** Changes stored in one transaction with the result. If one of them fails, none is made and the result becomes an error. */
  readonly changes?: readonly FileChange[]
  /** Tools whose definitions the result shows, which the model may call from the next step on. */
  readonly reveals?: readonly ToolRow[]
  /** The sources of untrusted content in the result, which taints the context from now on. See CallFacts. */
  readonly untrusted?: readonly string[]
  /** Set if there is no result yet: the run waits, and `content` is only for callers that cannot wait. */
  readonly pending?: PendingCall
}

/** The label of a call for people. The texts are verb phrases to which the object is appended. */
export interface ToolLabel {
  readonly icon: 'skill' | 'file' | 'image' | 'pencil' | 'search' | 'code' | 'globe' | 'tool'
  /** The texts for a call that is in progress, has succeeded, or has failed. */
  readonly now: string
  readonly past: string
  readonly failed: string
  /** The plural noun for several objects. */
  readonly many: string
}

/** A tool of a thread, frozen when the thread was created. Only tools with such a row may run in the thread. */
export interface ToolRow {
  readonly name: string
  readonly spec: ToolSpec | ServerToolSpec
  /** The name of the source that provides its implementation (src/tools/sources.ts). */
  readonly source: string
  readonly effect: Effect
  /** The rule from when the thread was created. The current rule applies instead if it is stricter. */
  readonly approval: ApprovalRule
  /** The SHA-256 of the canonical JSON of the spec, or of spec and effect for an HTTP tool. */
  readonly digest: string
}

/** The schema of the tool's input; empty if the model's provider defines it. */
export function schemaOf({ spec }: Pick<ToolRow, 'spec'>): Readonly<Record<string, unknown>> {
  return 'input_schema' in spec ? spec.input_schema : {}
}

/**
 * The implementation of one tool. Contract:
 * - `run` validates its input and returns an error result if it is invalid. It throws only because of bugs, and the loop turns an
 *   exception into an error result.
 * - `run` stops soon after `signal` aborts.
 * - After a crash `run` may be called again with the same key, unless the effect in the tool's row is `once`.
 */
export interface Tool {
  readonly timeoutMs: number
  /** True if the tool limits its results. Otherwise a long result is written to a file, and the model sees its beginning and end. */
  readonly limitsResults?: boolean
  /** True if successful results contain only Satchel's own text, never text from a file. */
  readonly ownText?: boolean
  /** The request that a call would send; null if it sends none or its input is invalid. Absent if calls never send anything. */
  readonly preview?: (input: unknown) => Preview | null
  /** The SHA-256 of everything except the input that decides what a call does. Approvals are bound to it. Defaults to the row's digest. */
  readonly definition?: string
  /** The current rule, which applies if it is stricter than the row's. If absent, the row's rule applies. */
  readonly approval?: ApprovalRule
  /** The tool's group. If absent, the tool is in its built-in group, if it has one. */
  readonly group?: string
  run(input: unknown, call: ToolCall): Promise<ToolResult>
  /**
   * Asks for the result of a call that `run` or `check` left pending with this state. Only reads, so it may be repeated. Absent
   * if no call of the tool is ever pending.
   */
  readonly check?: (input: unknown, state: unknown, call: Pick<ToolCall, 'signal'>) => Promise<ToolResult>
}
