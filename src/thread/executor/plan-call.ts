// Whether a run may make another model call, and what that call may cost at most.

import type { ReachedLimit } from '../../agent/loop.ts'
import type { ModelFacts } from '../../agent/model.ts'
import { planReservation, reachedLimit, spentOf, type CallReservation } from './budget.ts'
import { estimateInputTokens } from '../windows/input-tokens.ts'
import type { RunBudget } from '../api.ts'
import type { Parts } from '../parts.ts'
import { maxServerSearches } from './server-search.ts'
import type { Run } from '../rows/run.ts'

/** The reservation for the next call, or the limit that prevents the call. */
export function planNextCall(
  thread: Parts<'row' | 'transcript', 'now'>,
  run: Run,
  facts: ModelFacts,
  budget: RunBudget = run.options.budget,
): CallReservation | ReachedLimit {
  const searches = maxServerSearches(thread.row.data.tools)
  return planReservation(
    spentOf(run, thread.ports.now()),
    budget,
    facts,
    estimateInputTokens(thread),
    searches,
  )
}

/** Whether the run's limits allow another call. */
export function mayCallAgain(thread: Parts<'row' | 'transcript', 'now' | 'models'>, run: Run): boolean {
  const model = thread.ports.models.resolve(run.model)
  if (!model || reachedLimit(spentOf(run, thread.ports.now()), run.options.budget)) return false
  return !('stop' in planNextCall(thread, run, model.facts))
}
