// The Tool port: something the model may call.

import type { Code } from '../lib/result.ts'
import type { ToolContent } from './message.ts'
import type { ServerToolSpec, ToolSpec } from './model.ts'
import type { Question } from './question.ts'
import type { ApprovalRule, Preview } from './approval.ts'

/**
 * What happens to the world, and so what may be done after a crash:
 * `read` and `idempotent` run again (with the same key), `once` never does.
 */
export type Effect = 'read' | 'idempotent' | 'once'

export interface ToolCall {
  readonly runId: string
  readonly toolUseId: string
  /** The same for every try of this call: `run_id:message:tool_use_id`. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  readonly progress: (text: string) => void
  /** Of a fetch: may a redirect lead there? Absent: wherever the guard lets it. */
  readonly mayRedirect?: (url: URL) => boolean
  /** For queues that calls of many runs wait in; absent: it waits as nobody's. */
  readonly queue?: {
    readonly key: string
    readonly thread: string
    /** Is handed a wait that the call's timeout does not count; after it the call has all of its time again. */
    readonly waiting: <T>(wait: Promise<T>) => Promise<T>
  }
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
  | {
      /** The model knows now what is in this version of a file. */
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
      /** Addresses that the model was given: of the page at this address, after redirects, or (null) as results of a search. */
      readonly type: 'links'
      readonly page: string | null
      readonly links: readonly string[]
    }
  | ({
      /** Asked of the person: the run ends with this step, and the answer is the next message. */
      readonly type: 'question'
    } & Question)

/** The bytes of a file: few of them go into a row with the change, many were put into an object before. */
export interface FileBody {
  readonly sha256: string
  readonly bytes: number
  readonly data: Uint8Array | null
  /** The object's number where `data` is null. */
  readonly object: number | null
}

/** What is to become of one path of the thread's files. */
export interface FileChange {
  /** Relative to the root of the tree, in its one form. */
  readonly path: string
  /** Null: the file goes. */
  readonly body: FileBody | null
  /** Sha-256 of what must be there, null: nothing may be. Absent: whatever is there. */
  readonly expect?: string | null
  /** False: the model does not know what is in it now; a program wrote it. */
  readonly known?: false
}

/** What Satchel says before and behind the text of others. */
export interface TextFrame {
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
  readonly frame?: TextFrame
  readonly isError: boolean
  /** Why nothing could be tried, for readers of events: one of the codes of docs/api/errors.md. */
  readonly code?: Code
  readonly notes?: readonly ToolNote[]
  /** Written with the result, in one block: all or none. What stands against one makes the result an error. */
  readonly changes?: readonly FileChange[]
  /** It holds text from outside, and where from: the window is tainted from now on. See CallFacts. */
  readonly untrusted?: readonly string[]
}

/** What a call is called for people: each verb is followed by what it is done to. */
export interface ToolLabel {
  readonly icon: 'skill' | 'file' | 'image' | 'pencil' | 'search' | 'code' | 'globe' | 'tool'
  /** While it runs, when it is done, and when it failed. */
  readonly now: string
  readonly past: string
  readonly failed: string
  /** What several of its objects are called. */
  readonly many: string
}

/** A tool of a thread, frozen when the thread was born: what the model is given, and all that may be run. */
export interface ToolRow {
  readonly name: string
  readonly spec: ToolSpec | ServerToolSpec
  /** Where what carries out its calls is found: the name of a source (src/tools/sources.ts). */
  readonly source: string
  readonly effect: Effect
  /** As the tool was defined when the thread was born; what is live then counts where it asks more. */
  readonly approval: ApprovalRule
  /** Sha-256 of the canonical JSON of what the model is given; of a tool from settings of that and its effect. */
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
  /** It bounds its own results; else one that is long goes to a file, and the model gets its ends. */
  readonly bounded?: boolean
  /** What it answers when it succeeds is Satchel's words alone: no text of a file. */
  readonly ownText?: boolean
  /** What a call would send; null: nothing leaves, or the input does not fit and `run` says so. Absent: nothing leaves. */
  readonly preview?: (input: unknown) => Preview | null
  /** Sha-256 of all that decides what a call does but its input; an approval binds it. Absent: the row's digest. */
  readonly definition?: string
  /** As it is defined now; where it asks more than the row's it counts. Absent: the row's alone. */
  readonly approval?: ApprovalRule
  /** That it is in; absent: a built-in tool's own, or none. */
  readonly group?: string
  run(input: unknown, call: ToolCall): Promise<ToolResult>
}
