// The Tool port: something that the model may call.

import type { Code } from '../lib/result.ts'
import type { ToolContent } from './message.ts'
import type { ServerToolSpec, ToolSpec } from './model.ts'
import type { Question } from './question.ts'
import type { ApprovalRule, Preview } from './approval.ts'

/**
 * The side effects of a call, which decide what may happen after a crash: `read` and `idempotent` run again (with the
 * same key), `once` never does.
 */
export type Effect = 'read' | 'idempotent' | 'once'

export interface ToolCall {
  readonly runId: string
  readonly toolUseId: string
  /** The same for every try of this call: `run_id:message:tool_use_id`. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
  /** For a fetch: whether a redirect may lead there. Absent: wherever the guard allows. */
  readonly mayRedirect?: (url: URL) => boolean
  /** For queues that many runs share; absent: the wait belongs to no key or thread. */
  readonly queue?: {
    readonly key: string
    readonly thread: string
    /** Runs a wait that the call's timeout does not count; after it the call has its full time again. */
    readonly waiting: <T>(wait: Promise<T>) => Promise<T>
  }
}

/** A fact for the receipt and the readers, in addition to the text for the model. */
export type ToolNote =
  | {
      readonly type: 'skill'
      readonly name: string
      readonly category: 'public' | 'custom'
      readonly digest: string
      readonly via: 'tool' | 'read'
      /** The content is the skill's instructions from their beginning, not a requested part. */
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
      /** A file for the person to see. `path`: relative to the root of the thread's files. */
      readonly type: 'artifact'
      readonly path: string
      readonly title: string
      readonly media_type: string
    }
  | {
      /**
       * Addresses that the model got: links of the page at this address (after redirects), or (null) results of a
       * search.
       */
      readonly type: 'links'
      readonly page: string | null
      readonly links: readonly string[]
    }
  | ({
      /** For the person: the run ends with this step, and the answer is the next message. */
      readonly type: 'question'
    } & Question)

/** The bytes of a file: small ones are in `data` and go into a row, large ones are already in an object. */
export interface FileBody {
  readonly sha256: string
  readonly bytes: number
  readonly data: Uint8Array | null
  /** The object's number if `data` is null. */
  readonly object: number | null
}

/** A change of one path in the thread's files. */
export interface FileChange {
  /** Relative to the root of the tree, in canonical form. */
  readonly path: string
  /** Null: deletes the file. */
  readonly body: FileBody | null
  /** Sha-256 of the current file, null: no file may exist. Absent: any state. */
  readonly expect?: string | null
  /** False: the model does not know the new content; a program wrote it. */
  readonly known?: false
}

/** Satchel's text before and after untrusted content. */
export interface TextFrame {
  readonly before: string
  readonly after: string
}

export interface ToolResult {
  /**
   * For the model. An error says what failed and what to do instead. It may be untrusted content: our own tags in it
   * are escaped when it is stored. A text replaces blocks that no model accepts.
   */
  readonly content: ToolContent
  /** Our own text around it, which is stored unchanged: untrusted parts in it are escaped already. */
  readonly frame?: TextFrame
  readonly isError: boolean
  /** Why the call could not be tried, for readers of events: one of the codes of docs/api/errors.md. */
  readonly code?: Code
  readonly notes?: readonly ToolNote[]
  /** Written with the result in one block, all or none. If one cannot be written, the result becomes an error. */
  readonly changes?: readonly FileChange[]
  /** The sources of untrusted content in it; from now on the context counts as tainted. See CallFacts. */
  readonly untrusted?: readonly string[]
}

/** The label of a call for people: each verb is followed by its object. */
export interface ToolLabel {
  readonly icon: 'skill' | 'file' | 'image' | 'pencil' | 'search' | 'code' | 'globe' | 'tool'
  /** In progress, done, and failed. */
  readonly now: string
  readonly past: string
  readonly failed: string
  /** The plural for several objects. */
  readonly many: string
}

/**
 * A tool of a thread, frozen when the thread was created: the spec that the model gets, and the only tools that may
 * run.
 */
export interface ToolRow {
  readonly name: string
  readonly spec: ToolSpec | ServerToolSpec
  /** The name of the source that provides its implementation (src/tools/sources.ts). */
  readonly source: string
  readonly effect: Effect
  /** The rule when the thread was created; the current one applies if it is stricter. */
  readonly approval: ApprovalRule
  /** Sha-256 of the canonical JSON of the spec; for an HTTP tool of the spec and its effect. */
  readonly digest: string
}

/**
 * The implementation of one tool. Contract:
 * - `run` checks its own input and returns an error result for bad input; it may throw only for bugs (the loop turns an
 * exception into an error result).
 * - It stops soon after `signal` aborts.
 * - After a crash it may be called again with the same key when the effect in its row is not `once`.
 */
export interface Tool {
  readonly timeoutMs: number
  /** It limits its own results; otherwise a long one goes to a file, and the model gets its beginning and end. */
  readonly bounded?: boolean
  /** A successful result contains only Satchel's text, never text of a file. */
  readonly ownText?: boolean
  /**
   * The request that a call would send; null if nothing is sent, or the input is invalid and `run` reports that. Absent:
   * nothing is sent.
   */
  readonly preview?: (input: unknown) => Preview | null
  /**
   * Sha-256 of everything that decides what a call does, except its input; an approval binds it. Absent: the row's
   * digest.
   */
  readonly definition?: string
  /** The current rule, which applies if it is stricter than the row's. Absent: only the row's. */
  readonly approval?: ApprovalRule
  /** Its group; absent: a built-in tool's own, or none. */
  readonly group?: string
  run(input: unknown, call: ToolCall): Promise<ToolResult>
}
