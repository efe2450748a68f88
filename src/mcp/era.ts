// Which transport and revision a server uses, and what its first answers say about that. Sends nothing.

import { isObject } from '../lib/json-object.ts'
import { ok, type Result } from '../lib/result.ts'
import { cutText } from '../lib/text.ts'
import { notSent, type McpFailure } from './failure.ts'
import type { McpSession } from './headers.ts'
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  HANDSHAKE_REVISION,
  HANDSHAKE_REVISIONS,
  STATELESS_ERRORS,
  STATELESS_REVISION,
  UNSUPPORTED_REVISION,
  type RpcError,
} from './protocol.ts'
import type { Exchange } from './transport.ts'

/** Which transport and revision a server uses, once that is known. */
export type Era =
  | { readonly kind: 'stateless' }
  | ({ readonly kind: 'session' } & McpSession)
  /** The older transport with two connections. */
  | { readonly kind: 'sse' }

export const STATELESS: Era = { kind: 'stateless' }
export const SSE: Era = { kind: 'sse' }

export const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: HANDSHAKE_REVISION,
    capabilities: CLIENT_CAPABILITIES,
    clientInfo: CLIENT_INFO,
  },
}

export const INITIALIZED = 'notifications/initialized'

/** Statuses of a server that does not know this transport or revision. 401, 403 and 503, for example, say nothing about that. */
function isUnknownWay(status: number): boolean {
  return status === 400 || status === 404 || status === 405
}

/** The ID of the session that the server named, if it can be sent back. Only the revisions with a handshake have sessions. */
export function sessionIdIn({ headers }: Exchange): string | null {
  const id = headers['mcp-session-id'] ?? null
  return id !== null && /^[\x21-\x7e]{1,1000}$/.test(id) ? id : null
}

/**
 * Whether this answer to a request without a session comes from a server that has sessions. Some answer all the same; their
 * results have no type, which the revision without sessions requires.
 */
export function needsSession(exchange: Exchange): boolean {
  const { status, answer } = exchange
  if (answer.kind === 'result')
    return sessionIdIn(exchange) !== null && answer.result['resultType'] === undefined
  if (answer.kind === 'other') return isUnknownWay(status)
  const { code } = answer.error
  if (code !== UNSUPPORTED_REVISION)
    return !STATELESS_ERRORS.includes(code) && (status === 200 || isUnknownWay(status))
  return supportedIn(answer.error).some((revision) => HANDSHAKE_REVISIONS.includes(revision))
}

/** The revisions that the error about an unsupported one names. */
function supportedIn({ code, data }: RpcError): readonly string[] {
  const supported = code === UNSUPPORTED_REVISION && isObject(data) ? data['supported'] : null
  return Array.isArray(supported) ? supported.map(String) : []
}

/** Whether a server refuses the revision without sessions and names it as supported, so that it may accept the next request. */
export function refusesOwnRevision({ answer }: Exchange): boolean {
  return answer.kind === 'error' && supportedIn(answer.error).includes(STATELESS_REVISION)
}

/** Whether this answer shows that the server understood the transport and revision. A proxy may send errors in this format, too. */
export function showsEra({ status, answer }: Exchange): boolean {
  if (answer.kind !== 'error') return answer.kind === 'result'
  return status === 200 || status === 400 || STATELESS_ERRORS.includes(answer.error.code)
}

/** Whether this answer to a handshake comes from a server that may know only HTTP+SSE. */
export function mayNeedSse({ status, answer }: Exchange): boolean {
  if (answer.kind === 'error') return status === 404 || status === 405
  return answer.kind === 'other' && isUnknownWay(status)
}

/** The revision that a server chose in a handshake. The failure names those that Satchel supports. */
export function chosenRevision(
  result: Readonly<Record<string, unknown>>,
  known: readonly string[],
  mask: (text: string) => string,
): Result<string, McpFailure> {
  const revision = result['protocolVersion']
  return typeof revision === 'string' && known.includes(revision)
    ? ok(revision)
    : notSent(
        `uses protocol revision ${cutText(mask(String(revision)), 40)}. Satchel supports ${[STATELESS_REVISION, ...known].join(', ')}`,
      )
}
