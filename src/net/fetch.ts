// The port for outgoing requests of models and settings: what they may send, and what is returned. Only
// types; the rules are in guard.ts, and guarded-fetch.ts sends the requests.

import type { Result } from '../lib/result.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as it is sent. Only `User-Agent` and what HTTP itself requires are added. */
export interface Outgoing {
  readonly method: Method
  /** The absolute address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface FetchTerms {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Maximum size of the body after decompression; anything beyond it is not read. */
  readonly maxBytes: number
  /**
   * Maximum number of redirects that are followed; each is checked again. If the host changes, all headers
   * except `Accept` are dropped.
   */
  readonly maxRedirects: number
  /**
   * The only origin that may be a private host, also after redirects: the server, not the tool, chose the address. If absent,
   * every private host that the operator allows may be reached.
   */
  readonly privateOrigin?: string
  /** Whether a redirect to this address may be followed. If absent, the guard alone decides. */
  readonly mayRedirect?: (url: URL) => boolean
  /**
   * Masks secrets in an address in an error message before it is shortened, because a redirect may repeat a
   * secret.
   */
  readonly mask?: (text: string) => string
}

export interface GuardedResponse {
  readonly status: number
  /** The final address, after redirects. */
  readonly url: string
  /** Names are in lower case. Cookies are removed. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** True if the body was longer than `maxBytes` and was cut. */
  readonly cut: boolean
}

export interface FetchFailure {
  readonly code: 'bad_url' | 'not_allowed' | 'redirects' | 'timeout' | 'stopped' | 'unreachable'
  /** A message for the model: what happened, where, and what to do. */
  readonly detail: string
  /** True if the request may have reached its target. */
  readonly sent: boolean
}

/** A response whose body is still arriving. */
export interface ArrivingResponse extends Omit<GuardedResponse, 'body' | 'cut'> {
  /**
   * The next bytes after decompression, or null at the end or after `maxBytes`. Rejects if the connection breaks, and
   * if the time of the whole request is over.
   */
  readonly read: () => Promise<Uint8Array | null>
  /** True once `read` has left out bytes beyond `maxBytes`. */
  readonly isCut: () => boolean
}

/**
 * Sends a request and passes its response to `use` while it arrives. The time limit includes `use`, and the connection
 * is closed when `use` returns. An exception in `use` is a failure of the request. Never throws.
 */
export type GuardedStream = <T>(
  request: Outgoing,
  terms: FetchTerms,
  use: (response: ArrivingResponse) => Promise<T>,
) => Promise<Result<T, FetchFailure>>

/** Sends a request. Never throws. */
export type GuardedFetch = (
  request: Outgoing,
  terms: FetchTerms,
) => Promise<Result<GuardedResponse, FetchFailure>>
