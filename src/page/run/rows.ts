// Groups the items of a run into rows: consecutive calls of the same tool become one row. Pure.

import { labelOf } from './call-labels.ts'
import type { Item, ToolItem } from './items.ts'
import { joinContinued } from './joined-text.ts'

export type Row =
  | { readonly kind: 'single'; readonly key: string; readonly item: Item }
  | { readonly kind: 'group'; readonly key: string; readonly calls: readonly ToolItem[] }

/** Maximum number of consecutive calls of the same tool that are still shown separately. */
const SEPARATE_CALLS_MAX = 3

export function rowsOf(items: readonly Item[]): readonly Row[] {
  const rows: Row[] = []
  let group: ToolItem[] = []
  const close = (): void => {
    const [first] = group
    // The row's key is that of its first call, so that an opened row stays open while calls are added to it.
    if (first && group.length > SEPARATE_CALLS_MAX)
      rows.push({ kind: 'group', key: `many:${first.key}`, calls: group })
    else rows.push(...group.map((item): Row => ({ kind: 'single', key: item.key, item })))
    group = []
  }
  for (const item of joinContinued(items)) {
    if (isShownByApproval(item, items) || isShownByCall(item, items)) continue
    const call = item.kind === 'tool' && item.name !== 'ask_clarification' ? item : null
    if (!call || group[0]?.name !== call.name) close()
    if (call) group.push(call)
    else rows.push({ kind: 'single', key: item.key, item })
  }
  close()
  return rows
}

/** Whether the approval card already represents the item: a call that awaits approval or was denied. */
function isShownByApproval(item: Item, items: readonly Item[]): boolean {
  if (item.kind !== 'tool' || (item.state !== 'running' && item.state !== 'denied')) return false
  return items.some(
    (candidate) =>
      candidate.kind === 'approval' &&
      candidate.toolUseId === item.toolUseId &&
      (candidate.decision === null || item.state === 'denied'),
  )
}

/** Whether the step of an approved call already represents the approval. */
function isShownByCall(item: Item, items: readonly Item[]): boolean {
  return (
    item.kind === 'approval' &&
    items.some((candidate) => candidate.kind === 'tool' && candidate.approval?.key === item.key)
  )
}

/** The line for a group of calls, such as "Read 5 files" or "Calling create_ticket 4 times…". */
export function groupLine(calls: readonly ToolItem[]): string {
  const label = labelOf(calls[0]?.name ?? '')
  const isRunning = calls.some(({ state }) => state === 'running')
  const failedCount = calls.filter(({ state }) => state === 'failed').length
  const line = `${isRunning ? label.now : label.past} ${calls.length} ${label.many}`
  const text = failedCount > 0 ? `${line}, ${failedCount} failed` : line
  return isRunning ? `${text}…` : text
}
