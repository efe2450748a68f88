// The RPC methods of a Thread object for forking a thread. All parameters and results are plain data.

import type { TodoItem } from '../../agent/todos.ts'
import type { Caller } from '../../lib/caller.ts'
import type { Result } from '../../lib/result.ts'

export interface ForkInput {
  /** The ID of the new thread, derived from the Idempotency-Key if there is one. */
  readonly threadId: string
  /** The source thread, and the person's message before which the fork begins. */
  readonly from: string
  readonly messageId: string
  /** The request's Idempotency-Key; null if there is none. */
  readonly key: string | null
}

/** The position at which a thread is cut: everything before it is copied. */
export interface ForkCut {
  /** Sequence number of the first message that is not copied, and when it was sent (epoch milliseconds). */
  readonly message: number
  readonly at: number
  /** IDs of the objects shown in earlier messages. */
  readonly images: readonly number[]
}

/** The source's own data as of the cut. */
export interface ForkHead {
  readonly cut: ForkCut
  /** Number of messages before the cut. */
  readonly messages: number
  /** The root of the source; null if the fork gets another owner, and is a root itself. */
  readonly root: string | null
  /** Total bytes of the files and images that are copied. */
  readonly bytes: number
  readonly data: {
    readonly title: string
    readonly titled: boolean
    readonly metadata: Readonly<Record<string, string>>
    readonly model: string
    readonly allow: readonly string[] | null
    readonly chosenTools: readonly string[] | null
    readonly todos: readonly TodoItem[] | null
    readonly catalogVersion: number
    readonly seenVersion: number
    readonly seenIndex: string
  }
}

/** Values of one row's columns, as SQLite types. */
export type ForkRow = readonly (string | number | ArrayBuffer | null)[]

/** Where a page of rows ended: the part, and the key of its last row (null at the start of the part). */
export interface ForkCursor {
  readonly part: number
  readonly after: ForkRow | null
}

export interface ForkPage {
  readonly parts: readonly { readonly part: number; readonly rows: readonly ForkRow[] }[]
  /** Where the next page starts, or null if this was the last page. */
  readonly next: ForkCursor | null
}

export interface ForkApi {
  /**
   * Creates this thread as a fork of another one, completely or not at all. The fork is on disk when this
   * returns; a repeated request gets the same result. Fails as the source thread does, or with `name_taken`,
   * `idempotency_mismatch`, `gone` or `overloaded`.
   */
  fork(caller: Caller, input: ForkInput): Promise<Result<{ readonly thread_id: string }>>
  /**
   * Fails with `not_found`, or with `invalid_request` if the message was not written by a person in this
   * thread.
   */
  forkHead(caller: Caller, messageId: string): Promise<Result<ForkHead>>
  /** Returns rows before the cut, a few megabytes at a time. */
  forkRows(caller: Caller, cut: ForkCut, from: ForkCursor): Promise<Result<ForkPage>>
  /**
   * Called before a fork of this thread is committed; the fork is listed if it has the same owner.
   * Idempotent.
   */
  registerBranch(
    caller: Caller,
    branch: { readonly threadId: string; readonly messageId: string; readonly at: number },
  ): Promise<Result<null>>
  /** Called when that fork was deleted or could not be completed. Idempotent. */
  unregisterBranch(threadId: string): Promise<Result<null>>
}
