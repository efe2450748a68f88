// Converts failures of the Messages API to a ModelFault: when to retry, a stable reason, and a message without secrets.

import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/error'
import { redact } from '../lib/redact.ts'
import { cutText, plainLine } from '../lib/text.ts'
import { MODEL_ERROR_QUOTE_MAX_CHARS } from './limits.ts'
import { NO_TOKENS, type Tokens } from '../agent/message.ts'
import type { ModelFault } from '../agent/model.ts'
import { asObject, asText, parseObject } from '../lib/json.ts'

/** Values that must never be shown, such as the API key. */
export type SecretValues = readonly string[]

const REDIRECTED =
  'The Messages API responded with a redirect, which is not followed. Set ANTHROPIC_BASE_URL to its target.'

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

type FaultKind = Pick<ModelFault, 'retry' | 'reason'>

// Errors inside a stream have a type but no status. These are the statuses that the API uses for these types.
const STATUS_BY_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

const FIXES: Readonly<Record<string, string>> = {
  auth: 'Check ANTHROPIC_API_KEY.',
  billing: 'Check the credit balance and the spend limits of the API account.',
  not_found: 'Check MODEL and ANTHROPIC_BASE_URL.',
  too_large: 'Send less text, or start a new thread.',
  history_rejected: 'This thread cannot continue. Start a new thread, or rebase this one.',
  connection: 'Check ANTHROPIC_BASE_URL and the network.',
}

const BILLING_ERROR = /spend_limit_reached|billing_unavailable|organization_on_hold|credit balance/i
const PROMPT_TOO_LONG =
  /prompt is too long|too many (?:input )?tokens|context (?:window|length|limit)|exceeds? the (?:maximum|context)[^.]{0,40}tokens/i
