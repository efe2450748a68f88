// Looks after a thread's runs from start to end: drives them, starts the next in line, wakes what died.

import type { StopReason } from '../../agent/events.ts'
import { redact } from '../../lib/redact.ts'
import { fail, type Failure, type Result } from '../../lib/result.ts'
import { STEP_RETRIES, STOP_WAIT_MS, TELL_RETRY_MS, WATCHDOG_MS } from '../../limits.ts'
import { atomically } from '../atomically.ts'
import { begin, prepare, type Prepared } from '../start/begin.ts'
import type { Core } from '../core.ts'
import { startDrive, type DriveCause } from './drive.ts'
import { finish } from './finish.ts'
import { holdPlace } from '../start/place.ts'
import { eventsDue, tidySoon } from '../events/retention.ts'
import type { Run } from '../rows/run.ts'
import { tellWorkspace } from '../report/tell.ts'

/** Drives a run; when it ends, the next in line begins and the workspace is told. */
export function driveRun(core: Core, runId: string, cause: DriveCause): void {
  if (cause !== 'fresh') holdPlace(core, runId)
  startDrive(core, runId, cause, () => core.ctx.waitUntil(afterRun(core)))
}

async function afterRun(core: Core): Promise<void> {
  if (core.closing) return
  try {
    if (core.runs.running() === null) await startNext(core)
    await settle(core)
  } catch (error) {
    // The thread was deleted meanwhile, or the platform is failing: the alarm is the safety net.
    console.warn(JSON.stringify({ at: 'thread.after', error: redact(String(error)) }))
  }
}

function waits(core: Core, run: Run): boolean {
  return run.resumeAt !== null && run.resumeAt > core.out.now() && run.cancel === null
}

/** Wakes what nothing drives though it is time, should its alarm have been lost. Two small reads where all is well. */
export function kick(core: Core): void {
  if (core.drive || core.closing) return
  const first = core.runs.running() ?? core.runs.nextQueued()
  if (!first) return tidySoon(core)
  // Its alarm may have been set before the clock was put back.
  if (waits(core, first)) return void core.alarm.by(first.resumeAt ?? 0)
  core.ctx.waitUntil(
    wake(core).catch((error: unknown) => {
      console.warn(JSON.stringify({ at: 'thread.kick', error: redact(String(error)) }))
    }),
  )
}

/** Tells what is left to tell, then sees to it that the alarm fires by the earliest need. */
export async function settle(core: Core): Promise<void> {
  const told = await tellWorkspace(core)
  if (core.closing) return
  const running = core.runs.running()
  const next = core.runs.nextQueued()
  const now = core.out.now()
  if (running) await core.alarm.by(core.drive ? now + WATCHDOG_MS : (running.resumeAt ?? now + WATCHDOG_MS))
  else if (next) await core.alarm.by(next.resumeAt ?? now + TELL_RETRY_MS)
  if (!running && !told) await core.alarm.by(now + TELL_RETRY_MS)
  const due = eventsDue(core)
  if (due !== null && due > now) await core.alarm.by(due)
}

/** Begins the oldest run that waits, with the catalog that is live now; ends those that cannot begin. */
async function startNext(core: Core): Promise<void> {
  for (;;) {
    const next = core.runs.nextQueued()
    if (!next || core.closing || core.runs.running() !== null || waits(core, next)) return
    const prepared = next.cancel ? null : await preparedFor(core, next)
    // That was a wait: whoever is first in line now may be another, or be asked to stop.
    const still = core.runs.get(next.id)
    if (core.closing || core.runs.running() !== null) return
    if (still?.status !== 'queued') continue
    if (still.cancel) await endQueued(core, still.id, 'cancelled', still.cancel, null)
    else if (prepared?.ok) {
      if (await begun(core, still.id, prepared.value)) return
    }
    // Whoever asks wakes what waits: of those that were preparing it at the same time one counts.
    else if (still.attempts === next.attempts) await notPrepared(core, still, prepared?.error ?? null)
  }
}

/** False: it could not be begun, and has ended with the reason. */
async function begun(core: Core, runId: string, prepared: Prepared): Promise<boolean> {
  try {
    atomically(core, () => begin(core, runId, prepared))
  } catch (error) {
    await endQueued(core, runId, 'failed', 'internal', String(error))
    return false
  }
  void core.alarm.by(core.out.now() + WATCHDOG_MS)
  driveRun(core, runId, 'next')
  return true
}

/** Never rejects: an object that is away is one more failure to begin. */
async function preparedFor(core: Core, run: Run): Promise<Result<Prepared>> {
  const { data } = core.row
  const message = { allow: data.allow, calls: run.ask.calls }
  try {
    return await prepare(core.out, data.workspace, run.build, data, message)
  } catch (error) {
    return fail('overloaded', `The catalog could not be asked: ${redact(String(error))}`)
  }
}

/** A store that is away comes back: it is tried again for a while. Then the run ends, and those behind it go on. */
async function notPrepared(core: Core, run: Run, failure: Failure | null): Promise<void> {
  if (run.attempts < STEP_RETRIES) {
    core.runs.attemptFailed(run.id, core.out.now() + TELL_RETRY_MS * 2 ** run.attempts)
    return
  }
  const why = failure ? `${failure.code}: ${failure.detail}` : 'no more is known.'
  const detail = `The run waited in line and could not be begun. ${why} Send the message again.`
  await endQueued(core, run.id, 'failed', 'internal', detail)
}

async function endQueued(
  core: Core,
  runId: string,
  status: 'failed' | 'cancelled',
  stop: StopReason,
  detail: string | null,
): Promise<void> {
  finish(core, runId, status, stop, detail)
  await core.log.sync()
  core.ends.tell(runId)
}

/** Goes on with whatever nothing drives: called by the alarm, and by any request that meets an unfinished run. */
export async function wake(core: Core): Promise<void> {
  const running = core.runs.running()
  if (running && !core.drive) {
    if (!waits(core, running)) driveRun(core, running.id, running.resumeAt === null ? 'recover' : 'wake')
  }
  if (!running) await startNext(core)
  await settle(core)
}

/** Asks a run to stop; resolves once it has, or its drive will see the request. */
export async function cancelRun(core: Core, runId: string): Promise<void> {
  core.runs.askToCancel(runId, 'cancelled')
  const waited = core.runs.get(runId)?.status === 'queued'
  if (waited) finish(core, runId, 'cancelled', 'cancelled', null)
  await core.log.sync()
  if (waited) {
    core.ends.tell(runId)
    core.ctx.waitUntil(settle(core))
  }
  // Read after that wait: the run may have ended by itself.
  const run = core.runs.get(runId)
  if (run?.status !== 'running') return
  if (core.drive?.runId === runId) core.drive.abort.abort()
  else driveRun(core, runId, run.resumeAt === null ? 'recover' : 'wake')
  await core.drive?.done
}

/**
 * Stops what is being driven and waits until its last call is written down and paid for, for a moment at most. From then
 * on nothing is written any more: rows that came after those of a deleted thread went would outlive it.
 */
export async function silence(core: Core): Promise<void> {
  const { drive } = core
  if (drive) {
    drive.abort.abort()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_WAIT_MS)
    })
    await Promise.race([drive.done, late]).catch(() => undefined)
    clearTimeout(timer)
  }
  core.gone = true
}
