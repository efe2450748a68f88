// Makes the calls of an HTTP tool: checks the input, fills the request, inserts secrets at the last moment, sends it
// through the guard, and masks those secrets in the answer. Makes no decision about approvals.

import type { Effect, Tool, ToolCall, ToolResult } from '../../agent/tool.ts'
import { UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import { ok, type Result } from '../../lib/result.ts'
import { HTTP_TOOL_ANSWER_MAX_BYTES, HTTP_TOOL_GRACE_MS, HTTP_TOOL_REDIRECTS } from './limits.ts'
import type { FetchFailure, FetchTerms, GuardedFetch, Outgoing } from '../../net/fetch.ts'
import { masker } from '../../secrets/masks.ts'
import type { SecretsPort } from '../../secrets/port.ts'
import { errorResult } from '../record/builtin.ts'
import { httpResult } from './answer.ts'
import { checkInput } from './check-input.ts'
import { renderRequest, type Rendered } from './render.ts'
import type { HttpToolDefinition } from './shape.ts'

export interface HttpToolPorts {
  readonly fetch: GuardedFetch
  readonly secrets: SecretsPort
  /** The operator allows secrets in URLs. A stored tool may be older than this setting. */
  readonly secretsInUrl: boolean
}

/** `digest`: of the definition, see definitionDigest(). */
export function httpTool(definition: HttpToolDefinition, digest: string, ports: HttpToolPorts): Tool {
  return {
    // The fetch has a shorter timeout, and reports what is known.
    timeoutMs: definition.timeout_s * 1000 + HTTP_TOOL_GRACE_MS,
    bounded: false,
    definition: digest,
    preview: (input) => {
      const rendered = prepared(definition, input)
      return rendered.ok ? rendered.value.preview : null
    },
    run: (input, call) => run(definition, ports, input, call),
  }
}

function prepared(definition: HttpToolDefinition, input: unknown): Result<Rendered, string> {
  const fit = checkInput(definition.input_schema, input)
  return fit.ok ? renderRequest(definition, fit.value) : fit
}

async function run(
  definition: HttpToolDefinition,
  { fetch, secrets, secretsInUrl }: HttpToolPorts,
  input: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  const rendered = prepared(definition, input)
  if (!rendered.ok) return errorResult(rendered.error)
  if (rendered.value.secretInUrl && !secretsInUrl)
    return errorResult(
      'Not called: this tool has a secret in its URL, which the operator of this server does not allow.',
    )
  const values = await valuesOf(definition, rendered.value, secrets)
  if (!values.ok) return errorResult(`Not called: ${values.error.detail}`)
  const request = rendered.value.outgoing(values.value)
  if (!request.ok) return errorResult(`Not called: ${request.error}`)
  const mask = masker(values.value)
  const answer = await fetch(keyed(definition, request.value, call), {
    ...terms(definition, request.value, call),
    mask,
  })
  if (!answer.ok) {
    const failed = errorResult(failure(definition.effect, answer.error, mask))
    // The server chose the target of a redirect.
    return answer.error.sent ? { ...failed, untrusted: [`http:${definition.name}`] } : failed
  }
  return httpResult(definition, answer.value, mask, maybe(definition.effect))
}

/** Secrets from the run's request, and stored ones, each from its own source: neither replaces the other. */
async function valuesOf(
  { request_secrets }: HttpToolDefinition,
  { secrets: names, host }: Rendered,
  secrets: SecretsPort,
): Promise<Result<ReadonlyMap<string, string>>> {
  const brought = names.filter((name) => request_secrets.includes(name))
  const stored = names.filter((name) => !request_secrets.includes(name))
  const none: Result<ReadonlyMap<string, string>> = ok(new Map())
  const mine = brought.length > 0 ? await secrets.brought(brought) : none
  if (!mine.ok) return mine
  const kept = stored.length > 0 ? await secrets.use(stored, host) : none
  return kept.ok ? ok(new Map([...mine.value, ...kept.value])) : kept
}

/** The same key for each try of a call, so that a server that supports it acts once. */
function keyed({ effect }: HttpToolDefinition, request: Outgoing, call: ToolCall): Outgoing {
  if (effect !== 'idempotent') return request
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': call.idempotencyKey } }
}

function terms({ effect, timeout_s }: HttpToolDefinition, request: Outgoing, call: ToolCall): FetchTerms {
  const { origin } = new URL(request.url)
  return {
    signal: call.signal,
    timeoutMs: timeout_s * 1000,
    maxBytes: HTTP_TOOL_ANSWER_MAX_BYTES,
    redirects: effect === 'read' ? HTTP_TOOL_REDIRECTS : 0,
    mayRedirect: (url) => url.origin === origin,
  }
}

function failure(
  effect: Effect,
  { code, detail, sent }: FetchFailure,
  mask: (text: string) => string,
): string {
  const message = mask(detail)
  if (!sent || effect === 'read') return message
  if (code === 'redirects')
    return `${message} It may have taken effect anyway: check before you call it again.`
  return effect === 'once'
    ? `${message} ${UNKNOWN_OUTCOME}`
    : `${message} It may be called again: the server gets the same key.`
}

function maybe(effect: Effect): string {
  return effect === 'once' ? 'It may have taken effect anyway: check before you call it again.' : ''
}
