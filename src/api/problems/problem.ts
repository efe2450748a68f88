// Converts failures to HTTP responses with problem details (RFC 9457). Only this file defines the status code of each failure.

import type { Code, Failure } from '../../lib/result.ts'
import type { Problem } from '../../agent/events.ts'

const STATUS_AND_TITLE: Readonly<Record<Code, readonly [status: number, title: string]>> = {
  unauthenticated: [401, 'Not authenticated'],
  forbidden: [403, 'Not allowed'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  thread_busy: [409, 'The thread is busy'],
  idempotency_mismatch: [409, 'Idempotency key used for another request'],
  prefix_frozen: [409, 'Fixed when the thread begins'],
  cursor_ahead: [409, 'Cursor ahead of the log'],
  name_taken: [409, 'Name taken'],
  not_empty: [409, 'Not empty'],
  delivery_mismatch: [409, 'Delivery id used for another body'],
  version_live: [409, 'The version is live'],
  approval_forbidden: [403, 'Not allowed to decide'],
  approval_closed: [409, 'The request for approval is closed'],
  tool_changed: [409, 'The tool has changed'],
  gone: [410, 'Gone'],
  stale_version: [412, 'Not the live version'],
  too_slow: [408, 'Too slow'],
  too_large: [413, 'Too large'],
  storage_full: [413, 'Storage full'],
  unsupported_media_type: [415, 'Unsupported media type'],
  invalid_request: [422, 'Invalid request'],
  unknown_model: [422, 'Unknown model'],
  unknown_tool: [422, 'Unknown tool'],
  invalid_skill: [422, 'Invalid skill'],
  invalid_tool: [422, 'Invalid tool'],
  invalid_archive: [422, 'Invalid archive'],
  rate_limited: [429, 'Too many requests'],
  quota_exceeded: [429, 'Quota exceeded'],
  too_many_runs: [429, 'Too many runs'],
  bad_json: [400, 'Not JSON'],
  bad_cursor: [400, 'Bad cursor'],
  bad_range: [416, 'Range not satisfiable'],
  overloaded: [503, 'Overloaded'],
  not_ready: [503, 'Not ready'],
  catalog_broken: [503, 'Catalog broken'],
  not_configured: [503, 'Not set up'],
  sandbox_unavailable: [503, 'Sandbox unavailable'],
  server_unavailable: [503, 'Server unavailable'],
  internal: [500, 'Internal error'],
}

export function problemOf(failure: Failure, requestId: string): Problem {
  const [status, title] = STATUS_AND_TITLE[failure.code]
  return {
    type: 'about:blank',
    title,
    status,
    code: failure.code,
    detail: failure.detail,
    request_id: requestId,
    ...(failure.errors ? { errors: failure.errors } : {}),
  }
}

export function problemResponse(failure: Failure, requestId: string): Response {
  const problem = problemOf(failure, requestId)
  const headers = new Headers({
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
  })
  if (failure.retryAfterS !== undefined) headers.set('Retry-After', String(failure.retryAfterS))
  if (failure.code === 'unauthenticated') headers.set('WWW-Authenticate', 'Bearer realm="satchel"')
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
