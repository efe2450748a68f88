// The definition of an MCP server: checks it and fills in defaults. Sends nothing.

import * as z from 'zod'
import type { Effect } from '../../agent/tool.ts'
import { sha256Hex } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { fieldErrors, type FieldError } from '../../lib/field-errors.ts'
import { isObject } from '../../lib/json-object.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { FIELD_ERRORS_MAX } from '../../limits/requests.ts'
import {
  HTTP_TOOL_GROUP_MAX_CHARS,
  HTTP_TOOL_LIST_ENTRIES_MAX,
  HTTP_TOOL_TEXT_MAX_CHARS,
  HTTP_TOOL_URL_MAX_CHARS,
} from '../../limits/tools.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { entryNameOf, isServerName } from './names.ts'
import { SECRET_NAME } from '../../secrets/name.ts'
import { isSettableHeader } from '../http/request-rules.ts'
import { parseTemplate } from '../http/template.ts'
import {
  MCP_SERVER_MAX_BYTES,
  MCP_SERVER_NAME_MAX_CHARS,
  MCP_TIMEOUT_DEFAULT_S,
  MCP_TIMEOUT_MAX_S,
} from './limits.ts'

export interface McpServer {
  readonly url: string
  /** Templates by name; they may contain {{secrets.NAME}}. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the server's declarations about the effects of its tools are trusted. */
  readonly trusted: boolean
  /** The effects of tools, by the server's names. */
  readonly effects: Readonly<Record<string, Effect>>
  readonly tools: { readonly allow: readonly string[] | null; readonly deny: readonly string[] }
  readonly group: string | null
  readonly timeout_s: number
  /** Client credentials, with which an access token is obtained (OAuth 2.1). `secret` is the name of a stored secret. */
  readonly auth: { readonly client_id: string; readonly secret: string; readonly scope: string | null } | null
}

/** Whether the lists of the definition allow this tool of the server. */
export function isWanted({ tools: { allow, deny } }: Pick<McpServer, 'tools'>, name: string): boolean {
  return (allow?.includes(name) ?? true) && !deny.includes(name)
}

const Names = z.array(z.string().min(1).max(200)).max(500)

const Definition = z.strictObject({
  url: z.string().max(HTTP_TOOL_URL_MAX_CHARS),
  // Ignored: the client detects the transport.
  type: z.enum(['http', 'streamable-http', 'sse']).optional(),
  headers: z
    .record(z.string(), z.string().max(HTTP_TOOL_TEXT_MAX_CHARS))
    .refine(
      (headers) => Object.keys(headers).length <= HTTP_TOOL_LIST_ENTRIES_MAX,
      `must have at most ${HTTP_TOOL_LIST_ENTRIES_MAX} fields`,
    )
    .default({}),
  trusted: z.boolean().default(false),
  effects: z.record(z.string(), z.enum(['read', 'idempotent', 'once'])).default({}),
  tools: z.strictObject({ allow: Names.nullable().default(null), deny: Names.default([]) }).prefault({}),
  group: z.string().min(1).max(HTTP_TOOL_GROUP_MAX_CHARS).nullable().default(null),
  auth: z
    .strictObject({
      client_id: z.string().min(1).max(500),
      secret: z.string().regex(SECRET_NAME, 'must be the name of a stored secret'),
      scope: z.string().min(1).max(1_000).nullable().default(null),
    })
    .nullable()
    .default(null),
  timeout_s: z.number().min(1).max(MCP_TIMEOUT_MAX_S).default(MCP_TIMEOUT_DEFAULT_S),
})

const NO_PROCESSES =
  'Satchel starts no processes, so it cannot use a server over stdio. Run the server behind a bridge that offers it over Streamable HTTP, and enter the URL of the bridge.'

/** The catalog entry for a definition. `name` is that of the server. Fails like `parseServer`. */
export async function serverEntry(
  name: string,
  json: unknown,
): Promise<Result<Pick<ToolEntry, 'name' | 'digest' | 'definition'>>> {
  if (!isServerName(name))
    return invalid([
      {
        path: 'server',
        message: `must have at most ${MCP_SERVER_NAME_MAX_CHARS} lower-case letters, digits and -, which it neither begins nor ends with`,
      },
    ])
  const server = parseServer(json)
  if (!server.ok) return server
  const definition = { ...server.value }
  return ok({ name: entryNameOf(name), digest: await sha256Hex(canonicalJson(definition)), definition })
}

/** Validates a definition. The error is `invalid_tool`, with `errors` for each field. A parsed definition can be parsed again. */
export function parseServer(json: unknown): Result<McpServer> {
  if (isObject(json) && ('command' in json || json['type'] === 'stdio'))
    return fail('invalid_tool', NO_PROCESSES, { errors: [{ path: 'command', message: 'is not supported' }] })
  const size = new TextEncoder().encode(JSON.stringify(json) ?? '').length
  if (size > MCP_SERVER_MAX_BYTES)
    return invalid([{ path: '', message: `has ${size} bytes; the limit is ${MCP_SERVER_MAX_BYTES}` }])
  const parsed = Definition.safeParse(json)
  if (!parsed.success) return invalid(fieldErrors(parsed.error.issues))
  const { type: _, ...server } = parsed.data
  const errors = [...urlErrors(server.url), ...headerErrors(server.headers), ...authErrors(server)]
  return errors.length > 0 ? invalid(errors) : ok(server)
}

function invalid(errors: readonly FieldError[]): Result<never> {
  const [first] = errors
  const where = first?.path === '' || !first ? 'The definition' : first.path
  return fail('invalid_tool', `${where} ${first?.message ?? 'is not valid'}.`, {
    errors: errors.slice(0, FIELD_ERRORS_MAX),
  })
}

function urlErrors(url: string): readonly FieldError[] {
  const parsed = URL.parse(url)
  const report = (message: string): readonly FieldError[] => [{ path: 'url', message }]
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return report('must be an https address')
  if (parsed.username !== '' || parsed.password !== '')
    return report('must not contain credentials; use a header with {{secrets.NAME}}')
  return url.includes('{{') ? report('must not contain placeholders') : []
}

function headerErrors(headers: McpServer['headers']): readonly FieldError[] {
  return Object.entries(headers).flatMap(([name, template]) => {
    const report = (message: string): FieldError => ({ path: `headers.${name}`, message })
    if (!isSettableHeader(name) || PROTOCOL_HEADERS.test(name))
      return report('is not a valid name, or is set by Satchel, the platform or the protocol')
    if (!/^[\t -~]*$/.test(template)) return report('must be visible ASCII')
    const parts = parseTemplate(template)
    if (!parts.ok) return report(parts.error)
    return parts.value.some(({ kind }) => kind === 'input')
      ? report('may contain {{secrets.NAME}}, but no {{input.…}}')
      : []
  })
}

function authErrors({ auth, headers }: Pick<McpServer, 'auth' | 'headers'>): readonly FieldError[] {
  const isTwice = auth !== null && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  return isTwice ? [{ path: 'auth', message: 'cannot be combined with a header Authorization' }] : []
}

/** Headers that the protocol sets. */
const PROTOCOL_HEADERS = /^(?:mcp-.*|accept|content-type|last-event-id|origin|cookie)$/i
