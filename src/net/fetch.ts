// The port of the one way out: what a model's or a setting's word may send, and what comes back. Plain types; the rules
// are guard.ts, the sending is guarded-fetch.ts.

import type { Result } from '../lib/result.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as it is sent: nothing is added to it but `User-Agent` and what HTTP itself needs. */
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
  /** Of the body, after decompression; what is beyond is not read. */
  readonly maxBytes: number
  /** How many redirects are followed, each judged anew; headers but `Accept` are dropped where the host changes. */
  readonly redirects: number
  /** May a redirect lead there? Absent: wherever the guard lets it. */
  readonly mayRedirect?: (url: URL) => boolean
  /** Takes out of an address that is told what nobody may read, before it is cut: a redirect may repeat a secret. */
  readonly mask?: (text: string) => string
}

export interface GuardedResponse {
  readonly status: number
  /** Where it came from in the end. */
  readonly url: string
  /** Names in lower case. No cookies. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** There was more than `maxBytes`. */
  readonly cut: boolean
}

export interface FetchFailure {
  readonly code: 'bad_url' | 'not_allowed' | 'redirects' | 'timeout' | 'stopped' | 'unreachable'
  /** What, where and what to do, in words for the model. */
  readonly detail: string
  /** True: the request may have reached its target. */
  readonly sent: boolean
}

/** Never throws. */
export type GuardedFetch = (
  request: Outgoing,
  terms: FetchTerms,
) => Promise<Result<GuardedResponse, FetchFailure>>
