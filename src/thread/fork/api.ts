// What a Thread object answers while another one is made from it, and how that one is begun. Plain data.

import type { ToolRow } from '../../agent/tool.ts'
import type { Caller } from '../../lib/caller.ts'
import type { Result } from '../../lib/result.ts'

export interface ForkInput {
  /** Of the thread that is to be made: derived from the Idempotency-Key where there is one. */
  readonly threadId: string
  /** The thread that it is made from, and the message of a person before which it begins. */
  readonly from: string
  readonly messageId: string
  /** The request's Idempotency-Key; null: it has none. */
  readonly key: string | null
}

/** Where a thread is cut: what lies before is copied. */
export interface ForkCut {
  /** Number of the message, and when it came (epoch ms). */
  readonly message: number
  readonly at: number
  /** Objects that messages before it show. */
  readonly images: readonly number[]
}

/** What a fork is begun with: what the thread says of itself as of the cut. */
export interface ForkHead {
  readonly cut: ForkCut
  /** Bytes of the files and images that are copied. */
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

/** Values of columns, as SQLite gives and takes them. */
export type ForkRow = readonly (string | number | ArrayBuffer | null)[]

/** Where a page of rows ended: a part of what is copied, and the key of its last row; null: it begins. */
export interface ForkCursor {
  readonly part: number
  readonly after: ForkRow | null
}

export interface ForkPage {
  readonly parts: readonly { readonly part: number; readonly rows: readonly ForkRow[] }[]
  /** Null: that was all. */
  readonly next: ForkCursor | null
}

export interface ForkApi {
  /**
   * Makes this thread out of another one: there as a whole or not at all. On disk when it answers; the same request again
   * answers the same. Failures: those of the other thread, `name_taken`, `idempotency_mismatch`, `gone`, `overloaded`.
   */
  fork(caller: Caller, input: ForkInput): Promise<Result<{ readonly thread_id: string }>>
  /** Failures: `not_found`, `invalid_request` where the message is none of a person's in this thread. */
  forkHead(caller: Caller, messageId: string): Promise<Result<ForkHead>>
  /** Rows before the cut, a few megabytes at a time. */
  forkRows(caller: Caller, cut: ForkCut, from: ForkCursor): Promise<Result<ForkPage>>
  /** A fork of this thread is about to be there; it is listed where it belongs to the same owner. Idempotent. */
  branched(
    caller: Caller,
    branch: { readonly threadId: string; readonly messageId: string; readonly at: number },
  ): Promise<Result<null>>
  /** That fork is gone, or never came to be. Idempotent. */
  branchGone(threadId: string): Promise<Result<null>>
}
