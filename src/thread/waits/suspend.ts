// Suspends and resumes runs. A wait is stored in a row; no connection or timer stays open meanwhile.

import { waitsForCalls } from '../../agent/loop.ts'
import { REPORT_RETRY_PAUSE_MS, WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import type { Parts } from '../parts.ts'
import { currentCalls } from '../rows/current-calls.ts'
import type { CallId, JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'
import { pendingWait } from './details.ts'

type Thread = Parts<'runs' | 'log' | 'journal' | 'waits' | 'approvals' | 'alarm' | 'atomically', 'now'>

/**
 * Ends the wait of a call that is to be made now. Must be called in the block of the decision. A call that has already
 * begun is not planned again: it stays begun.
 */
export function retryCall({ journal, waits }: Pick<Thread, 'journal' | 'waits'>, call: CallId): void {
  waits.remove(call)
  journal.endWait(call)
}

/**
 * Lets the alarm resume the run, even after a crash. Must be called in the same block as an answer. Returns
 * false if the run is not waiting.
 */
export function markResumable(
  { runs, alarm, ports }: Pick<Thread, 'runs' | 'alarm' | 'ports'>,
  runId: string,
): boolean {
  if (runs.get(runId)?.status !== 'waiting') return false
  const now = ports.now()
  runs.postpone(runId, now)
  void alarm.setNoLaterThan(now + REPORT_RETRY_PAUSE_MS)
  return true
}

/** Suspends the run until one of its waits ends. A waiting call without a wait, which should never happen, stops waiting. */
export function suspend(thread: Thread, run: Run, calls: readonly JournalCall[]): void {
  thread.atomically(() => {
    const wait = pendingWait(thread, run.id)
    if (!wait) {
      for (const call of calls) if (call.state === 'waiting') thread.journal.endWait(call)
      return
    }
    thread.runs.suspend(run.id, thread.ports.now(), wait.dueAt)
    thread.log.append(run.id, { type: 'run.waiting', ...wait.details })
    // Reserved event numbers are released, so that none remain reserved during the wait.
    thread.log.release()
  })
}

/** Whether the run has something to do, although some of its calls may still wait. */
export function mayResume(thread: Parts<'waits' | 'journal' | 'transcript'>, run: Run): boolean {
  if (run.cancel !== null || thread.waits.ofRun(run.id).length === 0) return true
  return !waitsForCalls(currentCalls(thread, run.id))
}

/**
 * Marks a waiting run as running. The caller must start the execution. Returns false if the run was not
 * waiting.
 */
export function resumeRun(
  { runs, log, alarm, ports }: Pick<Thread, 'runs' | 'log' | 'alarm' | 'ports'>,
  runId: string,
): boolean {
  if (runs.get(runId)?.status !== 'waiting') return false
  const now = ports.now()
  runs.resume(runId, now)
  log.append(runId, { type: 'run.resumed' })
  // The alarm may be set to a time that is days away.
  void alarm.setNoLaterThan(now + WATCHDOG_INTERVAL_MS)
  return true
}
