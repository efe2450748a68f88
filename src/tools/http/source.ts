// The tool source for HTTP tools. Looks each call up in the current catalog, so that disabled or changed tools are not
// called.

import type { Tool, ToolRow } from '../../agent/tool.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { mcpServerOf } from '../../skills/skill.ts'
import { isWhole } from '../../skills/store/tool-details.ts'
import { unreadable } from '../record/builtin.ts'
import type { RunTools, ToolSource } from '../record/source.ts'
import { briefTool, liveTool } from './live.ts'
import { httpTool } from './tool.ts'

export const HTTP_SOURCE: ToolSource = {
  name: 'http',
  configured: true,
  /** The enabled tools, except those that this release cannot read. */
  offered: async ({ entries }) => {
    const own = entries.filter(({ name, enabled }) => enabled && mcpServerOf(name) === null)
    const tools = await Promise.all(
      own.map(async (entry) => (isWhole(entry) ? liveTool(entry) : briefTool(entry))),
    )
    return tools
      .filter((tool) => tool !== null)
      .map(({ row, definition }) => ({ row, group: definition.group, label: null, includedIf: () => true }))
  },
  // The group is part of the definition, which is looked up for each call.
  groupOf: () => null,
  find,
}

/** The implementation from the current catalog, if the tool is still as the model knows it. */
async function find(row: ToolRow, run: RunTools): Promise<Result<Tool, string>> {
  const { name } = row
  const entries = await run.live().catch(() => null)
  if (!entries?.ok) return err(unreadable(name))
  const entry = entries.value.find((candidate) => candidate.name === name)
  const whole = await run.whole(entry?.enabled ? [entry] : [])
  if (!whole.ok) return err(unreadable(name))
  const tool = whole.value[0] ? await liveTool(whole.value[0]) : null
  if (!tool) return err(`The tool ${name} is no longer available. Continue without it.`)
  if (tool.row.digest !== row.digest)
    return err(
      `The tool ${name} was changed after this conversation began, and only new conversations have the new version. Continue without it.`,
    )
  const { approval, group } = tool.definition
  const implementation = httpTool(tool.definition, tool.digest, { ...run, now: run.context.now })
  return ok({ ...implementation, approval, ...(group === null ? {} : { group }) })
}