const INVALID_HISTORY =
  /prefix[ _-]?mismatch|(?:redacted_)?thinking[`'"]? blocks?|signature|tool_(?:use|result)[`'"]? (?:ids?|blocks?)/i

function kindOf400(message: string): FaultKind {
  if (PROMPT_TOO_LONG.test(message)) return { retry: 'never', reason: 'too_large' }
  if (INVALID_HISTORY.test(message)) return { retry: 'never', reason: 'history_rejected' }
  return { retry: 'never', reason: 'invalid_request' }
}

function kindOf(status: number, message: string): FaultKind {
  if (status < 500 && BILLING_ERROR.test(message)) return { retry: 'never', reason: 'billing' }
  switch (status) {
    case 400:
      return kindOf400(message)
    case 401:
    case 403:
      return { retry: 'never', reason: 'auth' }
    case 402:
      return { retry: 'never', reason: 'billing' }
    case 404:
      return { retry: 'never', reason: 'not_found' }
    case 408:
    case 504:
      return { retry: 'once', reason: 'timeout' }
    case 409:
      return { retry: 'once', reason: 'server_error' }
    case 413:
      return { retry: 'never', reason: 'too_large' }
    case 429:
      return { retry: 'later', reason: 'rate_limited' }
    case 503:
    case 529:
      return { retry: 'later', reason: 'overloaded' }
    default:
      return status >= 500
        ? { retry: 'later', reason: 'server_error' }
        : { retry: 'never', reason: status >= 400 ? 'invalid_request' : 'bad_response' }
  }
}

/** Statuses with which Cloudflare, where the Worker runs, reports that it did not reach the API. */
const NEVER_REACHED: ReadonlySet<number> = new Set([521, 523, 525, 526, 530])

/**
 * Whether a response proves that the call is not billed: it is a refusal, or an error in the API's own format. After a
 * timeout or an error page of an intermediary, the API may have done work and may bill it.
 */
function isFree(status: number, type: string): boolean {
  if (status === 408 || status === 504 || type === 'timeout_error') return false
  return status < 500 || status === 503 || status === 529 || NEVER_REACHED.has(status) || type !== ''
}

/** Makes untrusted text safe to quote: on one line, without secrets, invisible characters or a full stop, shortened. */
function quote(text: string, secrets: SecretValues): string {
  const line = plainLine(redact(text, secrets))
  return cutText(line, MODEL_ERROR_QUOTE_MAX_CHARS).replace(/\.+$/, '')
}

/** Creates a fault. `usage` is null if the cost of the call is unknown (agent/model.ts). */
export function fault(
  retry: ModelFault['retry'],
  reason: string,
  detail: string,
  { wait = null, usage = null }: { readonly wait?: number | null; readonly usage?: Tokens | null } = {},
): ModelFault {
  const fix = FIXES[reason]
  const message = fix === undefined ? detail : `${detail} ${fix}`
  return { retry, reason, detail: message, retryAfterMs: wait, usage }
}

interface ErrorResponse {
  readonly status: number | null
  readonly type: string
  readonly code: string
  readonly message: string
  readonly requestId: string
}

function faultOfResponse(response: ErrorResponse, wait: number | null, secrets: SecretValues): ModelFault {
  const { status, type, code, message, requestId } = response
  const { retry, reason } = kindOf(status ?? STATUS_BY_TYPE[type] ?? 500, `${code} ${message}`)
  const errorLabel = [status, type, code].filter((part) => part !== null && part !== '').join(' ')
  const quotedMessage = quote(message, secrets) || 'no readable message'
  const requestNote = requestId === '' ? '' : ` (request ${quote(requestId, secrets)})`
  const verb = status === null ? 'broke off with' : 'responded with'
  const usage = status !== null && isFree(status, type) ? NO_TOKENS : null
  const sentence = `The Messages API ${verb} ${quote(errorLabel, secrets)}: ${quotedMessage}${requestNote}.`
  return fault(retry, reason, sentence, { wait, usage })
}

/** The fault for an `error` event in a stream. */
export function faultOfEvent(data: string, requestId: string, secrets: SecretValues): ModelFault {
  const error = asObject(parseObject(data)?.['error'])
  const details = asObject(error?.['details'])
  const response = {
    status: null,
    type: asText(error?.['type']) || 'error',
    code: asText(details?.['error_code']),
    message: asText(error?.['message']),
    requestId,
  }
  return faultOfResponse(response, null, secrets)
}

function rootCauseOf(error: unknown): string {
  let current = error
  for (let depth = 0; depth < 5; depth++) {
    if (!(current instanceof Error) || !(current.cause instanceof Error)) break
    current = current.cause
  }
  return current instanceof Error ? current.message || current.name : String(current)
}

/** Codes that mean that no connection was made. Local workerd reports none of them (docs/decisions/0046). */
const NEVER_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether the runtime reports that no connection was made, which means that no request was sent. */
function neverSent(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if ('code' in current && NEVER_SENT.has(current.code)) return true
    current = current.cause
  }
  return false
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * The pause that the API requests, as seconds or as a date, which is compared with the response's own date. Null if the
 * header is missing or invalid.
 */
function retryAfterMs(headers: Headers | undefined): number | null {
  const value = headers?.get('retry-after')?.trim() ?? ''
  const until = HTTP_DATE.test(value) ? Date.parse(value) - Date.parse(headers?.get('date') ?? '') : 0
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Math.ceil(Number(value) * 1000) : until
  return ms > 0 && Number.isSafeInteger(ms) ? ms : null
}

/** The fault for an error that the SDK threw before a stream began. */
export function faultOfError(error: unknown, secrets: SecretValues): ModelFault {
  if (error instanceof APIConnectionError) {
    const reason = error instanceof APIConnectionTimeoutError ? 'timeout' : 'connection'
    const message = `The Messages API could not be reached: ${quote(rootCauseOf(error), secrets)}.`
    return fault('later', reason, message, { usage: neverSent(error) ? NO_TOKENS : null })
  }
  if (error instanceof APIError && typeof error.status === 'number') {
    if (isRedirect(error.status)) return fault('never', 'bad_response', REDIRECTED, { usage: NO_TOKENS })
    const response = {
      status: error.status,
      // The SDK copies these from the body without checking their types.
      type: asText(error.type),
      code: asText(error.errorCode),
      message: asText(error.apiMessage),
      requestId: asText(error.requestID),
    }
    return faultOfResponse(response, retryAfterMs(error.headers), secrets)
  }
  // The request itself is invalid (a header or body cannot be encoded), so nothing was sent.
  return fault(
    'never',
    'invalid_request',
    `The model request could not be made: ${quote(rootCauseOf(error), secrets)}.`,
    { usage: NO_TOKENS },
  )
}

/** The fault for an error that the consumer of the stream threw. */
export function faultOfReader(error: unknown, secrets: SecretValues): ModelFault {
  const cause = quote(rootCauseOf(error), secrets)
  return fault('never', 'aborted', `The model call was stopped by the consumer of its stream: ${cause}.`)
}

/** The fault for a response that exceeds a limit. It is not retried, because it would exceed the limit again. */
export function faultOfSize(error: Error): ModelFault {
  return fault('never', 'bad_response', `The Messages API sent ${error.message}.`)
}

/** The fault for an error while the body was read. */
export function faultOfBody(error: unknown, secrets: SecretValues): ModelFault {
  return fault(
    'later',
    'cut',
    `The model's response ended before it was complete: ${quote(rootCauseOf(error), secrets)}.`,
  )
}
