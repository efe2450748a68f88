// The rows of a run: several similar calls in sequence become one row. Pure.

import { actOf } from './acts.ts'
import type { Item, ToolItem } from './items.ts'

export type Row =
  | { readonly kind: 'one'; readonly key: string; readonly item: Item }
  | { readonly kind: 'many'; readonly key: string; readonly calls: readonly ToolItem[] }

/** Similar calls that are still shown one by one. */
const APART = 3

export function rowsOf(items: readonly Item[]): readonly Row[] {
  const rows: Row[] = []
  let run: ToolItem[] = []
  const close = (): void => {
    const [first] = run
    // The key is that of the first call, so that an opened row stays open while calls join it.
    if (first && run.length > APART) rows.push({ kind: 'many', key: `many:${first.key}`, calls: run })
    else rows.push(...run.map((item): Row => ({ kind: 'one', key: item.key, item })))
    run = []
  }
  for (const item of items) {
    if (isHeldUp(item, items)) continue
    const call = item.kind === 'tool' && item.name !== 'ask_clarification' ? item : null
    if (!call || run[0]?.name !== call.name) close()
    if (call) run.push(call)
    else rows.push({ kind: 'one', key: item.key, item })
  }
  close()
  return rows
}

/** Whether the newest row already shows the progress, so that no other line has to. */
export function showsProgress(items: readonly Item[]): boolean {
  const last = items.findLast((item) => !isHeldUp(item, items))
  return (last?.kind === 'tool' && last.state === 'running') || (last?.kind === 'thinking' && !last.done)
}

/** A call that awaits approval or was denied is shown by its approval card. */
function isHeldUp(item: Item, items: readonly Item[]): boolean {
  if (item.kind !== 'tool' || (item.state !== 'running' && item.state !== 'denied')) return false
  return items.some(
    (other) =>
      other.kind === 'approval' &&
      other.toolUseId === item.toolUseId &&
      (other.decision === null || item.state === 'denied'),
  )
}

/** "Read 5 files", "Calling create_ticket 4 times…". */
export function foldLine(calls: readonly ToolItem[]): string {
  const act = actOf(calls[0]?.name ?? '')
  const running = calls.some(({ state }) => state === 'running')
  const failed = calls.filter(({ state }) => state === 'failed').length
  const line = `${running ? act.now : act.past} ${calls.length} ${act.many}`
  const text = failed > 0 ? `${line}, ${failed} failed` : line
  return running ? `${text}…` : text
}
