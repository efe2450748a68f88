// Drives a run: asks the loop what comes next, does it, until the run ends or waits for its alarm.
// Everything it knows is in rows, so that a drive that dies is gone on with by the next.

import { decide } from '../../agent/loop.ts'
import { resultsFor } from '../../agent/repair.ts'
import { redact } from '../../lib/redact.ts'
import { WATCHDOG_MS } from '../../limits.ts'
import { checkpoint } from '../checkpoint.ts'
import type { Core } from '../core.ts'
import { DriveRun } from './drive-run.ts'
import { finish } from './finish.ts'
import { modelStep } from './model-step.ts'
import type { Run } from '../rows/run.ts'
import { toolStep } from './tool-step.ts'
import { viewOf } from './view.ts'

/**
 * `fresh`: accepted in this block. `next`: begun after it waited in line. `wake`: its alarm says that its wait is over.
 * `recover`: an earlier drive died.
 */
export type DriveCause = 'fresh' | 'next' | 'wake' | 'recover'

/**
 * Starts driving; what it can do without waiting is done before this returns, in the caller's block.
 * `onEnd` is called once nothing drives the run any more.
 */
export function startDrive(core: Core, runId: string, cause: DriveCause, onEnd: () => void): void {
  const abort = new AbortController()
  const epoch = core.runs.takeOver(runId)
  if (cause === 'recover') core.runs.recovered(runId)
  const drive = new DriveRun(core, runId, epoch, abort.signal)
  const run = core.runs.get(runId)
  const wallLeftMs = (run?.startedAt ?? 0) + (run?.options.budget.wall_s ?? 0) * 1000 - core.out.now()
  const wall = setTimeout(() => abort.abort(), Math.max(1, wallLeftMs))
  const done = (async () => {
    try {
      await work(core, drive, runId, cause)
    } catch (error) {
      broke(core, drive, runId, error)
    } finally {
      clearTimeout(wall)
      if (core.drive?.epoch === epoch && core.drive.runId === runId) core.drive = null
      core.ends.tell(runId)
      onEnd()
    }
  })()
  core.drive = { runId, epoch, abort, done }
  core.ctx.waitUntil(done)
}

async function work(core: Core, drive: DriveRun, runId: string, cause: DriveCause): Promise<void> {
  // On disk before anything is hydrated: a run that kills its object each time it wakes ends by its lid.
  if (cause !== 'fresh') await core.log.sync()
  for (let round = 0; drive.holds() && !drive.asleep; round++) {
    const run = core.runs.get(runId)
    if (!run) return
    // No write where it stands already; it does not where the clock was put back.
    void core.alarm.by(core.out.now() + WATCHDOG_MS)
    const view = viewOf(core, run)
    if (round === 0 && cause === 'recover')
      drive.announce(Math.max(1, view.last === 'user' ? run.steps + 1 : run.steps), 'crash')
    const lost = core.transcript.unreadable()
    if (lost !== null && view.cancel === null) {
      const detail = `The message ${lost} of this thread cannot be read any more, so the model cannot be asked. Start a new thread.`
      finish(core, runId, 'failed', 'internal', detail)
      break
    }
    const action = decide(view)
    if (action.do === 'end') {
      finish(core, runId, action.status, action.stop, action.detail)
      break
    }
    if (drive.signal.aborted) {
      finish(
        core,
        runId,
        'failed',
        'budget',
        `The run took longer than its ${run.options.budget.wall_s} seconds.`,
      )
      break
    }
    switch (action.do) {
      case 'call_model':
        await modelStep(core, drive, run, action.forbidTools)
        break
      case 'run_tools':
        await runTools(core, drive, run)
        break
      case 'append_results':
        appendResults(core, runId)
        drive.answered()
        await checkpoint('results.appended', core.ctx)
        break
    }
  }
  await core.log.sync()
  await checkpoint('run.ended', core.ctx)
}

async function runTools(core: Core, drive: DriveRun, run: Run): Promise<void> {
  const last = core.transcript.last(run.id)
  if (last) await toolStep(core, drive, run, last)
}

/** All results of a step, in the order of its calls, as one user message. */
function appendResults(core: Core, runId: string): void {
  const last = core.transcript.last(runId)
  if (!last) return
  const known = core.journal
    .calls(runId, last)
    .map((call) => ({ toolUseId: call.toolUseId, content: call.content, isError: call.isError }))
  core.transcript.append({
    id: core.out.newId('msg'),
    runId,
    role: 'user',
    content: resultsFor(last.content, known, 'Not run.'),
    at: core.out.now(),
  })
}

/** A bug or a broken platform: the run still ends, and its reader is told. */
function broke(core: Core, drive: DriveRun, runId: string, error: unknown): void {
  const detail = error instanceof Error ? error.message : 'unknown error'
  if (!drive.holds()) return
  console.error(JSON.stringify({ at: 'thread.drive', run_id: runId, error: redact(detail) }))
  try {
    finish(core, runId, 'failed', 'internal', detail)
  } catch (again) {
    // Not even its end can be written: it is as it was, and the alarm goes on with it.
    console.error(JSON.stringify({ at: 'thread.drive', run_id: runId, error: redact(String(again)) }))
  }
  core.log.soon()
}
