// The tool source for MCP servers. Loads the rest of this folder only if a server is in the catalog.

import type { Tool, ToolRow } from '../../agent/tool.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { mcpServerOf, type ToolEntry } from '../../skills/skill.ts'
import { isWhole } from '../../skills/store/tool-details.ts'
import { unreadable } from '../record/builtin.ts'
import type { NamedTool } from '../record/offered.ts'
import type { RunTools, ToolSource } from '../record/source.ts'

export const MCP_SOURCE: ToolSource = {
  name: 'mcp',
  configured: true,
  /** The approved tools of the enabled servers. Sends no request. */
  offered: async ({ entries, only }) => {
    const servers = serversIn(entries)
    if (servers.length === 0) return []
    const { briefServer, liveServer } = await import('./live.ts')
    const live = await Promise.all(
      servers.map(async (entry) => {
        if (!isWhole(entry)) return briefServer(entry)
        const found = await liveServer(entry)
        if (!found) return null
        const wanted = found.allowed.filter(({ tool }) => only?.has(tool) ?? true)
        return { ...found, tools: await Promise.all(wanted.map(found.toolOf)) }
      }),
    )
    return live.flatMap((found): readonly NamedTool[] =>
      (found?.tools ?? []).map(({ row, pin }) => ({
        row,
        group: found?.server.group ?? null,
        label: null,
        ...(found ? { origin: { server: found.name, tool: pin.name } } : {}),
        includedIf: () => true,
      })),
    )
  },
  // The group is part of the definition, which is looked up for each call.
  groupOf: () => null,
  find,
}

function serversIn(entries: readonly ToolEntry[]): readonly ToolEntry[] {
  return entries.filter(({ name, enabled }) => enabled && mcpServerOf(name) !== null)
}

/** The implementation from the current catalog, if the tool is still as the model knows it. */
async function find(row: ToolRow, run: RunTools): Promise<Result<Tool, string>> {
  const { name } = row
  const entries = await run.live().catch(() => null)
  if (!entries?.ok) return err(unreadable(name))
  const [{ liveServer, offersTool }, { mcpTool }] = await Promise.all([
    import('./live.ts'),
    import('./tool.ts'),
  ])
  const offering = serversIn(entries.value).filter((entry) => offersTool(entry, name))
  const whole = await run.whole(offering)
  if (!whole.ok) return err(unreadable(name))
  for (const entry of whole.value) {
    const server = await liveServer(entry)
    const pin = server?.allowed.find(({ tool: candidate }) => candidate === name)
    if (!server || !pin) continue
    const tool = await server.toolOf(pin)
    if (tool.row.digest !== row.digest)
      return err(
        `The tool ${name} was changed after this conversation began, and only new conversations have the new version. Continue without it.`,
      )
    const { group } = server.server
    const implementation = mcpTool(server, tool, run)
    return ok({ ...implementation, approval: tool.row.approval, ...(group === null ? {} : { group }) })
  }
  return err(`The tool ${name} is no longer available. Continue without it.`)
}
