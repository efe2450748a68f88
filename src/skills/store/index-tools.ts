// The tools of an index as JSON: after its skills, or in the root of its shards. Without tools the field is absent.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { SkillIndex, ToolEntry } from '../skill.ts'
import { readTool } from './index-shape.ts'

/** The text after the last field. Throws for an invalid entry, which is a bug. */
export function toolsText(tools: SkillIndex['tools'] = []): string {
  if (tools.length === 0) return ''
  const texts = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(toolText)
  return `,"tools":[${texts.join(',')}]`
}

/** The JSON of one tool. Throws as `toolsText` does. */
export function toolText(entry: ToolEntry): string {
  const kept = readTool(entry)
  if (!kept) throw new Error(`the index entry of the tool "${entry.name}" has a field of the wrong shape`)
  return canonicalJson(kept)
}

/** Spread it into an index. Null: the value has invalid tools (wrong shape, unsorted or repeated names). */
export function toolsOf(value: object): Pick<SkillIndex, 'tools'> | null {
  if (!('tools' in value)) return {}
  if (!Array.isArray(value.tools)) return null
  const tools: ToolEntry[] = []
  for (const one of value.tools) {
    const entry = readTool(one)
    if (!entry || entry.name <= (tools.at(-1)?.name ?? '')) return null
    tools.push(entry)
  }
  return tools.length > 0 ? { tools } : {}
}
