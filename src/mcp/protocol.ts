// The messages of the Model Context Protocol that a client of tools sends and receives, in the supported revisions.
// Everything that a server sends is parsed leniently and is untrusted.

import { isObject } from '../lib/json-object.ts'

/** The revision without sessions, in which each request names its revision. */
export const STATELESS_REVISION = '2026-07-28'
/** The revision that is proposed to servers with a handshake. They answer with the one that they speak. */
export const HANDSHAKE_REVISION = '2025-11-25'
/** The supported revisions with a handshake. */
export const HANDSHAKE_REVISIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']
/** The revisions that are used over HTTP+SSE, whose own is the oldest. */
export const SSE_REVISIONS: readonly string[] = [...HANDSHAKE_REVISIONS, '2024-11-05']

/** Errors that only a server without sessions sends: a header that does not match, a capability, a revision. */
export const STATELESS_ERRORS: readonly number[] = [-32_020, -32_021, -32_022]
export const UNSUPPORTED_REVISION = -32_022

/** None: Satchel can be asked neither for input nor for a model's answer. */
export const CLIENT_CAPABILITIES = {}
export const CLIENT_INFO = { name: 'satchel', version: '0.1.0' }

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** A server's answer to a request: its result, or an error. */
export type RpcAnswer =
  | { readonly kind: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly error: RpcError }

/** A tool as the server describes it. */
export interface OfferedMcpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema: Readonly<Record<string, unknown>> | null
  readonly annotations: Readonly<Record<string, unknown>> | null
}

/** The answer in this message to the request with this ID; null if the message is something else. */
export function answerIn(message: unknown, id: number): RpcAnswer | null {
  if (!isObject(message) || typeof message['method'] === 'string') return null
  // An error about a message that a server could not read has no ID.
  if (message['id'] !== id && !(message['id'] === null || message['id'] === undefined)) return null
  const { result, error } = message
  if (isObject(error)) {
    const { code, message: text, data } = error
    return {
      kind: 'error',
      error: { code: Number(code), message: typeof text === 'string' ? text : '', data },
    }
  }
  return isObject(result) && message['id'] === id ? { kind: 'result', result } : null
}

/** The text of a progress notification; null if the message is something else. */
export function progressIn(message: unknown): string | null {
  if (!isObject(message) || message['method'] !== 'notifications/progress') return null
  const params = message['params']
  if (!isObject(params)) return null
  const { message: text, progress, total } = params
  if (typeof text === 'string' && text !== '') return text
  if (typeof progress !== 'number') return null
  return typeof total === 'number' ? `${progress} of ${total}` : String(progress)
}

/** Returns the tools of one page. Entries that are not tools are left out. */
export function toolsIn(result: Readonly<Record<string, unknown>>): readonly OfferedMcpTool[] {
  const tools: unknown = result['tools']
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: unknown) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') return []
    const { name, description, inputSchema, outputSchema, annotations } = tool
    return {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema: isObject(inputSchema) ? inputSchema : {},
      outputSchema: isObject(outputSchema) ? outputSchema : null,
      annotations: isObject(annotations) ? annotations : null,
    }
  })
}
