// The tool source for HTTP tools. Looks each call up in the current catalog, so that disabled or changed tools are not
// called.

import type { Tool, ToolRow } from '../../agent/tool.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { mcpServerOf } from '../../skills/skill.ts'
import type { RunTools, ToolSource } from '../record/source.ts'
import { liveTool } from './live.ts'
import { httpTool } from './tool.ts'

export const HTTP_SOURCE: ToolSource = {
  name: 'http',
  configured: true,
  /** The enabled tools, except those that this release cannot read. */
  offered: async ({ entries }) => {
    const own = entries.filter(({ name, enabled }) => enabled && mcpServerOf(name) === null)
    const tools = await Promise.all(own.map(liveTool))
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
  if (!entries?.ok)
    return err(
      `The tool ${name} cannot be looked up right now. Try once more; if it fails again, continue without it.`,
    )
  const entry = entries.value.find((candidate) => candidate.name === name)
  const tool = entry?.enabled ? await liveTool(entry) : null
  if (!tool) return err(`The tool ${name} is no longer available. Continue without it.`)
  if (tool.row.digest !== row.digest)
    return err(
      `The tool ${name} was changed after this conversation began, and only new conversations have the new version. Continue without it.`,
    )
  const { approval, group } = tool.definition
  const implementation = httpTool(tool.definition, tool.digest, { ...run, now: run.context.now })
  return ok({ ...implementation, approval, ...(group === null ? {} : { group }) })
}
