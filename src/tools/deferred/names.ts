// The names of the two tools by which a model finds and calls tools that are not in its list.

import type { ToolLists } from '../../agent/policy.ts'

export const TOOL_SEARCH_NAME = 'tool_search'
export const CALL_TOOL_NAME = 'call_tool'

export function isDispatcher(name: string): boolean {
  return name === TOOL_SEARCH_NAME || name === CALL_TOOL_NAME
}

/** The lists as they apply to one of these tools: they name what it finds and calls, so only a denial by name counts. */
export function listsForDispatcher(lists: readonly ToolLists[]): readonly ToolLists[] {
  return lists.map((list) => ({ ...list, allow: null }))
}

/** The lists as they apply to a tool that is called through call_tool: one that denies call_tool permits no such call. */
export function listsForTarget(lists: readonly ToolLists[]): readonly ToolLists[] {
  return lists.map((list) => (list.deny.includes(CALL_TOOL_NAME) ? { ...list, allow: [] } : list))
}
