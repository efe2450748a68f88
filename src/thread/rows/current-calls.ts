// The calls of the step in progress: those that the last message of a run requests.

import type { Parts } from '../parts.ts'
import { isSameCall, type CallId, type JournalCall } from './journal.ts'

type Thread = Parts<'transcript' | 'journal'>

/** In the order of the message; empty if it requests none. */
export function currentCalls({ transcript, journal }: Thread, runId: string): readonly JournalCall[] {
  const last = transcript.last(runId)
  return last ? journal.calls(runId, last) : []
}

/** The call with this ID; undefined if it belongs to an earlier step. */
export function currentCall(thread: Thread, id: CallId): JournalCall | undefined {
  return currentCalls(thread, id.runId).find((call) => isSameCall(call, id))
}
