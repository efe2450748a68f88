// Defines what the API shows of tools: complete HTTP tools to admins, and callable tools to everybody.

import type { ApprovalRule } from '../../agent/approval.ts'
import type { Effect, ToolLabel, ToolRow } from '../../agent/tool.ts'
import type { ToolEntry, WholeTool } from '../../skills/skill.ts'
import { liveTool } from '../../tools/http/live.ts'
import type { NamedTool } from '../../tools/record/offered.ts'

/** A tool that a new thread can call. */
export interface CallableTool {
  readonly name: string
  readonly description: string
  readonly source: ToolRow['source']
  readonly group: string | null
  readonly effect: Effect
  readonly approval: ApprovalRule
  /** The MCP server that offers the tool, and the name that it has there; null for other tools. */
  readonly origin: { readonly server: string; readonly tool: string } | null
  /** The texts that describe its calls to people, or null to show its name. */
  readonly label: ToolLabel | null
}

export interface ToolInfo extends Omit<CallableTool, 'source' | 'label' | 'origin'> {
  readonly source: ToolEntry['source']
  readonly enabled: boolean
  readonly digest: string
  readonly updated_at: string | null
  readonly method: string
  readonly url: string
  /** Why new threads cannot have this tool, or null if they can. */
  readonly problem: string | null
}

export function callableTool({ row, group, label, origin }: NamedTool): CallableTool {
  const { name, spec, source, effect, approval } = row
  const description =
    spec === undefined ? row.line : 'description' in spec ? spec.description : "The model's own web search."
  return { name, description, source, group, effect, approval, origin: origin ?? null, label }
}

export async function toolInfo(entry: WholeTool): Promise<ToolInfo> {
  const { name, source, enabled, digest, updated_at } = entry
  const tool = await liveTool(entry)
  if (!tool) {
    const problem = 'This release cannot read the definition of the tool. Create the tool again.'
    const unknownFields = {
      description: '',
      group: null,
      effect: 'once',
      approval: { ask: 'always' },
    } as const
    return { name, ...unknownFields, source, enabled, digest, updated_at, method: '', url: '', problem }
  }
  const { description, group, effect, approval, request } = tool.definition
  const { method, url } = request
  const fields = { name, description, group, effect, approval, method, url }
  return { ...fields, source, enabled, digest, updated_at, problem: null }
}
