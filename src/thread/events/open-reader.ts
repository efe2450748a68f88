// Opens a stream of a thread's events for a caller who may see it.

import { fail, ok } from '../../lib/result.ts'
import type { ThreadApi } from '../api.ts'
import type { ThreadParts } from '../parts.ts'
import { replayOf } from './replay.ts'

/** See ThreadApi. */
export function openReader(
  thread: ThreadParts,
  ...[caller, runId, after]: Parameters<ThreadApi['events']>
): Awaited<ReturnType<ThreadApi['events']>> {
  if (after !== null && after > thread.log.lastSeq)
    return fail(
      'cursor_ahead',
      `The newest event of this thread has number ${thread.log.lastSeq}, but the request asks for events after ${after}. Use a smaller number.`,
    )
  return (
    thread.readers.refusal(caller) ??
    ok(thread.readers.open(replayOf(thread), { caller, runId, after: after ?? 0 }))
  )
}
