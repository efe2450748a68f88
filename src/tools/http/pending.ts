// Calls whose server answers 202 and continues to work: where to request the result, and what each response means. The
// server chooses that address, so secrets are sent only to the tool's own origin, and no other private host is
// contacted.

import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import type { ToolCall, ToolResult } from '../../agent/tool.ts'
import { isObject } from '../../lib/json-object.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { GuardedResponse, Outgoing } from '../../net/fetch.ts'
import { errorResult } from '../record/builtin.ts'
import { httpResult } from './answer.ts'
import {
  HTTP_TOOL_ANSWER_MAX_BYTES,
  HTTP_TOOL_REDIRECTS_MAX,
  HTTP_TOOL_SENT_URL_MAX_CHARS,
} from './limits.ts'
import { prepareCall, type HttpToolPorts } from './prepare-call.ts'
import type { HttpToolDefinition } from './shape.ts'

type Mask = (text: string) => string

/** Statuses of a server or gateway that is busy. They say nothing about the call. */
const BUSY_STATUSES = [429, 502, 503, 504]

/** The result of a call that was answered with 202: pending if the answer names where to ask. */
export function acceptedResult(
  definition: HttpToolDefinition,
  response: GuardedResponse,
  mask: Mask,
  now: number,
): ToolResult {
  const shown = httpResult(definition, response, mask, '')
  const url = locationOf(response, mask)
  if (url.ok)
    return { ...shown, pending: { state: { url: url.value }, pollAfterMs: retryAfterMs(response, now) } }
  const why = `The server accepted the call but ${url.error}, so its result cannot be fetched.`
  return failed(definition, `${shown.content}\n\n${why}`)
}

/** Requests once the result of a call that was left pending with this state. */
export async function checkPending(
  definition: HttpToolDefinition,
  ports: HttpToolPorts,
  input: unknown,
  state: unknown,
  { signal }: Pick<ToolCall, 'signal'>,
): Promise<ToolResult> {
  const again = (pollAfterMs: number | null, url: unknown): ToolResult => ({
    content: 'The server is still working on this call.',
    isError: false,
    pending: { state: { url }, pollAfterMs },
  })
  const address = isObject(state) && typeof state['url'] === 'string' ? state['url'] : ''
  const prepared = await prepareCall(definition, ports, input)
  if (!prepared.ok)
    return prepared.error.code === 'overloaded'
      ? again(null, address)
      : failed(definition, `The result was not fetched: ${prepared.error.detail}`)
  const { request, mask } = prepared.value
  const { origin } = new URL(request.url)
  const answer = await ports.fetch(pollRequest(request, address), {
    signal,
    timeoutMs: definition.timeout_s * 1000,
    maxBytes: HTTP_TOOL_ANSWER_MAX_BYTES,
    maxRedirects: HTTP_TOOL_REDIRECTS_MAX,
    privateOrigin: origin,
    mask,
  })
  if (!answer.ok) {
    const { code, detail } = answer.error
    const isFinal = code === 'bad_url' || code === 'not_allowed' || code === 'redirects'
    return isFinal ? failed(definition, mask(detail)) : again(null, address)
  }
  const { status } = answer.value
  const pollAfterMs = retryAfterMs(answer.value, ports.now())
  if (status === 202) {
    const next = locationOf(answer.value, mask)
    return again(pollAfterMs, next.ok ? next.value : address)
  }
  if (BUSY_STATUSES.includes(status)) return again(pollAfterMs, address)
  const result = httpResult(definition, answer.value, mask, '')
  return status >= 200 && status < 300 ? result : failed(definition, result.content)
}

/** A GET request for this address, which has the headers of the tool's request only at its own origin. */
function pollRequest({ url: toolUrl, headers }: Outgoing, address: string): Outgoing {
  const isOwn = URL.parse(address)?.origin === new URL(toolUrl).origin
  const kept = Object.entries(headers).filter(([name]) =>
    isOwn ? !/^(?:content-|idempotency-key$)/i.test(name) : /^accept$/i.test(name),
  )
  return { method: 'GET', url: address, headers: Object.fromEntries(kept), body: null }
}

/** The address of the result, from the response. The error completes "the server …". */
function locationOf({ url, headers }: GuardedResponse, mask: Mask): Result<string, string> {
  const { location } = headers
  if (location === undefined) return err('sent no Location header')
  const target = URL.parse(location, url)?.href
  if (target === undefined || target.length > HTTP_TOOL_SENT_URL_MAX_CHARS)
    return err('sent a Location header that is not a usable address')
  // The address is stored with the run.
  if (mask(target) !== target || mask(location) !== location)
    return err('sent a Location header that contains a secret')
  return ok(target)
}

function retryAfterMs({ headers }: GuardedResponse, now: number): number | null {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // A date begins with a weekday. Other texts would be parsed as dates, too.
  const ms = /^[a-z]/i.test(value) ? Date.parse(value) - now : NaN
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function failed({ name, effect }: HttpToolDefinition, why: string): ToolResult {
  const content = effect === 'read' ? why : `${why}\n\n${UNKNOWN_OUTCOME}`
  return { ...errorResult(content), untrusted: [`http:${name}`] }
}
