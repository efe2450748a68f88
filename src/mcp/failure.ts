// Why a request to an MCP server failed, for people and models.

import { err, type Result } from '../lib/result.ts'
import { cutText } from '../lib/text.ts'
import type { FetchFailure } from '../net/fetch.ts'
import { MCP_ERROR_MAX_CHARS } from './limits.ts'
import { STATELESS_ERRORS, type RpcError } from './protocol.ts'
import type { OtherAnswer } from './transport.ts'

export interface McpFailure {
  /** A message for people and models, without secrets. */
  readonly detail: string
  /** Whether the server may have acted on the request. */
  readonly sent: boolean
  /** Whether the connection broke or was never made, so that another attempt may succeed. */
  readonly interrupted: boolean
  /** Whether the server answered, and refused only this request. */
  readonly answered: boolean
  /** Whether the server refused the request's credentials. */
  readonly unauthorized?: true
}

/** `why` continues a sentence that begins with the server. */
export function notSent(why: string, answered = false): Result<never, McpFailure> {
  return err({ detail: `The server ${why}.`, sent: false, interrupted: false, answered })
}

export function mcpFailure({ code, detail, sent }: FetchFailure): McpFailure {
  return { detail, sent, interrupted: code === 'unreachable', answered: false }
}

export function withoutAnswer(status: number, { why, isCut = false }: Omit<OtherAnswer, 'kind'>): McpFailure {
  const hint =
    status === 401 || status === 403
      ? ': it did not authorize this request. An admin must check the headers of the server'
      : ''
  // Below 500 the server refused the request, unless it answered with success and then lost the answer.
  const refused = status >= 300 && status < 500
  return {
    detail: `The server ${why}${hint}.`,
    sent: !refused,
    interrupted: status < 300 && !isCut,
    answered: false,
    ...(status === 401 ? { unauthorized: true } : {}),
  }
}

/** Errors with which a server says that it has not run a request: malformed, unknown method, invalid parameters. */
const REFUSALS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, ...STATELESS_ERRORS])

export function errorAnswer(
  status: number,
  { code, message }: RpcError,
  mask: (text: string) => string,
): McpFailure {
  const text = cutText(mask(message), MCP_ERROR_MAX_CHARS)
  const unauthorized = status === 401
  return {
    detail: `The server answered with the error ${code}: ${text}`,
    sent: !unauthorized && !REFUSALS.has(code),
    interrupted: false,
    answered: !unauthorized,
    ...(unauthorized ? { unauthorized: true } : {}),
  }
}
