// Drives a run: asks the loop what comes next, does it, until the run ends, or waits for others or its alarm.
// Everything it knows is in rows, so that one that dies is gone on with by the next.

import { decide } from '../../agent/loop.ts'
import { redact } from '../../lib/redact.ts'
import { WATCHDOG_MS } from '../../limits/runs.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { ThreadParts } from '../parts.ts'
import { appendResults } from './append-results.ts'
import { chargeLost } from './charge.ts'
import { Execution } from './execution.ts'
import { finish } from './finish.ts'
import { modelStep } from './model-step.ts'
import { toolStep } from './tool-step.ts'
import { suspend } from '../rows/waits.ts'
import { wallEnd } from '../rows/run.ts'
import { runView } from './view.ts'

/** `fresh`: accepted in this block. `resume`: it waited, in line, for others or for its alarm. `recover`: an earlier execution died. */
export type ExecuteCause = 'fresh' | 'resume' | 'recover'

/**
 * Starts driving; what it can do without waiting is done before this returns, in the caller's block. Resolves once nothing
 * drives the run any more; never rejects.
 */
export function execute(thread: ThreadParts, runId: string, cause: ExecuteCause): Promise<void> {
  const abort = new AbortController()
  const epoch = thread.runs.takeOver(runId)
  if (cause === 'recover') {
    thread.runs.recovered(runId)
    chargeLost(thread, runId)
  }
  const execution = new Execution(thread, runId, epoch, abort.signal)
  const run = thread.runs.get(runId)
  const wallLeftMs = (run ? wallEnd(run) : 0) - thread.out.now()
  const wall = setTimeout(() => abort.abort(), Math.max(1, wallLeftMs))
  const done = (async () => {
    try {
      await work(thread, execution, runId, cause)
    } catch (error) {
      broke(thread, execution, runId, error)
    } finally {
      clearTimeout(wall)
      if (thread.active?.abort === abort) thread.active = null
      thread.ends.notify(runId)
    }
  })()
  thread.active = { runId, abort, done }
  return done
}

async function work(
  thread: ThreadParts,
  execution: Execution,
  runId: string,
  cause: ExecuteCause,
): Promise<void> {
  // On disk before anything is hydrated: a run that kills its object each time it wakes ends by its limit.
  if (cause !== 'fresh') await thread.log.sync()
  for (let round = 0; execution.holds() && !execution.asleep; round++) {
    const run = thread.runs.get(runId)
    if (!run) return
    // No write where it stands already; it does not where the clock was put back.
    void thread.alarm.by(thread.out.now() + WATCHDOG_MS)
    const view = runView(thread, run)
    if (round === 0 && cause === 'recover')
      execution.beginStep(Math.max(1, view.last === 'user' ? run.steps + 1 : run.steps), 'crash')
    const lost = thread.transcript.unreadable()
    if (lost !== null && view.cancel === null) {
      const detail = `The message ${lost} of this thread cannot be read any more, so the model cannot be asked. Start a new thread.`
      finish(thread, runId, 'failed', 'internal', detail)
      break
    }
    const action = decide(view)
    if (action.do === 'end') {
      finish(thread, runId, action.status, action.stop, action.detail)
      break
    }
    if (execution.signal.aborted) {
      const detail = `The run took longer than its ${run.options.budget.wall_s} seconds.`
      finish(thread, runId, 'failed', 'budget', detail)
      break
    }
    switch (action.do) {
      case 'call_model':
        await modelStep(thread, execution, run, action.forbidTools)
        break
      case 'run_tools':
        await toolStep(thread, execution, run)
        break
      case 'wait': {
        const asking = thread.transcript.last(runId)
        suspend(thread, run, asking ? thread.journal.calls(runId, asking) : [])
        await thread.log.sync()
        await checkpoint('run.waiting', thread.ctx)
        break
      }
      case 'append_results':
        // Where the calls were answered without being made; else the last of them brought the results with it.
        appendResults(thread, runId)
        break
    }
  }
  await thread.log.sync()
  await checkpoint('run.ended', thread.ctx)
}

/** A bug or a broken platform: the run still ends, and its reader hears of it. */
function broke(thread: ThreadParts, execution: Execution, runId: string, error: unknown): void {
  const detail = error instanceof Error ? error.message : 'unknown error'
  if (!execution.holds()) return
  const log = (what: string): void =>
    console.error(JSON.stringify({ at: 'thread.drive', run_id: runId, error: redact(what) }))
  log(detail)
  try {
    finish(thread, runId, 'failed', 'internal', detail)
  } catch (again) {
    // Not even its end can be written: it is as it was, and the alarm goes on with it.
    log(String(again))
  }
  thread.log.soon()
}
