// How a run waits for a person, and how it resumes. The wait is stored in rows; no connection or timer stays open
// meanwhile.

import { rfc3339 } from '../../lib/clock.ts'
import { REPORT_RETRY_PAUSE_MS, WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import type { Parts } from '../parts.ts'
import { AUTOMATIC_DECISION } from './approvals.ts'
import type { JournalCall } from './journal.ts'
import type { Run } from './run.ts'

type Thread = Parts<'runs' | 'log' | 'journal' | 'approvals' | 'alarm' | 'atomically', 'now'>

/** What a run's calls wait for, as its readers see it. */
export interface WaitDetails {
  readonly reason: 'approval'
  readonly tool_use_ids: readonly string[]
  readonly until: string
}

/** What the run waits for, and when that expires. Null if no approval is pending. */
export function pendingWait(
  { approvals }: Parts<'approvals'>,
  runId: string,
): { readonly details: WaitDetails; readonly expiresAt: number } | null {
  const pending = approvals.pending(runId)
  if (pending.length === 0) return null
  const expiresAt = Math.min(...pending.map(({ expiresAt: until }) => until))
  const ids = pending.map(({ toolUseId }) => toolUseId)
  return { details: { reason: 'approval', tool_use_ids: ids, until: rfc3339(expiresAt) }, expiresAt }
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

/**
 * Suspends the run until somebody answers. If a call waits without a request, which should never happen, it
 * is planned again instead.
 */
export function suspend(thread: Thread, run: Run, calls: readonly JournalCall[]): void {
  thread.atomically(() => {
    const wait = pendingWait(thread, run.id)
    if (!wait) {
      for (const call of calls) if (call.state === 'waiting') thread.journal.resetToPlanned(call)
      return
    }
    thread.runs.suspend(run.id, thread.ports.now(), wait.expiresAt)
    thread.log.append(run.id, { type: 'run.waiting', ...wait.details })
    // Reserved event numbers are released, so that none remain reserved during the wait.
    thread.log.release()
  })
}

/**
 * Marks a waiting run as running. The caller must start the execution. Returns false if the run was not
 * waiting.
 */
export function resumeRun(
  { runs, log, alarm, ports }: Omit<Thread, 'journal' | 'approvals'>,
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

/** Denies requests that have expired, so that the run may resume. */
export function denyExpired(thread: Thread, runId: string): void {
  const { approvals, journal, log, ports } = thread
  thread.atomically(() => {
    const now = ports.now()
    for (const request of approvals.pending(runId)) {
      if (request.expiresAt > now) continue
      const decision = 'expired'
      approvals.decide(request.id, { ...AUTOMATIC_DECISION, decision, decidedAt: now })
      journal.resetToPlanned(request)
      log.append(runId, {
        type: 'approval.decided',
        tool_use_id: request.toolUseId,
        decision,
        by: AUTOMATIC_DECISION.decidedBy,
      })
    }
  })
}
