// What is done about a call that the model asks for again and again: a remark first, then the run sums up.
// Every call counts, also one that was refused: asking again does not change the answer.

import { judgeRepeat } from '../../agent/repeat.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

type Thread = Parts<'runs' | 'journal' | 'log'>

/** The words of a call that is a loop: the run is asked to sum up, and its readers hear of it. Null: it is none. */
export function loopFound({ runs, journal, log }: Thread, runId: string, call: JournalCall): string | null {
  if (judgeRepeat(journal.earlier(call)) !== 'stop') return null
  runs.sumUp(runId)
  log.append(runId, {
    type: 'loop.warning',
    detail: `${call.name} was called again and again with the same input; the run is asked to sum up.`,
  })
  return 'Not run: this very call was made several times already and its result does not change. Answer with what you know.'
}

/** What is added to the result of a call that was made several times; readers hear of it. Empty: it was not. */
export function repeatRemark({ journal, log }: Thread, runId: string, call: JournalCall): string {
  if (judgeRepeat(journal.earlier(call)) !== 'warn') return ''
  log.append(runId, {
    type: 'loop.warning',
    detail: `${call.name} was called several times with the same input.`,
  })
  return '\n\n[You made this very call several times. Its result does not change: go on with what you know.]'
}
