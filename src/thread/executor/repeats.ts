// Reacts when the model repeats a call: first with a remark, then by making the run sum up. Refused calls
// count, too, because repeating them does not change the result.

import { judgeRepeat } from '../../agent/repeat.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

type Thread = Parts<'runs' | 'journal' | 'log'>

/**
 * If the call is a loop, returns its result, warns readers and makes the run sum up. Returns null if it is
 * not a loop.
 */
export function stopLoop({ runs, journal, log }: Thread, runId: string, call: JournalCall): string | null {
  if (judgeRepeat(journal.countSameCalls(call)) !== 'stop') return null
  runs.requestSummary(runId)
  log.append(runId, {
    type: 'loop.warning',
    detail: `${call.name} was called too often with the same input, so the run has to sum up.`,
  })
  return 'Not run: this same call was made several times already and its result does not change. Answer with what you know.'
}

/**
 * If the call was already made several times, returns a remark for its result and warns readers. Otherwise
 * returns an empty string.
 */
export function repeatRemark({ journal, log }: Thread, runId: string, call: JournalCall): string {
  if (judgeRepeat(journal.countSameCalls(call)) !== 'warn') return ''
  log.append(runId, {
    type: 'loop.warning',
    detail: `${call.name} was called several times with the same input.`,
  })
  return '\n\n[You made this same call several times. Its result does not change: continue with what you know.]'
}
