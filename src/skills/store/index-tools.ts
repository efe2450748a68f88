// Reads and writes the JSON of an index's tools. The field follows the skills or shards; without tools, it is absent.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { SkillIndex, ToolEntry } from '../skill.ts'
import { readTool } from './index-shape.ts'

/** The JSON of the field, with a comma before it; empty without tools. Throws for an invalid entry, which is a bug. */
export function toolsText(tools: SkillIndex['tools'] = []): string {
  if (tools.length === 0) return ''
  const texts = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(toolText)
  return `,"tools":[${texts.join(',')}]`
}

/** The JSON of one tool. Throws for an invalid entry, which is a bug. */
export function toolText(entry: ToolEntry): string {
  const stored = readTool(entry)
  if (!stored) throw new Error(`the index entry of the tool "${entry.name}" has a field of the wrong shape`)
  return canonicalJson(stored)
}

/** The tools, to be spread into an index; null if their shape is wrong, or their names are unsorted or repeated. */
export function toolsOf(value: object): Pick<SkillIndex, 'tools'> | null {
  if (!('tools' in value)) return {}
  if (!Array.isArray(value.tools)) return null
  const tools: ToolEntry[] = []
  for (const item of value.tools) {
    const entry = readTool(item)
    if (!entry || entry.name <= (tools.at(-1)?.name ?? '')) return null
    tools.push(entry)
  }
  return tools.length > 0 ? { tools } : {}
}
