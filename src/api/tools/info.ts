// What the API shows of an HTTP tool: everything to admins, and to others what their agent may call.

import type { ApprovalRule } from '../../agent/approval.ts'
import type { Effect, ToolLabel, ToolRow } from '../../agent/tool.ts'
import type { ToolEntry } from '../../skills/skill.ts'
import { liveTool } from '../../tools/http/live.ts'
import type { Offered } from '../../tools/record/source.ts'

/** A tool that a new thread can call. */
export interface CallableTool {
  readonly name: string
  readonly description: string
  readonly source: ToolRow['source']
  readonly group: string | null
  readonly effect: Effect
  readonly approval: ApprovalRule
  /** How its calls are described to people; null: by its name. */
  readonly label: ToolLabel | null
}

export interface ToolInfo extends Omit<CallableTool, 'source' | 'label'> {
  readonly source: ToolEntry['source']
  readonly enabled: boolean
  readonly digest: string
  readonly updated_at: string | null
  readonly method: string
  readonly url: string
  /** Why no thread can have it; null: each new thread has it while it is enabled. */
  readonly problem: string | null
}

export function callableTool({ row, group, label }: Offered): CallableTool {
  const { name, spec, source, effect, approval } = row
  const description = 'description' in spec ? spec.description : "The model's own search of the web."
  return { name, description, source, group, effect, approval, label }
}

export async function toolInfo(entry: ToolEntry): Promise<ToolInfo> {
  const { name, source, enabled, digest, updated_at } = entry
  const tool = await liveTool(entry)
  if (!tool) {
    const problem = 'This release cannot read its definition. Create it again.'
    const unread = { description: '', group: null, effect: 'once', approval: { ask: 'always' } } as const
    return { name, ...unread, source, enabled, digest, updated_at, method: '', url: '', problem }
  }
  const { description, group, effect, approval, request } = tool.definition
  const { method, url } = request
  const fields = { name, description, group, effect, approval, method, url }
  return { ...fields, source, enabled, digest, updated_at, problem: null }
}
