// Maps rows to the view of a run on which the loop decides.

import type { RunView } from '../../agent/loop.ts'
import { isEmptyAnswer } from '../../agent/message.ts'
import { hasOpenItems } from '../../agent/todos.ts'
import { reachedLimit, spentOf } from './budget.ts'
import type { Parts } from '../parts.ts'
import { currentCalls } from '../rows/current-calls.ts'
import type { Run } from '../rows/run.ts'
import { hasResponse } from '../windows/fullness.ts'

/** `isFull`: the next request is too long for the window. */
export function runView(
  thread: Parts<'row' | 'transcript' | 'journal' | 'steered', 'now'>,
  run: Run,
  isFull: boolean,
): RunView {
  const last = thread.transcript.last(run.id)
  const calls = currentCalls(thread, run.id)
  // Once some calls of a step were made, the others are refused one by one, so that the completed ones still
  // count.
  const noneStarted = calls.every((call) => call.tries === 0)
  const planned = noneStarted ? calls.filter((call) => call.state === 'planned').length : 0
  const onlyCompacts = run.ask.compact !== undefined
  const isDue = onlyCompacts
    ? thread.row.data.window.runOrd !== run.ord && hasResponse(thread)
    : isFull || run.compaction !== null
  return {
    cancel: run.cancel,
    last: last?.role ?? 'user',
    modelStop: last?.modelStop ?? null,
    calls,
    pauses: last?.modelStop === 'pause_turn' ? thread.transcript.countPauses(run.id) : 0,
    continuations: run.continuations,
    isEmptyAnswer:
      last?.role === 'assistant' && run.steps > 1 && !run.emptyNoticed && isEmptyAnswer(last.content),
    hasOpenPlan: !run.planReminded && hasOpenItems(thread.row.data.todos),
    summingUp: run.summingUp,
    awaitsInput: run.awaitsInput,
    isSteered: thread.steered.pending(run.id).length > 0,
    limit: reachedLimit(spentOf(run, thread.ports.now(), planned), run.options.budget),
    compactionDue: isDue,
    onlyCompacts,
  }
}
