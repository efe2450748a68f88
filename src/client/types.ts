// Types of the API contract that only clients need, and the ways in which a request can fail.

import type { Event, Problem, Receipt } from '../agent/events.ts'
import type { Block } from '../agent/message.ts'

/** The body of POST /v1/chat. Other fields of the API contract may be added. */
export interface ChatRequest {
  readonly message: string | readonly Block[]
  readonly thread_id?: string
  readonly stream?: boolean
  readonly on_busy?: 'reject' | 'enqueue' | 'interrupt' | 'steer'
  readonly on_disconnect?: 'continue' | 'cancel'
  readonly [field: string]: unknown
}

/** The decision on a waiting call. `digest` identifies the request that was shown; an approval is valid only for this request. */
export type CallDecision =
  | { readonly decision: 'approve'; readonly digest: string; readonly remember?: 'run' | 'thread' | null }
  | { readonly decision: 'deny'; readonly digest?: string | null; readonly note?: string | null }

export type TerminalEvent = Event & {
  readonly type: 'run.completed' | 'run.failed' | 'run.cancelled'
  readonly receipt: Receipt
}

/**
 * `problem`: the server refused the request and gave a reason. `unreachable`: no server responds. `broken`: the response does not
 * follow the API contract. `left`: the listener's signal stopped the request, but the run continues.
 */
export type ClientFailure =
  | {
      readonly kind: 'problem'
      readonly problem: Problem
      /** The pause that the server asks for, or null if it does not ask for one. */
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
  /** Called once, before the first event, when the run has its IDs. From then on it continues even without this listener. */
  onStarted?(ids: { readonly threadId: string; readonly runId: string }): void
  onEvent(event: Event): void
  /** Called when the connection is lost. The next attempt follows after `waitMs`. */
  onReconnect?(waitMs: number): void
  /** When aborted, the client stops following the run; the run continues. */
  readonly signal?: AbortSignal
}

export interface JsonResponse<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** A file to upload, with the name that the user gave it. */
export interface UploadFile {
  readonly name: string
  readonly data: Blob | Uint8Array<ArrayBuffer>
}
