// A run that waits for a person, and its going on. Nothing is held open between the two: what is waited for are rows.

import { rfc3339 } from '../../lib/clock.ts'
import { REPORT_RETRY_MS, WATCHDOG_MS } from '../../limits/runs.ts'
import type { Parts } from '../parts.ts'
import { BY_ITSELF } from './approvals.ts'
import type { JournalCall } from './journal.ts'
import type { Run } from './run.ts'

type Thread = Parts<'runs' | 'log' | 'journal' | 'approvals' | 'alarm' | 'atomically', 'now'>

/** What the calls of a run are waited for, as its readers hear of it. */
export interface Waiting {
  readonly reason: 'approval'
  readonly tool_use_ids: readonly string[]
  readonly until: string
}

/** Null: nobody is asked anything. */
export function waitingFor(
  { approvals }: Parts<'approvals'>,
  runId: string,
): { readonly told: Waiting; readonly at: number } | null {
  const pending = approvals.pending(runId)
  if (pending.length === 0) return null
  const at = Math.min(...pending.map(({ expiresAt }) => expiresAt))
  const ids = pending.map(({ toolUseId }) => toolUseId)
  return { told: { reason: 'approval', tool_use_ids: ids, until: rfc3339(at) }, at }
}

/** In one block with an answer: the run may go on, also after a crash. False: it does not wait. */
export function mayGoOn(
  { runs, alarm, out }: Pick<Thread, 'runs' | 'alarm' | 'out'>,
  runId: string,
): boolean {
  if (runs.get(runId)?.status !== 'waiting') return false
  const now = out.now()
  runs.postpone(runId, now)
  void alarm.by(now + REPORT_RETRY_MS)
  return true
}

/**
 * The run does nothing more until somebody answers. A call that waits without a request, should that ever be, is asked
 * for again instead.
 */
export function suspend(thread: Thread, run: Run, calls: readonly JournalCall[]): void {
  thread.atomically(() => {
    const found = waitingFor(thread, run.id)
    if (!found) {
      for (const call of calls) if (call.state === 'waiting') thread.journal.callOff(call)
      return
    }
    thread.runs.wait(run.id, thread.out.now(), found.at)
    thread.log.append(run.id, { type: 'run.waiting', ...found.told })
    // Nobody is promised a number meanwhile.
    thread.log.release()
  })
}

/** What drives it is the caller's to start. False: it did not wait. */
export function goOn(
  { runs, log, alarm, out }: Omit<Thread, 'journal' | 'approvals'>,
  runId: string,
): boolean {
  if (runs.get(runId)?.status !== 'waiting') return false
  const now = out.now()
  runs.goOn(runId, now)
  log.append(runId, { type: 'run.resumed' })
  // The one that is set may be days ahead.
  void alarm.by(now + WATCHDOG_MS)
  return true
}

/** Requests whose time is up are refusals; then the run may go on. */
export function expire(thread: Thread, runId: string): void {
  const { approvals, journal, log, out } = thread
  thread.atomically(() => {
    const now = out.now()
    for (const asked of approvals.pending(runId)) {
      if (asked.expiresAt > now) continue
      const decision = 'expired'
      approvals.decide(asked.id, { ...BY_ITSELF, decision, decidedAt: now })
      journal.callOff(asked)
      log.append(runId, {
        type: 'approval.decided',
        tool_use_id: asked.toolUseId,
        decision,
        by: BY_ITSELF.decidedBy,
      })
    }
  })
}
