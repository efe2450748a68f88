// Contract shapes that only API clients need, and how a call can fail.

import type { Event, Problem, Receipt } from '../agent/events.ts'
import type { Block } from '../agent/message.ts'

/** Contract: the fields of ChatRequest that this client sends. Others of the contract may be added. */
export interface ChatRequest {
  readonly message: string | readonly Block[]
  readonly thread_id?: string
  readonly stream?: boolean
  readonly on_busy?: 'reject' | 'enqueue'
  readonly on_disconnect?: 'continue' | 'cancel'
  readonly [field: string]: unknown
}

/** The answer to a waiting call. `digest`: of the request that was shown; an approval is valid for no other. */
export type CallAnswer =
  | { readonly decision: 'approve'; readonly digest: string; readonly remember?: 'run' | 'thread' | null }
  | { readonly decision: 'deny'; readonly digest?: string | null; readonly note?: string | null }

export type TerminalEvent = Event & {
  readonly type: 'run.completed' | 'run.failed' | 'run.cancelled'
  readonly receipt: Receipt
}

/**
 * `problem`: the server refused, with a reason. `unreachable`: no server responds. `broken`: the response is not from
 * Satchel. `left`: the listener's signal stopped the request; the run continues.
 */
export type ClientFailure =
  | {
      readonly kind: 'problem'
      readonly problem: Problem
      /** The pause that the server asks for; null if it asks for none. */
      readonly retryAfterMs: number | null
    }
  | { readonly kind: 'unreachable'; readonly detail: string }
  | { readonly kind: 'broken'; readonly detail: string }
  | { readonly kind: 'left'; readonly detail: string }

export interface ChatEnd {
  readonly threadId: string
  readonly runId: string
  readonly terminal: TerminalEvent
}

export interface Listener {
  /** The run has its ids and continues even without this reader. Called once, before its first event. */
  onStarted?(ids: { readonly threadId: string; readonly runId: string }): void
  onEvent(event: Event): void
  /** The connection was lost; the next try follows after `waitMs`. */
  onReconnect?(waitMs: number): void
  /** Stops following, not the run. */
  readonly signal?: AbortSignal
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** A file to upload: `name` as a person named it. */
export interface NamedBytes {
  readonly name: string
  readonly data: Blob | Uint8Array<ArrayBuffer>
}
