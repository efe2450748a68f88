// The port for outgoing requests of models and settings: what they may send, and what comes back. Plain types; guard.ts has the
// rules and guarded-fetch.ts sends.

import type { Result } from '../lib/result.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as it is sent, plus only `User-Agent` and what HTTP itself needs. */
export interface Outgoing {
  readonly method: Method
  /** Absolute. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface FetchTerms {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Of the body, after decompression; the rest is not read. */
  readonly maxBytes: number
  /** How many redirects are followed, each checked again. Headers except `Accept` are dropped when the host changes. */
  readonly redirects: number
  /** Whether a redirect may go there. Absent: wherever the guard allows. */
  readonly mayRedirect?: (url: URL) => boolean
  /** Masks secrets in a reported address before it is shortened: a redirect may repeat a secret. */
  readonly mask?: (text: string) => string
}

export interface GuardedResponse {
  readonly status: number
  /** The final address. */
  readonly url: string
  /** Lowercase names. No cookies. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** There was more than `maxBytes`. */
  readonly cut: boolean
}

export interface FetchFailure {
  readonly code: 'bad_url' | 'not_allowed' | 'redirects' | 'timeout' | 'stopped' | 'unreachable'
  /** What, where and what to do, for the model. */
  readonly detail: string
  /** True: the request may have reached its target. */
  readonly sent: boolean
}

/** Never throws. */
export type GuardedFetch = (
  request: Outgoing,
  terms: FetchTerms,
) => Promise<Result<GuardedResponse, FetchFailure>>
