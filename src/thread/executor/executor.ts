// Executes a run: repeatedly asks the loop for the next action and performs it, until the run ends, or waits
// for a person, a server or its alarm. All state is in rows, so that another executor can continue after a crash.

import { decide, type RunEnd } from '../../agent/loop.ts'
import { logText } from '../../lib/redact.ts'
import { WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import { currentCalls } from '../rows/current-calls.ts'
import type { ThreadParts } from '../parts.ts'
import { appendResults } from './append-results.ts'
import { chargeLost } from './charge.ts'
import { compactStep } from './compact-step.ts'
import { Execution } from './execution.ts'
import { finish } from './finish.ts'
import { askAgain } from './ask-again.ts'
import { estimateInputTokens } from '../windows/input-tokens.ts'
import { mayCallAgain } from './plan-call.ts'
import { modelStep } from './model-step.ts'
import { joinSteered } from './steer.ts'
import { toolStep } from './tool-step.ts'
import { suspend } from '../waits/suspend.ts'
import { wallDeadline, type Run } from '../rows/run.ts'
import { runView } from './run-view.ts'
import { isTooFull } from '../windows/fullness.ts'

/**
 * `fresh`: the run was accepted in this block. `resume`: it waited in the queue, for a person or for its
 * alarm. `recover`: an earlier execution of it died.
 */
export type ExecuteCause = 'fresh' | 'resume' | 'recover'

/**
 * Starts the execution. Everything before its first wait happens before this returns, in the caller's block.
 * Resolves once nothing executes the run; never rejects.
 */
export function execute(thread: ThreadParts, runId: string, cause: ExecuteCause): Promise<void> {
  const abort = new AbortController()
  const epoch = thread.runs.takeOver(runId)
  if (cause === 'recover') {
    thread.runs.countRecovery(runId)
    chargeLost(thread, runId)
  }
  const execution = new Execution(thread, runId, epoch, abort.signal)
  const run = thread.runs.get(runId)
  const wallLeftMs = (run ? wallDeadline(run) : 0) - thread.ports.now()
  const wallTimer = setTimeout(() => abort.abort(), Math.max(1, wallLeftMs))
  const done = (async () => {
    try {
      await executeActions(thread, execution, runId, cause)
    } catch (error) {
      endAfterError(thread, execution, runId, error)
    } finally {
      clearTimeout(wallTimer)
      execution.end()
      if (thread.active?.abort === abort) thread.active = null
      thread.runEnds.notify(runId)
    }
  })()
  thread.active = { runId, abort, done }
  return done
}

async function executeActions(
  thread: ThreadParts,
  execution: Execution,
  runId: string,
  cause: ExecuteCause,
): Promise<void> {
  // The new epoch and recovery count are on disk before any state is loaded, so that a run that crashes its object
  // on each attempt ends at its limit.
  if (cause !== 'fresh') await thread.log.sync()
  for (let round = 0; execution.holdsRun() && !execution.isSuspended; round++) {
    const run = thread.runs.get(runId)
    if (!run) return
    // This writes only if the alarm is not set, for example because the clock was set back.
    void thread.alarm.setNoLaterThan(thread.ports.now() + WATCHDOG_INTERVAL_MS)
    const last = thread.transcript.last(runId)
    const full = last?.role === 'user' && isTooFull(thread, run.model, estimateInputTokens(thread))
    const isFull = typeof full === 'boolean' ? full : await full
    // State may have changed during that wait.
    if (full instanceof Promise && !execution.holdsRun()) break
    const view = runView(thread, thread.runs.get(runId) ?? run, isFull)
    if (round === 0 && cause === 'recover')
      execution.reportStepStart(Math.max(1, view.last === 'user' ? run.steps + 1 : run.steps), 'crash')
    const unreadableId = thread.transcript.unreadableId()
    if (unreadableId !== null && view.cancel === null) {
      const detail = `Message ${unreadableId} of this thread can no longer be read, so the model cannot be called. Start a new thread.`
      finish(thread, runId, 'failed', 'internal', detail)
      break
    }
    const action = decide(view)
    if (action.do === 'end') {
      finish(thread, runId, action.status, action.stop, action.detail)
      break
    }
    if (execution.signal.aborted) {
      const detail = `The run exceeded its time limit of ${run.options.budget.wall_s} seconds.`
      finish(thread, runId, 'failed', 'budget', detail)
      break
    }
    switch (action.do) {
      case 'call_model':
        await modelStep(thread, execution, run, action.forbidTools)
        break
      case 'compact':
        await compactStep(thread, execution, run, action.forbidTools)
        break
      case 'run_tools':
        await toolStep(thread, execution, run)
        break
      case 'wait':
        suspend(thread, run, currentCalls(thread, runId))
        await thread.log.sync()
        await checkpoint('run.waiting', thread.ctx)
        break
      case 'join_steered':
        if (mayCallAgain(thread, run)) thread.atomically(() => joinSteered(thread, runId, 'steered'))
        else endWithoutCall(thread, run, action.otherwise)
        break
      case 'ask_again':
        askAgain(thread, run, action)
        break
      case 'append_results':
        // This is only reached if all calls got a result without being made; otherwise the last call appends
        // the results.
        appendResults(thread, runId)
        break
    }
  }
  await thread.log.sync()
  await checkpoint('run.ended', thread.ctx)
}

/** Ends a run whose budget covers no further call. Without an answer to keep, it fails. */
function endWithoutCall(thread: ThreadParts, run: Run, otherwise: RunEnd | null): void {
  const detail = 'The budget of the run does not cover another response. Raise budget.tokens or budget.usd.'
  const { status, stop } = otherwise ?? { status: 'failed', stop: 'budget' }
  finish(thread, run.id, status, stop, otherwise ? otherwise.detail : detail)
}

/** Called after a bug or a platform failure: ends the run, so that its reader receives the error. */
function endAfterError(thread: ThreadParts, execution: Execution, runId: string, error: unknown): void {
  const detail = error instanceof Error ? error.message : 'unknown error'
  if (!execution.holdsRun()) return
  const log = (message: string): void =>
    console.error(JSON.stringify({ at: 'thread.executor', run_id: runId, error: logText(message) }))
  log(detail)
  try {
    finish(thread, runId, 'failed', 'internal', detail)
  } catch (endError) {
    // The end of the run could not be written. The run is unchanged, and the alarm resumes it.
    log(String(endError))
  }
  thread.log.syncInBackground()
}
