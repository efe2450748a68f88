// Reads the MCP servers of the build, which are `mcpServers` in `extensions_config.json`, in the format of deer-flow. They
// are validated in the same way as servers that an admin creates. What they offer is approved by an admin.

import type { Finding, ToolEntry } from '../../src/skills/skill.ts'
import { isObject } from '../../src/lib/json-object.ts'

export interface BuildServers {
  /** The valid servers, sorted by name. */
  readonly servers: readonly ToolEntry[]
  readonly findings: readonly Finding[]
}

/** Fields of deer-flow that mean nothing here. */
const IGNORED = [
  'description',
  'routing',
  'tool_name_prefix',
  'session_init_timeout',
  'task_toolsets',
  'enabled',
]
/** A value that is an environment variable, which is a stored secret here. */
const SECRET = /^(?:\$\{?|\{\{secrets\.)([A-Za-z][A-Za-z0-9_-]*)\}{0,2}$/
const VARIABLE = /^\$\{?([A-Za-z][A-Za-z0-9_]*)\}?$/

/** `file` is the name of the file in findings. */
export async function readBuildServers(
  listed: Readonly<Record<string, unknown>>,
  file: string,
): Promise<BuildServers> {
  const names = Object.keys(listed).toSorted()
  if (names.length === 0) return { servers: [], findings: [] }
  // Imported here, because loading the validation takes longer than a build without servers.
  const { serverEntry } = await import('../../src/tools/mcp/server.ts')
  const servers: ToolEntry[] = []
  const findings: Finding[] = []
  for (const name of names) {
    const server = listed[name]
    const enabled = !isObject(server) || server['enabled'] !== false
    const entry = await serverEntry(name, isObject(server) ? definitionOf(server) : server)
    if (entry.ok) servers.push({ ...entry.value, enabled, source: 'build', updated_at: null })
    // A server that is off does nothing, so it may be one that only other programs can use.
    else if (enabled) {
      const fix = 'See docs/mcp.md for the fields of a definition.'
      const message = `mcpServers.${name}: ${entry.error.detail}`
      findings.push({ rule: 'tool-invalid', severity: 'error', file, line: null, message, fix })
    }
  }
  return { servers, findings }
}

/** The definition in Satchel's shape. What has no meaning there stays, so that it is refused by name. */
function definitionOf(server: Readonly<Record<string, unknown>>): unknown {
  const { type, transport, headers, oauth, tools, tool_call_timeout, ...rest } = server
  const own = Object.fromEntries(Object.entries(rest).filter(([field]) => !IGNORED.includes(field)))
  const kind = type ?? transport
  return {
    ...own,
    ...(kind === undefined ? {} : { type: kind }),
    ...(headers === undefined ? {} : { headers: isObject(headers) ? withSecrets(headers) : headers }),
    ...(oauth === undefined ? {} : authOf(oauth)),
    ...(tools === undefined ? {} : { tools: isObject(tools) ? listsOf(tools) : tools }),
    ...(tool_call_timeout === undefined ? {} : { timeout_s: tool_call_timeout }),
  }
}

function withSecrets(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const variable = typeof value === 'string' ? VARIABLE.exec(value)?.[1] : undefined
      return [name, variable === undefined ? value : `{{secrets.${variable}}}`]
    }),
  )
}

/** Client credentials; every other way stays, so that it is refused by name. */
function authOf(oauth: unknown): object {
  if (!isObject(oauth) || (oauth['grant_type'] ?? 'client_credentials') !== 'client_credentials')
    return { oauth }
  const { client_id, client_secret, scope } = oauth
  const [, secret] = typeof client_secret === 'string' ? (SECRET.exec(client_secret) ?? []) : []
  return { auth: { client_id, secret, ...(scope === undefined ? {} : { scope }) } }
}

/** Satchel's lists, or those made from `{"<tool>": {"enabled": false}}`. */
function listsOf(tools: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(tools['allow']) || Array.isArray(tools['deny'])) return tools
  const off = Object.entries(tools).filter(([, tool]) => isObject(tool) && tool['enabled'] === false)
  return { deny: off.map(([name]) => name) }
}
