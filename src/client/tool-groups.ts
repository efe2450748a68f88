// The agent's tools grouped by where they come from: MCP servers first, because they change independently of the
// workspace. Used by the page and the terminal.

import { PAGE_SIZE_MAX } from '../limits/requests.ts'
import { ok, type Result } from '../lib/result.ts'
import type { Client } from './client.ts'
import type { McpServerRow } from './mcp.ts'
import { readAllPages, readPage } from './pages.ts'
import { listTools, type ToolRow } from './tools.ts'
import type { ClientFailure } from './types.ts'

export interface ToolGroup {
  readonly title: string
  /** The MCP server as admins see it; null for other tools and other users. */
  readonly server: McpServerRow | null
  readonly tools: readonly ToolRow[]
}

/** The groups of the tools that a thread started now would get, and for admins the state of MCP servers. */
export async function readToolGroups(client: Client): Promise<Result<readonly ToolGroup[], ClientFailure>> {
  const [tools, servers] = await Promise.all([
    listTools(client),
    readAllPages((cursor) =>
      readPage<McpServerRow>(client, '/admin/mcp', {}, { cursor, limit: PAGE_SIZE_MAX }),
    ),
  ])
  // Only admins may read servers. For others, the list of tools is enough.
  return tools.ok ? ok(groupTools(tools.value, servers.ok ? servers.value : [])) : tools
}

/** `servers`: empty for users who are not admins. */
function groupTools(tools: readonly ToolRow[], servers: readonly McpServerRow[]): readonly ToolGroup[] {
  const names = new Set([
    ...servers.map(({ name }) => name),
    ...tools.flatMap(({ origin }) => origin?.server ?? []),
  ])
  const groups: readonly ToolGroup[] = [
    ...[...names]
      .toSorted()
      .map((name) => ({
        title: name,
        server: servers.find((server) => server.name === name) ?? null,
        tools: tools.filter(({ origin }) => origin?.server === name),
      }))
      .toSorted((a, b) => Number(needsAdmin(b.server)) - Number(needsAdmin(a.server))),
    { title: 'HTTP tools', server: null, tools: tools.filter(({ source }) => source === 'http') },
    {
      title: 'Built in',
      server: null,
      tools: tools.filter(({ source }) => source === 'builtin' || source === 'server'),
    },
  ]
  return groups.filter(({ server, tools: members }) => server !== null || members.length > 0)
}

/** Whether an admin must do something, so that the server comes first. */
function needsAdmin(server: McpServerRow | null): boolean {
  return server !== null && serverState(server)?.kind !== undefined
}

/** The state of a server in words, and the colour of its badge; null if it is as expected. */
export function serverState({ state, blocked }: Pick<McpServerRow, 'state' | 'blocked'>): {
  readonly text: string
  readonly kind?: 'bad' | 'warn'
} | null {
  switch (state) {
    case 'ok':
      return null
    case 'blocked':
      return { text: `${blocked} blocked`, kind: 'warn' }
    case 'unapproved':
      return { text: 'not approved', kind: 'warn' }
    case 'failing':
      return { text: 'failing', kind: 'bad' }
    case 'unreadable':
      return { text: 'unreadable', kind: 'bad' }
    case 'off':
      return { text: 'disabled' }
    case 'unknown':
      return { text: 'not contacted yet' }
  }
}
