// From rows to what the loop decides on.

import type { RunView } from '../../agent/loop.ts'
import { reachedLid, type Spent } from './budget.ts'
import type { Core } from '../core.ts'
import type { Run } from '../rows/run.ts'

/** `plannedCalls`: what the run's last message asks for and nothing was done about. */
export function spentOf(run: Run, now: number, plannedCalls = 0): Spent {
  return {
    steps: run.steps,
    toolCalls: run.toolCalls,
    plannedCalls,
    recoveries: run.recoveries,
    interruptedWaits: run.interruptedWaits,
    tokens: run.usedTokens,
    usd: run.usedUsd,
    openTokens: run.openTokens,
    openUsd: run.openUsd,
    wallMs: run.startedAt === null ? 0 : now - run.startedAt,
  }
}

export function viewOf(core: Core, run: Run): RunView {
  const last = core.transcript.last(run.id)
  const calls = last?.role === 'assistant' ? core.journal.calls(run.id, last) : []
  // Once some of a step's calls were made, the others are refused one by one, so that those still count.
  const untouched = calls.every((call) => call.tries === 0)
  const planned = untouched ? calls.filter((call) => call.state === 'planned').length : 0
  return {
    cancel: run.cancel,
    last: last?.role ?? 'user',
    modelStop: last?.modelStop ?? null,
    calls: calls.map((call) => call.state),
    pauses: last?.modelStop === 'pause_turn' ? core.transcript.pauses(run.id) : 0,
    summingUp: run.summingUp,
    lid: reachedLid(spentOf(run, core.out.now(), planned), run.options.budget),
  }
}
