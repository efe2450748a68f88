// The names of the two tools with which a model finds and calls tools that are not in its list.

import type { ToolLists } from '../../agent/policy.ts'

export const TOOL_SEARCH_NAME = 'tool_search'
export const CALL_TOOL_NAME = 'call_tool'

export function isDispatcher(name: string): boolean {
  return name === TOOL_SEARCH_NAME || name === CALL_TOOL_NAME
}

/**
 * Adapts the lists for these two tools: only a denial by name applies, because the tools that they find and call are
 * checked separately.
 */
export function listsForDispatcher(lists: readonly ToolLists[]): readonly ToolLists[] {
  return lists.map((list) => ({ ...list, allow: null }))
}

/** Adapts the lists for a tool that is called through call_tool: a list that denies call_tool allows no such call. */
export function listsForTarget(lists: readonly ToolLists[]): readonly ToolLists[] {
  return lists.map((list) => (list.deny.includes(CALL_TOOL_NAME) ? { ...list, allow: [] } : list))
}
