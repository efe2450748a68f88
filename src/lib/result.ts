// A value or a failure. Within Satchel, failures are values; exceptions mean bugs or a broken platform.

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

/**
 * Every error code that a client can get (the contract's list). Only api/problems/problem.ts maps them to
 * HTTP statuses.
 */
export type Code =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'thread_busy'
  | 'idempotency_mismatch'
  | 'prefix_frozen'
  | 'cursor_ahead'
  | 'name_taken'
  | 'not_empty'
  | 'delivery_mismatch'
  | 'version_live'
  | 'approval_forbidden'
  | 'approval_closed'
  | 'tool_changed'
  | 'gone'
  | 'stale_version'
  | 'too_large'
  | 'storage_full'
  | 'too_slow'
  | 'unsupported_media_type'
  | 'invalid_request'
  | 'unknown_model'
  | 'unknown_tool'
  | 'invalid_skill'
  | 'invalid_tool'
  | 'invalid_archive'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'too_many_runs'
  | 'bad_json'
  | 'bad_cursor'
  | 'bad_range'
  | 'overloaded'
  | 'not_ready'
  | 'catalog_broken'
  | 'not_configured'
  | 'sandbox_unavailable'
  | 'server_unavailable'
  | 'internal'

/**
 * A failure described for its reader: what happened, where, and how to fix it. Plain data, so it can cross
 * RPC.
 */
export interface Failure {
  readonly code: Code
  readonly detail: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  readonly retryAfterS?: number
}

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

/** Creates a failure, for example `fail('not_found', 'There is no thread th_1.')`. */
export function fail(
  code: Code,
  detail: string,
  details: Omit<Failure, 'code' | 'detail'> = {},
): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: { code, detail, ...details } }
}
