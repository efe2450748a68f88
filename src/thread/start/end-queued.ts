// Ends a run that nothing executes: a queued one, or one that waits.

import type { RunStopReason } from '../../agent/events.ts'
import { logText } from '../../lib/redact.ts'
import { keepUnstarted } from '../executor/append-ask.ts'
import { finish, type EndingThread } from '../executor/finish.ts'
import type { Parts } from '../parts.ts'

/** If the run did not begin, the thread keeps its message unless a person withdrew it. */
export async function endQueued(
  thread: EndingThread & Parts<'runEnds'>,
  runId: string,
  status: 'failed' | 'cancelled',
  stop: RunStopReason,
  detail: string | null,
): Promise<void> {
  const run = thread.runs.get(runId)
  try {
    if (status === 'failed' && run && run.startedAt === null && !run.ask.compact)
      thread.atomically(() => {
        keepUnstarted(thread, run)
        finish(thread, runId, status, stop, detail)
      })
  } catch (error) {
    console.error(JSON.stringify({ at: 'thread.finish', run_id: runId, error: logText(error) }))
  }
  finish(thread, runId, status, stop, detail)
  await thread.log.sync()
  thread.runEnds.notify(runId)
}
