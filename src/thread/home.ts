// Looks after a thread's runs from start to end: drives them, starts the next in line, wakes what died.

import { redact } from '../lib/redact.ts'
import { TELL_RETRY_MS, WATCHDOG_MS } from '../limits.ts'
import { begin, prepare } from './begin.ts'
import type { Core } from './core.ts'
import { startDrive, type DriveCause } from './drive.ts'
import { finish } from './finish.ts'
import { holdPlace } from './place.ts'
import type { Run } from './run.ts'
import { tellWorkspace } from './tell.ts'

/** Drives a run; when it ends, the next in line begins and the workspace is told. */
export function driveRun(core: Core, runId: string, cause: DriveCause): void {
  if (cause !== 'fresh') holdPlace(core, runId)
  startDrive(core, runId, cause, () => core.ctx.waitUntil(afterRun(core)))
}

async function afterRun(core: Core): Promise<void> {
  if (core.gone) return
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
  if (core.drive || core.gone) return
  const running = core.runs.running()
  const idle = running ? waits(core, running) : core.runs.queued() === 0
  if (idle) return
  core.ctx.waitUntil(
    wake(core).catch((error: unknown) => {
      console.warn(JSON.stringify({ at: 'thread.kick', error: redact(String(error)) }))
    }),
  )
}

/** Tells what is left to tell, then sees to it that the alarm fires by the earliest need. */
export async function settle(core: Core): Promise<void> {
  const told = await tellWorkspace(core)
  if (core.gone) return
  const running = core.runs.running()
  const now = core.out.now()
  if (running) await core.alarm.by(core.drive ? now + WATCHDOG_MS : (running.resumeAt ?? now + WATCHDOG_MS))
  else if (core.runs.queued() > 0 || !told) await core.alarm.by(now + TELL_RETRY_MS)
}

/** Begins the oldest run that waits, with the catalog that is live now. */
async function startNext(core: Core): Promise<void> {
  const next = core.runs.nextQueued()
  if (!next) return
  if (next.cancel) {
    finish(core, next.id, 'cancelled', next.cancel, null)
    await core.log.sync()
    core.ends.tell(next.id)
    return startNext(core)
  }
  const { data } = core.row
  const prepared = await prepare(core.out, data.workspace, next.build, data, {
    allow: data.allow,
    calls: next.ask.calls,
  })
  const still = core.runs.get(next.id)
  if (!prepared.ok || still?.status !== 'queued' || core.runs.running() !== null) return
  if (still.cancel) return startNext(core)
  begin(core, next.id, prepared.value)
  void core.alarm.by(core.out.now() + WATCHDOG_MS)
  driveRun(core, next.id, 'next')
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
