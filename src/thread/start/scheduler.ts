// Schedules a thread's runs: executes them, starts the next one in the queue, and resumes runs that nothing
// executes.

import { logText } from '../../lib/redact.ts'
import type { Failure } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { STEP_RETRIES_MAX, REPORT_RETRY_PAUSE_MS, WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import { STOP_TIMEOUT_MS } from './limits.ts'
import { pollServers } from '../executor/poll-servers.ts'
import { pendingWait } from '../waits/details.ts'
import { denyExpired } from '../waits/expire.ts'
import { mayResume, resumeRun } from '../waits/suspend.ts'
import { execute, type ExecuteCause } from '../executor/executor.ts'
import type { EndingThread } from '../executor/finish.ts'
import { storeFirstLease } from '../executor/lease.ts'
import { eventsDueAt, scheduleEventDeletion } from '../events/retention.ts'
import type { Parts, ThreadParts } from '../parts.ts'
import { sendReplies } from '../replies/send-replies.ts'
import { reportToWorkspace } from '../report/workspace-report.ts'
import { emptyUntil } from '../rows/empty-thread.ts'
import { firstOutgoing } from '../rows/outbox.ts'
import { hasOpenReplies } from '../rows/replies.ts'
import type { Run } from '../rows/run.ts'
import { beginRun } from './begin-run.ts'
import { endQueued } from './end-queued.ts'
import { announceRoom } from './room.ts'
import { reportRunning, releaseSlot, requestSlotOnce } from './run-slot.ts'
import { preparedFor, type Prepared } from './prepare.ts'
import type { Lease } from '../../workspace/cap-api.ts'

/**
 * Executes a run. When it ends, the next one in the queue begins and the workspace gets a report. `hasSlot`
 * is true if the run was just given its slot.
 */
export function executeRun(thread: ThreadParts, runId: string, cause: ExecuteCause, hasSlot = false): void {
  if (cause !== 'fresh' && !hasSlot) reportRunning(thread, runId)
  const done = execute(thread, runId, cause)
  if (thread.runs.get(runId)?.options.replies) thread.ctx.waitUntil(sendReplies(thread))
  thread.ctx.waitUntil(done.then(() => continueAfterRun(thread)))
}

/**
 * Resumes a run that nothing executes, because it waited for a person, another system or its alarm, or
 * because its executor died.
 */
async function resume(thread: ThreadParts, run: Run): Promise<void> {
  if (run.status === 'waiting') return endDueWaits(thread, run)
  executeRun(thread, run.id, run.resumeAt === null ? 'recover' : 'resume')
}

/** Ends the waits that are over, and asks the servers that are due. Resumes the run if a call can go on. */
async function endDueWaits(thread: ThreadParts, run: Run): Promise<void> {
  if (run.cancel === null) {
    denyExpired(thread, run.id)
    await pollServers(thread, run)
  }
  // The run may have ended or been resumed during that wait.
  const current = thread.runs.get(run.id)
  if (thread.closing || current?.status !== 'waiting') return
  if (mayResume(thread, current)) return resumeWhenSlotFree(thread, run.id)
  const wait = pendingWait(thread, run.id)
  if (wait) thread.runs.postpone(run.id, wait.dueAt)
}

/**
 * Resumes a run that has waited for a person or a server, as soon as its key has a free slot, so that runs approved
 * together do not all run at the same time. Until then, the run keeps waiting and its time limit is paused.
 * Never rejects.
 */
export async function resumeWhenSlotFree(thread: ThreadParts, runId: string): Promise<void> {
  try {
    const { retryMs } = await requestSlotOnce(thread, runId)
    // The run may have ended or been resumed during that wait.
    const run = thread.runs.get(runId)
    if (thread.closing || !run || run.endedAt !== null) return releaseSlot(thread, runId)
    if (run.status !== 'waiting') return
    if (retryMs === null) {
      if (thread.atomically(() => resumeRun(thread, runId))) executeRun(thread, runId, 'resume', true)
      return
    }
    thread.runs.postpone(runId, thread.ports.now() + retryMs)
    await reportAndSetAlarm(thread)
  } catch (error) {
    // Either the thread was deleted meanwhile, or the platform is failing and the alarm tries again.
    console.warn(JSON.stringify({ at: 'thread.resume', error: logText(error) }))
  }
}

async function continueAfterRun(thread: ThreadParts): Promise<void> {
  if (thread.closing) return
  try {
    const current = thread.runs.current()
    if (current === null) await startNext(thread)
    // A run that was resumed meanwhile keeps its slot.
    else if (current.status === 'waiting' && (isWaiting(thread, current) || !mayResume(thread, current)))
      releaseSlot(thread, current.id)
    announceRoom(thread)
    await reportAndSetAlarm(thread)
  } catch (error) {
    // Either the thread was deleted meanwhile, or the platform is failing and the alarm tries again.
    console.warn(JSON.stringify({ at: 'thread.after', error: logText(error) }))
  }
}

function isWaiting({ ports }: Parts<never, 'now'>, run: Run): boolean {
  return run.resumeAt !== null && run.resumeAt > ports.now() && run.cancel === null
}

/** Wakes a due run that nothing executes, in case its alarm was lost. Usually costs two small reads. */
export function wakeInBackground(thread: ThreadParts): void {
  if (thread.active || thread.closing) return
  const nextRun = thread.runs.current() ?? thread.runs.nextQueued()
  if (!nextRun) return scheduleEventDeletion(thread)
  // The run's alarm may have been set before the clock was set back.
  if (isWaiting(thread, nextRun)) return void thread.alarm.setNoLaterThan(nextRun.resumeAt ?? 0)
  thread.ctx.waitUntil(
    resumeOrStart(thread).catch((error: unknown) => {
      console.warn(JSON.stringify({ at: 'thread.wake', error: logText(error) }))
    }),
  )
}

/** Called when the alarm fired: sets it again at once if work is left, in case that is interrupted. */
export async function renewAlarm({ ctx, alarm, runs, ports }: ThreadParts): Promise<void> {
  alarm.reset()
  const { sql } = ctx.storage
  if (runs.isBusy || firstOutgoing(sql) || hasOpenReplies(sql))
    await alarm.setNoLaterThan(ports.now() + WATCHDOG_INTERVAL_MS)
}

/** Sends the outstanding reports, then sets the alarm to the earliest due time. */
export async function reportAndSetAlarm(thread: ThreadParts): Promise<void> {
  if (hasOpenReplies(thread.ctx.storage.sql)) thread.ctx.waitUntil(sendReplies(thread))
  const reported = await reportToWorkspace(thread)
  if (thread.closing) return
  const running = thread.runs.current()
  const next = thread.runs.nextQueued()
  const now = thread.ports.now()
  const otherDueTimes = [eventsDueAt(thread), thread.files.sweepDue(), emptyUntil(thread)]
  if (running?.status === 'waiting' && !thread.active) {
    // There is nothing to do during the wait, so the watchdog alarm is postponed.
    const retryAt = now + REPORT_RETRY_PAUSE_MS
    // Overdue work belongs to the alarm, which this call may postpone, so it is retried soon.
    const futureDueTimes = otherDueTimes.map((due) => (due === null || due > now ? due : retryAt))
    const dueTimes = [running.resumeAt, reported ? null : retryAt, ...futureDueTimes]
    return thread.alarm.setExactly(Math.min(...dueTimes.filter((due) => due !== null)))
  }
  if (running)
    await thread.alarm.setNoLaterThan(
      thread.active ? now + WATCHDOG_INTERVAL_MS : (running.resumeAt ?? now + WATCHDOG_INTERVAL_MS),
    )
  else if (next) await thread.alarm.setNoLaterThan(next.resumeAt ?? now + REPORT_RETRY_PAUSE_MS)
  if (!running && !reported) await thread.alarm.setNoLaterThan(now + REPORT_RETRY_PAUSE_MS)
  for (const due of otherDueTimes) if (due !== null && due > now) await thread.alarm.setNoLaterThan(due)
}

/** Begins the oldest queued run with the catalog that is live now. Runs that cannot begin are ended. */
async function startNext(thread: ThreadParts): Promise<void> {
  for (;;) {
    const next = thread.runs.nextQueued()
    if (!next || thread.closing || thread.runs.current() !== null || isWaiting(thread, next)) return
    // An interrupted run begins and ends at once, so that its message is in the thread.
    const isCancelled = next.cancel === 'cancelled'
    const [prepared, slot] = isCancelled
      ? [null, null]
      : await Promise.all([preparedFor(thread, next), requestSlotOnce(thread, next.id)])
    // During that wait the head of the queue may have changed, or its run may have been cancelled.
    const currentRun = thread.runs.get(next.id)
    if (thread.closing || thread.runs.current() !== null) return
    if (currentRun?.status !== 'queued') continue
    if (thread.runs.nextQueued()?.id !== currentRun.id) {
      releaseSlot(thread, currentRun.id)
      continue
    }
    if (currentRun.cancel === 'cancelled')
      await endQueued(thread, currentRun.id, 'cancelled', 'cancelled', null)
    else if (slot?.reached !== undefined)
      await endQueued(thread, currentRun.id, 'failed', 'quota_exceeded', slot.reached)
    else if (slot?.retryMs != null)
      return thread.runs.postpone(currentRun.id, thread.ports.now() + slot.retryMs)
    else if (prepared?.ok) {
      if (await startPrepared(thread, currentRun.id, prepared.value, slot?.lease)) return
    }
    // Any request may wake a queued run, so concurrent preparations of one run count as one attempt.
    else if (currentRun.attempts === next.attempts) {
      releaseSlot(thread, currentRun.id)
      await retryOrEnd(thread, currentRun, prepared?.error ?? null)
    }
  }
}

/** Returns false if the run could not begin; it has then ended with the reason. */
async function startPrepared(
  thread: ThreadParts,
  runId: string,
  prepared: Prepared,
  lease: Lease | null | undefined,
): Promise<boolean> {
  try {
    thread.atomically(() => {
      beginRun(thread, runId, prepared, null)
      storeFirstLease(thread, runId, lease)
    })
  } catch (error) {
    await endQueued(thread, runId, 'failed', 'internal', String(error))
    return false
  }
  void thread.alarm.setNoLaterThan(thread.ports.now() + WATCHDOG_INTERVAL_MS)
  executeRun(thread, runId, 'resume', true)
  return true
}

/**
 * Retries for a while, because an unavailable store usually recovers. After that the run ends, and the next
 * one in the queue follows.
 */
async function retryOrEnd(
  thread: EndingThread & Parts<'runEnds'>,
  run: Run,
  failure: Failure | null,
): Promise<void> {
  if (run.attempts < STEP_RETRIES_MAX) {
    thread.runs.countFailedAttempt(run.id, thread.ports.now() + REPORT_RETRY_PAUSE_MS * 2 ** run.attempts)
    return
  }
  const why = failure ? `${failure.code}: ${failure.detail}` : 'The reason is unknown.'
  const detail = `The queued run could not start. ${why} Its message is in the thread: ask for the answer.`
  await endQueued(thread, run.id, 'failed', 'internal', detail)
}

/**
 * Resumes or starts a run that nothing executes. Called by the alarm, and by any request that finds an
 * unfinished run.
 */
export async function resumeOrStart(thread: ThreadParts): Promise<void> {
  const running = thread.runs.current()
  if (running && !thread.active && !isWaiting(thread, running)) await resume(thread, running)
  if (!running) await startNext(thread)
  announceRoom(thread)
  await reportAndSetAlarm(thread)
}

/**
 * Stops a run. Resolves once it has stopped, or once it is certain that its executor will see the request.
 */
export async function cancelRun(
  thread: ThreadParts,
  runId: string,
  why: 'cancelled' | 'interrupted' = 'cancelled',
): Promise<void> {
  thread.runs.requestCancel(runId, why)
  const { status } = thread.runs.get(runId) ?? {}
  if (status === 'queued' || status === 'waiting') {
    // Servers are asked for the waiting run alone. Their answers must not be lost to the end of a queued one.
    if (status === 'waiting') thread.polling?.abort.abort()
    await endQueued(thread, runId, 'cancelled', why, null)
    thread.ctx.waitUntil(continueAfterRun(thread))
  } else await thread.log.sync()
  // The run is read after that wait, because it may have ended meanwhile.
  const run = thread.runs.get(runId)
  if (run?.status !== 'running') return
  if (thread.active?.runId === runId) thread.active.abort.abort()
  else await resume(thread, run)
  await thread.active?.done
}

/**
 * Stops the active run and waits briefly until its last call is recorded and charged. After that, nothing may
 * be written, because rows written after a deletion would outlive it.
 */
export async function stopActiveRun(thread: Parts<'active' | 'polling' | 'gone'>): Promise<void> {
  thread.polling?.abort.abort()
  if (thread.active) {
    thread.active.abort.abort()
    await withTimeout(STOP_TIMEOUT_MS, thread.active.done).catch(() => undefined)
  }
  thread.gone = true
}
