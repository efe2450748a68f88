// The end of a run: exactly one terminal event, a legal transcript, and nothing left running.

import type { StopReason } from '../../agent/events.ts'
import { resultsFor, UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import { redact } from '../../lib/redact.ts'
import { cutText } from '../../lib/text.ts'
import { WATCHDOG_MS } from '../../limits/runs.ts'
import { SHORT_DETAIL_CHARS } from './limits.ts'
import type { Parts } from '../parts.ts'
import { chargeUnanswered } from './charge.ts'
import { keepPartial } from './keep-partial.ts'
import { learned } from './learned.ts'
import { runProblem, terminalBody } from '../report/receipt.ts'
import type { Run } from '../rows/run.ts'

const NOT_RUN: Readonly<Partial<Record<StopReason, string>>> = {
  cancelled: 'Not run: the run was cancelled.',
  interrupted: 'Not run: the run was interrupted by a newer message.',
  truncated: 'Not run: the message that asked for it was cut off, so its input may be incomplete.',
  budget: "Not run: the run's budget is used up.",
  step_limit: 'Not run: the run reached its step limit.',
}

/** What the end of a run touches. */
export type EndingThread = Parts<
  | 'row'
  | 'runs'
  | 'log'
  | 'journal'
  | 'loads'
  | 'approvals'
  | 'sources'
  | 'transcript'
  | 'files'
  | 'alarm'
  | 'atomically'
  | 'partial',
  'now' | 'newId' | 'models'
>

/** Calls that have no result get one that says why, so that the next request to the model is legal. */
function answerOpenCalls(thread: EndingThread, runId: string, stop: StopReason): void {
  const { journal, transcript, out } = thread
  const last = transcript.last(runId)
  if (last?.role !== 'assistant') return
  const known = journal
    .calls(runId, last)
    .filter((call) => call.state === 'finished' || (call.state === 'started' && call.effect !== 'read'))
    .map((call) => (call.state === 'finished' ? call : { ...call, content: UNKNOWN_OUTCOME, isError: true }))
  const content = resultsFor(last.content, known, NOT_RUN[stop] ?? 'Not run: the run ended before it.')
  if (content.length === 0) return
  transcript.append({ id: out.newId('msg'), runId, role: 'user', content, at: out.now() })
  learned(thread.files, known)
}

/** What was answered stays, calls that are open get a result. A run that is over ends all the same should that fail. */
function leaveLegal(thread: EndingThread, run: Run, stop: StopReason): void {
  try {
    thread.atomically(() => {
      keepPartial(thread, run)
      answerOpenCalls(thread, run.id, stop)
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
 * event cannot be written a short one says the same. Nothing is written where it had ended before. Throws when not even
 * that can be written: then the run goes on as it was. The caller syncs, which shows the terminal event.
 */
export function finish(
  thread: EndingThread,
  runId: string,
  status: 'completed' | 'failed' | 'cancelled',
  stop: StopReason,
  detail: string | null,
): void {
  const before = thread.runs.get(runId)
  if (!before || before.endedAt !== null) return
  const why = redact(detail ?? 'No more is known.')
  const ending = { run: before, status, stop, why, at: thread.out.now() }
  try {
    end(thread, ending, false)
  } catch (error) {
    warn(runId, error)
    end(thread, { ...ending, why: cutText(why, SHORT_DETAIL_CHARS) }, true)
  }
  // What is left to do (the next run in line, reporting to the workspace) is done at once; the alarm is its safety net.
  void thread.alarm.by(ending.at + WATCHDOG_MS)
}

interface Ending {
  readonly run: Run
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly stop: StopReason
  readonly why: string
  readonly at: number
}

/** `short`: of what may be long, or may not be readable, nothing goes into the event. */
function end(thread: EndingThread, { run: before, status, stop, why, at }: Ending, short: boolean): void {
  const { id } = before
  const { partial, row, runs, log, approvals } = thread
  try {
    thread.atomically(() => {
      leaveLegal(thread, before, stop)
      approvals.close(id, at)
      chargeUnanswered(thread, id)
      runs.end(id, status, stop, status === 'failed' ? runProblem(stop, why, before.requestId) : null, at)
      const run = runs.get(id)
      const last = run && terminalBody(thread, run, short)
      if (last) runs.endEvent(id, log.append(id, last))
      if (!runs.busy) log.release()
      row.touch(at)
    })
  } catch (error) {
    thread.partial = partial
    throw error
  }
}
