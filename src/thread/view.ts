// From rows to what the loop decides on.

import type { RunView } from '../agent/loop.ts'
import { reachedLid, type Spent } from './budget.ts'
import type { Core } from './core.ts'
import type { Run } from './run.ts'

export function spentOf(run: Run, now: number): Spent {
  return {
    steps: run.steps,
    toolCalls: run.toolCalls,
    recoveries: run.recoveries,
    tokens: run.usedTokens,
    usd: run.usedUsd,
    openTokens: run.openTokens,
    openUsd: run.openUsd,
    wallMs: run.startedAt === null ? 0 : now - run.startedAt,
  }
}

export function viewOf(core: Core, run: Run): RunView {
  const last = core.transcript.last(run.id)
  const spoke = last?.role === 'assistant'
  return {
    cancel: run.cancel,
    last: last?.role ?? 'user',
    modelStop: last?.modelStop ?? null,
    calls: last && spoke ? core.journal.calls(last.id).map((call) => call.state) : [],
    pauses: last?.modelStop === 'pause_turn' ? core.transcript.pauses(run.id) : 0,
    summingUp: run.summingUp,
    lid: reachedLid(spentOf(run, core.out.now()), run.options.budget),
  }
}
