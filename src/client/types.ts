// The contract's shapes that only a caller of the API needs, and how a call can fail.

import type { Event, Problem, Receipt } from '../agent/events.ts'
import type { Block } from '../agent/message.ts'

/** Contract: ChatRequest, what this client sends of it. Every other field of the contract may be added. */
export interface ChatRequest {
  readonly message: string | readonly Block[]
  readonly thread_id?: string
  readonly stream?: boolean
  readonly on_busy?: 'reject' | 'enqueue'
  readonly on_disconnect?: 'continue' | 'cancel'
  readonly [field: string]: unknown
}

/** An answer to a call that waits. `digest`: of the request that was looked at; a yes is for no other one. */
export type CallAnswer =
  | { readonly decision: 'approve'; readonly digest: string; readonly remember?: 'run' | 'thread' | null }
  | { readonly decision: 'deny'; readonly digest?: string | null; readonly note?: string | null }

export type TerminalEvent = Event & {
  readonly type: 'run.completed' | 'run.failed' | 'run.cancelled'
  readonly receipt: Receipt
}

/**
 * `problem`: the server refused, and says why. `unreachable`: nobody answers. `broken`: the answer is not ours. `left`: the
 * listener's signal ended it, and the run goes on.
 */
export type ClientFailure =
  | {
      readonly kind: 'problem'
      readonly problem: Problem
      /** What the server asks to wait before another try; null when it says nothing. */
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
  /** The run has its ids: from here on it goes on without this reader, too. Once, before its first event. */
  onStarted?(ids: { readonly threadId: string; readonly runId: string }): void
  onEvent(event: Event): void
  /** The connection dropped; the next try comes after `waitMs`. */
  onReconnect?(waitMs: number): void
  /** Ends the following, not the run. */
  readonly signal?: AbortSignal
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** A file to send: `name` as a person calls it. */
export interface NamedBytes {
  readonly name: string
  readonly data: Blob | Uint8Array<ArrayBuffer>
}
