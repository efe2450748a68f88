// The RPC methods of a Thread object for making a fork of it. Plain data.

import type { ToolRow } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import type { Result } from '../../lib/result.ts'

export interface ForkInput {
  /** The id of the new thread, derived from the Idempotency-Key if there is one. */
  readonly threadId: string
  /** The source thread, and the person's message before which the fork begins. */
  readonly from: string
  readonly messageId: string
  /** The request's Idempotency-Key; null if there is none. */
  readonly key: string | null
}

/** Where a thread is cut: everything before is copied. */
export interface ForkCut {
  /** Number of the message, and when it was sent (epoch ms). */
  readonly message: number
  readonly at: number
  /** Objects shown in earlier messages. */
  readonly images: readonly number[]
}

/** The start of a fork: the source's own data as of the cut. */
export interface ForkHead {
  readonly cut: ForkCut
  /** Bytes of the copied files and images. */
  readonly bytes: number
  readonly data: {
    readonly title: string
    readonly titled: boolean
    readonly metadata: Readonly<Record<string, string>>
    readonly model: string
    readonly system: string
    readonly tools: readonly ToolRow[]
    readonly allow: readonly string[] | null
    readonly chosenTools: readonly string[] | null
    readonly catalogVersion: number
    readonly seenVersion: number
    readonly seenIndex: string
  }
}

/** Values of columns, in SQLite's types. */
export type ForkRow = readonly (string | number | ArrayBuffer | null)[]

/** Where a page of rows ended: its part, and the key of its last row; null: at the start of the part. */
export interface ForkCursor {
  readonly part: number
  readonly after: ForkRow | null
}

export interface ForkPage {
  readonly parts: readonly { readonly part: number; readonly rows: readonly ForkRow[] }[]
  /** Null if this was the last page. */
  readonly next: ForkCursor | null
}

export interface ForkApi {
  /**
   * Creates this thread as a fork of another, completely or not at all. On disk when it answers; a repeated request
   * gets the same answer. Failures: those of the other thread, `name_taken`, `idempotency_mismatch`, `gone`,
   * `overloaded`.
   */
  fork(caller: Caller, input: ForkInput): Promise<Result<{ readonly thread_id: string }>>
  /** Failures: `not_found`, `invalid_request` if the message is not a person's message in this thread. */
  forkHead(caller: Caller, messageId: string): Promise<Result<ForkHead>>
  /** Rows before the cut, a few megabytes at a time. */
  forkRows(caller: Caller, cut: ForkCut, from: ForkCursor): Promise<Result<ForkPage>>
  /** A fork of this thread is about to be committed; it is listed if it has the same owner. Idempotent. */
  branched(
    caller: Caller,
    branch: { readonly threadId: string; readonly messageId: string; readonly at: number },
  ): Promise<Result<null>>
  /** That fork was deleted, or never completed. Idempotent. */
  branchGone(threadId: string): Promise<Result<null>>
}
