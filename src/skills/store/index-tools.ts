// The tools of an index as JSON: behind its skills, or in the root of its shards. Without tools nothing stands there, so that
// an index without them has the bytes that it had before there were any.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { SkillIndex, ToolEntry } from '../skill.ts'
import { readTool } from './index-shape.ts'

/** What stands behind the last field. Throws for an entry that no reader would take: a bug. */
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

/** To be spread into an index; null: the value has tools that no writer made (wrong shape, unsorted or doubled names). */
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
