// Runs the calls of an HTTP tool: sends the request through the guarded fetch, and masks the secrets in the response. Does not
// decide on approvals.

import type { Effect, Tool, ToolCall, ToolResult } from '../../agent/tool.ts'
import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import { HTTP_TOOL_ANSWER_MAX_BYTES, HTTP_TOOL_GRACE_MS, HTTP_TOOL_REDIRECTS_MAX } from './limits.ts'
import type { FetchFailure, FetchTerms, GuardedResponse, Outgoing } from '../../net/fetch.ts'
import { errorResult, inputError } from '../record/builtin.ts'
import { httpResult } from './answer.ts'
import { prepareCall, renderCall, type HttpToolPorts } from './prepare-call.ts'
import type { HttpToolDefinition } from './shape.ts'

/** `digest` is the result of definitionDigest(). */
export function httpTool(definition: HttpToolDefinition, digest: string, ports: HttpToolPorts): Tool {
  return {
    // The request has a shorter timeout, so that its more specific error is reported.
    timeoutMs: definition.timeout_s * 1000 + HTTP_TOOL_GRACE_MS,
    limitsResults: false,
    definition: digest,
    preview: (input) => {
      const rendered = renderCall(definition, input)
      return rendered.ok ? rendered.value.preview : null
    },
    run: (input, call) => run(definition, ports, input, call),
    check: async (...of) => (await import('./pending.ts')).checkPending(definition, ports, ...of),
  }
}

async function run(
  definition: HttpToolDefinition,
  ports: HttpToolPorts,
  input: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  const called = await callHttpTool(definition, ports, input, call)
  if (called.kind === 'not_called') return called.isInvalid ? inputError(called.why) : errorResult(called.why)
  const { mask } = called
  if (called.kind === 'failed') {
    const failed = errorResult(failureMessage(definition.effect, called.error, mask))
    // The message may contain the target of a redirect, which the server chose.
    return called.error.sent ? { ...failed, untrusted: [`http:${definition.name}`] } : failed
  }
  if (definition.answer !== undefined && called.response.status === 202)
    return (await import('./pending.ts')).acceptedResult(definition, called.response, mask, ports.now())
  return httpResult(definition, called.response, mask, outcomeNote(definition.effect))
}

/**
 * The outcome of a call. With an invalid input, no call is made. `mask` hides the secrets of its request in a text.
 */
type CalledTool =
  | { readonly kind: 'not_called'; readonly why: string; readonly isInvalid: boolean }
  | { readonly kind: 'failed'; readonly error: FetchFailure; readonly mask: (text: string) => string }
  | { readonly kind: 'answered'; readonly response: GuardedResponse; readonly mask: (text: string) => string }

/** Checks the input, and makes the call once. Never throws. */
export async function callHttpTool(
  definition: HttpToolDefinition,
  { fetch, ...ports }: Omit<HttpToolPorts, 'now'>,
  input: unknown,
  call: Pick<ToolCall, 'signal' | 'idempotencyKey'>,
): Promise<CalledTool> {
  const prepared = await prepareCall(definition, ports, input)
  if (!prepared.ok) {
    const { code, detail } = prepared.error
    const isInvalid = code === 'invalid_request'
    return { kind: 'not_called', why: isInvalid ? detail : `The tool was not called: ${detail}`, isInvalid }
  }
  const { request, mask } = prepared.value
  const answer = await fetch(withIdempotencyKey(definition, request, call), {
    ...fetchTerms(definition, request, call),
    mask,
  })
  return answer.ok
    ? { kind: 'answered', response: answer.value, mask }
    : { kind: 'failed', error: answer.error, mask }
}

/** Adds a key that is the same for all attempts of a call, so that a server that supports it acts only once. */
function withIdempotencyKey(
  { effect }: HttpToolDefinition,
  request: Outgoing,
  call: Pick<ToolCall, 'idempotencyKey'>,
): Outgoing {
  if (effect !== 'idempotent') return request
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': call.idempotencyKey } }
}

function fetchTerms(
  { effect, timeout_s }: HttpToolDefinition,
  request: Outgoing,
  call: Pick<ToolCall, 'signal'>,
): FetchTerms {
  const { origin } = new URL(request.url)
  return {
    signal: call.signal,
    timeoutMs: timeout_s * 1000,
    maxBytes: HTTP_TOOL_ANSWER_MAX_BYTES,
    maxRedirects: effect === 'read' ? HTTP_TOOL_REDIRECTS_MAX : 0,
    mayRedirect: (url) => url.origin === origin,
  }
}

function failureMessage(
  effect: Effect,
  { code, detail, sent }: FetchFailure,
  mask: (text: string) => string,
): string {
  const message = mask(detail)
  if (!sent || effect === 'read') return message
  if (code === 'redirects') return `${message} ${MAY_HAVE_TAKEN_EFFECT}`
  return effect === 'once'
    ? `${message} ${UNKNOWN_OUTCOME}`
    : `${message} You may call the tool again; the server receives the same idempotency key.`
}

const MAY_HAVE_TAKEN_EFFECT =
  'The call may have taken effect anyway. Check this before you call the tool again.'

function outcomeNote(effect: Effect): string {
  return effect === 'once' ? MAY_HAVE_TAKEN_EFFECT : ''
}
