// Names that no tool from settings may have: a built-in tool's, now or to come, under whatever name skills call it, and a
// group's.

import { mappedTools } from '../skills/format/tool-names.ts'
import { BUILTINS, groupOf, GROUP_NAMES } from './registry.ts'

const TO_COME: readonly string[] = ['call_tool', 'read_mcp_resource', 'search_thread', 'task', 'tool_search']

/** As they are written; other spellings are found by reservedName(). */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...BUILTINS.map(({ spec }) => spec.name),
  ...GROUP_NAMES,
  ...TO_COME,
])

/** Why a tool from settings may not have this name, as words behind it; null: it may. Letter case does not count. */
export function reservedName(name: string): string | null {
  const plain = name.toLowerCase()
  const [ours] = mappedTools([name]).known
  if (ours !== undefined) return `means the built-in tool ${ours}; choose another`
  if (groupOf({ name: plain, source: 'builtin' }) !== null || TO_COME.includes(plain))
    return 'is kept for a built-in tool; choose another'
  return GROUP_NAMES.includes(plain) ? 'is the name of a group of built-in tools; choose another' : null
}
