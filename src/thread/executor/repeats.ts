// Reacts to a call that the model repeats: first with a remark, then the run sums up. Refused calls count, too: a
// repetition does not change the answer.

import { judgeRepeat } from '../../agent/repeat.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

type Thread = Parts<'runs' | 'journal' | 'log'>

/** The result of a call that is a loop. The run has to sum up, and its readers get a warning. Null: no loop. */
export function loopFound({ runs, journal, log }: Thread, runId: string, call: JournalCall): string | null {
  if (judgeRepeat(journal.earlier(call)) !== 'stop') return null
  runs.sumUp(runId)
  log.append(runId, {
    type: 'loop.warning',
    detail: `${call.name} was called again and again with the same input; the run has to sum up.`,
  })
  return 'Not run: this same call was made several times already and its result does not change. Answer with what you know.'
}

/** Added to the result of a call that was made several times; readers get a warning. Empty: it was not. */
export function repeatRemark({ journal, log }: Thread, runId: string, call: JournalCall): string {
  if (judgeRepeat(journal.earlier(call)) !== 'warn') return ''
  log.append(runId, {
    type: 'loop.warning',
    detail: `${call.name} was called several times with the same input.`,
  })
  return '\n\n[You made this same call several times. Its result does not change: continue with what you know.]'
}
