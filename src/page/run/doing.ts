// What a run is doing now, in one line, also for screen readers. Pure.

import { lineOf } from './acts.ts'
import type { Item, ToolItem } from './items.ts'
import { hasEnded, type RunState } from './state.ts'

/** "Reading severity-levels.md…"; null after the end. */
export function doing(run: RunState): string | null {
  if (hasEnded(run)) return null
  if (run.runId === '') return 'Sending…'
  if (run.status === 'waiting')
    return run.items.some(isAwaitingApproval) ? 'Waiting for your answer' : 'Waiting for its turn…'
  if (run.status === 'queued') return 'Waiting for its turn…'
  if (run.retry) return `${sentence(run.retry.detail)} Trying again (try ${run.retry.attempt})…`
  const call = run.items.findLast(isRunning)
  if (call) {
    const { verb, object } = lineOf(call)
    return `${object === '' ? verb : `${verb} ${object}`}…`
  }
  const last = run.items.at(-1)
  return last?.kind === 'text' && !last.done ? 'Writing…' : 'Thinking…'
}

/** Once every approval is decided, the run waits for a slot: a key has a limited number of concurrent runs. */
function isAwaitingApproval(item: Item): boolean {
  return item.kind === 'approval' && item.decision === null
}

function isRunning(item: Item): item is ToolItem {
  return item.kind === 'tool' && item.state === 'running'
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
