// The end of a run: exactly one terminal event, a legal transcript, and nothing left running.

import type { StopReason } from '../../agent/events.ts'
import { textOf } from '../../agent/message.ts'
import { resultsFor, UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import { titleOf } from '../../agent/title.ts'
import { redact } from '../../lib/redact.ts'
import { cutText } from '../../lib/text.ts'
import { SHORT_DETAIL_CHARS, WATCHDOG_MS } from '../../limits.ts'
import { atomically } from '../atomically.ts'
import type { Core } from '../core.ts'
import { keepSaid } from './keep-said.ts'
import { problemOf, terminalBody } from '../report/receipt.ts'
import type { Run } from '../rows/run.ts'

const NOT_RUN: Readonly<Partial<Record<StopReason, string>>> = {
  cancelled: 'Not run: the run was cancelled.',
  interrupted: 'Not run: the run was interrupted by a newer message.',
  truncated: 'Not run: the message that asked for it was cut off, so its input may be incomplete.',
  budget: "Not run: the run's budget is used up.",
  step_limit: 'Not run: the run reached its step limit.',
}

/** Calls that have no result get one that says why, so that the next request to the model is legal. */
function answerOpenCalls(core: Core, runId: string, stop: StopReason): void {
  const last = core.transcript.last(runId)
  if (last?.role !== 'assistant') return
  const known = core.journal
    .calls(runId, last)
    .filter((call) => call.state === 'finished' || (call.state === 'started' && call.effect !== 'read'))
    .map((call) =>
      call.state === 'finished'
        ? { toolUseId: call.toolUseId, content: call.content, isError: call.isError }
        : { toolUseId: call.toolUseId, content: UNKNOWN_OUTCOME, isError: true },
    )
  const results = resultsFor(last.content, known, NOT_RUN[stop] ?? 'Not run: the run ended before it.')
  if (results.length === 0) return
  core.transcript.append({
    id: core.out.newId('msg'),
    runId,
    role: 'user',
    content: results,
    at: core.out.now(),
  })
}

/** What was said stays, what was asked for is answered. A run that is over ends all the same should that fail. */
function leaveLegal(core: Core, run: Run, stop: StopReason): void {
  try {
    atomically(core, () => {
      keepSaid(core, run)
      answerOpenCalls(core, run.id, stop)
    })
  } catch (error) {
    warn(run.id, error)
  }
}

function warn(runId: string, error: unknown): void {
  console.error(JSON.stringify({ at: 'thread.finish', run_id: runId, error: redact(String(error)) }))
}

/**
 * Ends a run in one synchronous block: its end and its terminal event are there together or not at all. Where the whole
 * event cannot be written a short one says the same. False: it had ended before, and nothing was written. Throws when
 * not even that can be written: then the run goes on as it was. The caller syncs, which shows the terminal event.
 */
export function finish(
  core: Core,
  runId: string,
  status: 'completed' | 'failed' | 'cancelled',
  stop: StopReason,
  detail: string | null,
): boolean {
  const before = core.runs.get(runId)
  if (!before || before.endedAt !== null) return false
  const why = redact(detail ?? 'No more is known.')
  const ending = { run: before, status, stop, why, at: core.out.now() }
  try {
    end(core, ending, false)
  } catch (error) {
    warn(runId, error)
    end(core, { ...ending, why: cutText(why, SHORT_DETAIL_CHARS) }, true)
  }
  // What is left to do (the next run in line, telling the workspace) is done at once; the alarm is its safety net.
  void core.alarm.by(ending.at + WATCHDOG_MS)
  return true
}

interface Ending {
  readonly run: Run
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly stop: StopReason
  readonly why: string
  readonly at: number
}

/** `short`: of what may be long, or may not be readable, nothing goes into the event. */
function end(core: Core, { run: before, status, stop, why, at }: Ending, short: boolean): void {
  const { id } = before
  const { saying } = core
  try {
    atomically(core, () => {
      leaveLegal(core, before, stop)
      core.runs.chargeReserved(id)
      core.runs.end(id, status, stop, status === 'failed' ? problemOf(stop, why, before.requestId) : null, at)
      if (core.row.data.title === '') {
        const title = titleOf(textOf({ role: 'user', content: before.ask.message }))
        core.row.title(title, false)
        core.log.append(id, { type: 'thread.titled', title })
      }
      const run = core.runs.get(id)
      const last = run && terminalBody(core, run, short)
      if (last) core.runs.told(id, core.log.append(id, last))
      if (core.runs.running() === null && core.runs.queued() === 0) core.log.release()
      core.row.touch(at)
    })
  } catch (error) {
    core.saying = saying
    throw error
  }
}
