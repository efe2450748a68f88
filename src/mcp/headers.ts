// The headers and the metadata of a request to an MCP server.

import { base64, utf8 } from '../lib/bytes.ts'
import { isObject } from '../lib/json-object.ts'
import { CLIENT_CAPABILITIES, CLIENT_INFO, STATELESS_REVISION } from './protocol.ts'

type Json = Readonly<Record<string, unknown>>

export interface McpSession {
  readonly revision: string
  /** Null if the server has a handshake but no sessions. */
  readonly id: string | null
}

export function sessionHeaders({ revision, id }: McpSession): Readonly<Record<string, string>> {
  return { 'MCP-Protocol-Version': revision, ...(id === null ? {} : { 'Mcp-Session-Id': id }) }
}

export function statelessHeaders(method: string, params: Json): Readonly<Record<string, string>> {
  const name = params['name']
  return {
    'MCP-Protocol-Version': STATELESS_REVISION,
    'Mcp-Method': method,
    ...(typeof name === 'string' ? { 'Mcp-Name': headerValue(name) } : {}),
  }
}

/** A header value as the protocol encodes it: base64 if it is not plain ASCII, or looks as if it were encoded. */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${base64(utf8(text))}?=`
}

/** Adds the metadata that a server without sessions needs about its client. */
export function withMeta(params: Json): Json {
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  return {
    ...params,
    _meta: {
      ...meta,
      'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
      'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
      'io.modelcontextprotocol/clientCapabilities': CLIENT_CAPABILITIES,
    },
  }
}
