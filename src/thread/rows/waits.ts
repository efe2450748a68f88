// A run that waits for a person, and how it resumes. Nothing is held open in between: the wait is in rows.

import { rfc3339 } from '../../lib/clock.ts'
import { REPORT_RETRY_MS, WATCHDOG_MS } from '../../limits/runs.ts'
import type { Parts } from '../parts.ts'
import { BY_ITSELF } from './approvals.ts'
import type { JournalCall } from './journal.ts'
import type { Run } from './run.ts'

type Thread = Parts<'runs' | 'log' | 'journal' | 'approvals' | 'alarm' | 'atomically', 'now'>

/** What a run's calls wait for, as its readers see it. */
export interface Waiting {
  readonly reason: 'approval'
  readonly tool_use_ids: readonly string[]
  readonly until: string
}

/** Null: no approval is pending. */
export function waitingFor(
  { approvals }: Parts<'approvals'>,
  runId: string,
): { readonly details: Waiting; readonly at: number } | null {
  const pending = approvals.pending(runId)
  if (pending.length === 0) return null
  const at = Math.min(...pending.map(({ expiresAt }) => expiresAt))
  const ids = pending.map(({ toolUseId }) => toolUseId)
  return { details: { reason: 'approval', tool_use_ids: ids, until: rfc3339(at) }, at }
}

/**
 * The run pauses until somebody answers. A call that waits without a request, which should never happen, is planned
 * again instead.
 */
export function mayResume(
  { runs, alarm, out }: Pick<Thread, 'runs' | 'alarm' | 'out'>,
  runId: string,
): boolean {
  if (runs.get(runId)?.status !== 'waiting') return false
  const now = out.now()
  runs.postpone(runId, now)
  void alarm.by(now + REPORT_RETRY_MS)
  return true
}

/** In one block with an answer: the run may resume, also after a crash. False: it does not wait. */
export function suspend(thread: Thread, run: Run, calls: readonly JournalCall[]): void {
  thread.atomically(() => {
    const found = waitingFor(thread, run.id)
    if (!found) {
      for (const call of calls) if (call.state === 'waiting') thread.journal.callOff(call)
      return
    }
    thread.runs.wait(run.id, thread.out.now(), found.at)
    thread.log.append(run.id, { type: 'run.waiting', ...found.details })
    // No event numbers stay reserved during the wait.
    thread.log.release()
  })
}

/** The caller starts the execution. False: it did not wait. */
export function resumeRun(
  { runs, log, alarm, out }: Omit<Thread, 'journal' | 'approvals'>,
  runId: string,
): boolean {
  if (runs.get(runId)?.status !== 'waiting') return false
  const now = out.now()
  runs.resume(runId, now)
  log.append(runId, { type: 'run.resumed' })
  // The alarm may be set days ahead.
  void alarm.by(now + WATCHDOG_MS)
  return true
}

/** Denies expired requests; then the run may resume. */
export function expire(thread: Thread, runId: string): void {
  const { approvals, journal, log, out } = thread
  thread.atomically(() => {
    const now = out.now()
    for (const request of approvals.pending(runId)) {
      if (request.expiresAt > now) continue
      const decision = 'expired'
      approvals.decide(request.id, { ...BY_ITSELF, decision, decidedAt: now })
      journal.callOff(request)
      log.append(runId, {
        type: 'approval.decided',
        tool_use_id: request.toolUseId,
        decision,
        by: BY_ITSELF.decidedBy,
      })
    }
  })
}
