// Lists the agent's tools in a terminal, by where they come from. Admins also see the state of MCP servers.

import { mcpServerPath, type McpServerDetail } from '../../src/client/mcp.ts'
import { readToolGroups, serverState, type ToolGroup } from '../../src/client/tool-groups.ts'
import { markInvisible } from '../../src/lib/mark-invisible.ts'
import { explainFailure } from '../lib/server.ts'
import { harmlessLine, paint } from '../lib/terminal.ts'
import { serverFindingLines } from '../tools/server-findings.ts'
import { localTime } from './local-time.ts'

import type { ChatSession } from './session.ts'

/** Shows all groups with the names of their tools, or one server with its tools' descriptions. */
export async function showTools(session: ChatSession, name: string): Promise<void> {
  const { server, terminal } = session
  const groups = await readToolGroups(server.client)
  if (!groups.ok) return terminal.screen.fault(explainFailure(groups.error, server.url))
  if (name !== '') return showServer(session, groups.value, name)
  for (const group of groups.value) {
    terminal.screen.line(headOf(group))
    const names = group.tools.map((tool) => harmlessLine(tool.origin?.tool ?? tool.name))
    if (names.length > 0) terminal.screen.line(`    ${names.join(', ')}`, 'dim')
  }
  if (groups.value.some(({ tools }) => tools.some(({ source }) => source === 'mcp')))
    terminal.screen.line('/tools SERVER shows one MCP server.', 'dim')
}

async function showServer(
  { server: { client }, terminal: { screen } }: ChatSession,
  groups: readonly ToolGroup[],
  name: string,
): Promise<void> {
  const group = groups.find(
    ({ title, server, tools }) => title === name && (server ?? tools[0]?.origin) !== null,
  )
  if (!group) return screen.line('There is no MCP server of this name.')
  screen.line(headOf(group))
  for (const { name: tool, origin, description } of group.tools) {
    screen.line(`  ${harmlessLine(origin?.tool ?? tool)}`)
    screen.line(`    ${harmlessLine(markInvisible(description))}`, 'dim')
  }
  if (!group.server) return
  const detail = await client.json<McpServerDetail>('GET', mcpServerPath(name))
  if (!detail.ok) return
  const { last_error, problem } = detail.value.body
  if (problem !== null) screen.line(harmlessLine(problem))
  if (last_error) screen.line(`last error, ${localTime(last_error.at)}: ${harmlessLine(last_error.detail)}`)
  for (const line of serverFindingLines(detail.value.body, '  │ ')) screen.line(line)
}

/** The name of a group, and for admins the state of its server. */
function headOf({ title, server }: ToolGroup): string {
  const name = paint('bold', harmlessLine(title))
  if (!server) return name
  const state = serverState(server)?.text
  const seen = server.last_seen_at === null ? 'never seen' : `last seen ${localTime(server.last_seen_at)}`
  return [name, state, seen].filter(Boolean).join(' · ')
}
