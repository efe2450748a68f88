// Describes in one line what a run is doing now, also for screen readers. Pure.

import { describeRetry, describeServerWait } from '../../client/run-text.ts'
import { callLine } from './call-labels.ts'
import type { Item, ToolItem } from './items.ts'
import { hasEnded, type RunState } from './state.ts'

/** A line such as "Reading severity-levels.md…", or null if the run has ended. */
export function progressOf(run: RunState): string | null {
  if (hasEnded(run)) return null
  if (run.runId === '') return 'Sending…'
  if (run.status === 'waiting') return waitText(run)
  if (run.status === 'queued') return 'Waiting for its turn…'
  if (run.retry) return describeRetry(run.retry.detail, run.retry.attempt)
  const call = runningCall(run)
  if (call) {
    const { verb, object } = callLine(call)
    return `${object === '' ? verb : `${verb} ${object}`}…`
  }
  const last = run.items.at(-1)
  return last?.kind === 'text' && !last.done ? 'Writing…' : 'Thinking…'
}

function waitText({ wait, items }: RunState): string {
  if (items.some(isAwaitingApproval))
    return wait?.by === 'admin' ? "Waiting for an admin's approval" : 'Waiting for your approval'
  const calls = items.filter(isRunning).filter(({ toolUseId: id }) => wait?.tool_use_ids.includes(id))
  if (wait?.reason !== 'server' || calls.length === 0) return 'Waiting for its turn…'
  const names = calls.map(({ name }) => name)
  return `${describeServerWait(names, wait.since)}…`
}

/** The call that is running now, or null. */
export function runningCall(run: RunState): ToolItem | null {
  return run.items.findLast(isRunning) ?? null
}

/** Whether the call waits for approval. A waiting run without such a call waits for a slot, because each key has few of them. */
function isAwaitingApproval(item: Item): boolean {
  return item.kind === 'approval' && item.decision === null
}

function isRunning(item: Item): item is ToolItem {
  return item.kind === 'tool' && item.state === 'running'
}
