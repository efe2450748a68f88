// Ends a run: writes exactly one terminal event, and leaves a valid transcript and nothing running.

import type { RunStopReason } from '../../agent/events.ts'
import { resultsFor, UNKNOWN_OUTCOME } from '../../agent/repair.ts'
import { logText, redact } from '../../lib/redact.ts'
import { cutText } from '../../lib/text.ts'
import { WATCHDOG_INTERVAL_MS } from '../../limits/runs.ts'
import { SHORT_DETAIL_MAX_CHARS } from './limits.ts'
import type { Parts } from '../parts.ts'
import { chargeUnanswered } from './charge.ts'
import { appendPartialAnswer } from './keep-partial.ts'
import { recordKnownFiles } from './known-files.ts'
import { nextRunOf } from './steer.ts'
import { announceEnd } from '../report/announce.ts'
import { runProblem, terminalBody } from '../report/receipt.ts'
import type { JournalCall } from '../rows/journal.ts'
import type { Run } from '../rows/run.ts'

const WHY_NOT_RUN: Readonly<Partial<Record<RunStopReason, string>>> = {
  cancelled: 'Not run: the run was cancelled.',
  interrupted: 'Not run: the run was interrupted by a newer message.',
  truncated: 'Not run: the message that requested it was cut off, so its input may be incomplete.',
  budget: "Not run: the run's budget is used up.",
  quota_exceeded: 'Not run: a cap on spending is reached.',
  step_limit: 'Not run: the run reached its step limit.',
}

/** The result of a `read` call whose server still worked on it. */
const STARTED_READ =
  'This call was started, but the run ended before its server had a result. It only reads, so you may call it again.'

/** The parts of a thread that the end of a run changes. */
export type EndingThread = Parts<
  | 'ctx'
  | 'row'
  | 'runs'
  | 'log'
  | 'journal'
  | 'loads'
  | 'approvals'
  | 'waits'
  | 'sources'
  | 'steered'
  | 'transcript'
  | 'files'
  | 'alarm'
  | 'atomically'
  | 'partial',
  'now' | 'newId' | 'models'
>

/**
 * Gives each call that has no result an error result that says why it was not run. Without it, the next request to
 * the model would be invalid.
 */
function answerOpenCalls(thread: EndingThread, runId: string, stop: RunStopReason): void {
  const { journal, transcript, ports } = thread
  const last = transcript.last(runId)
  if (last?.role !== 'assistant') return
  const knownResults = journal.calls(runId, last).flatMap((call) => {
    if (call.state === 'finished') return [call]
    const content = textOfBegun(call)
    return content === null ? [] : [{ ...call, content, isError: true }]
  })
  const content = resultsFor(
    last.content,
    knownResults,
    WHY_NOT_RUN[stop] ?? 'Not run: the run ended before this call.',
  )
  if (content.length === 0) return
  transcript.append({ id: ports.newId('msg'), runId, role: 'user', content, at: ports.now() })
  recordKnownFiles(thread.files, knownResults)
}

/** The result of an unfinished call that may have reached its target; null if it has not, or if that does not matter. */
function textOfBegun({ state, tries, effect }: JournalCall): string | null {
  const hasServer = state === 'waiting' && tries > 0
  if (effect === 'read') return hasServer ? STARTED_READ : null
  return state === 'started' || hasServer ? UNKNOWN_OUTCOME : null
}

/** Keeps the partial response and gives open calls a result. If this fails, the run still ends. */
function completeTranscript(thread: EndingThread, run: Run, stop: RunStopReason): void {
  try {
    thread.atomically(() => {
      appendPartialAnswer(thread, run)
      answerOpenCalls(thread, run.id, stop)
    })
  } catch (error) {
    warn(run.id, error)
  }
}

function warn(runId: string, error: unknown): void {
  console.error(JSON.stringify({ at: 'thread.finish', run_id: runId, error: logText(error) }))
}

/**
 * Ends a run in one synchronous block: the run's end and its terminal event are written together or not at
 * all. If the full event cannot be written, a short one replaces it. Does nothing if the run has already
 * ended. Throws if nothing can be written; the run is then unchanged. The caller must sync, which sends the
 * terminal event to readers.
 */
export function finish(
  thread: EndingThread,
  runId: string,
  status: 'completed' | 'failed' | 'cancelled',
  stop: RunStopReason,
  detail: string | null,
): void {
  const before = thread.runs.get(runId)
  if (!before || before.endedAt !== null) return
  const why = redact(detail ?? 'No details are known.')
  const runEnd = { run: before, status, stop, why, at: thread.ports.now() }
  try {
    endRun(thread, runEnd, false)
  } catch (error) {
    warn(runId, error)
    endRun(thread, { ...runEnd, why: cutText(why, SHORT_DETAIL_MAX_CHARS) }, true)
  }
  // The next queued run and the report to the workspace follow immediately. After a crash, the alarm repeats them.
  void thread.alarm.setNoLaterThan(runEnd.at + WATCHDOG_INTERVAL_MS)
}

interface RunEnd {
  readonly run: Run
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly stop: RunStopReason
  readonly why: string
  readonly at: number
}

/** If `short` is true, leaves out of the terminal event everything that may be long or unreadable. */
function endRun(thread: EndingThread, { run: before, status, stop, why, at }: RunEnd, short: boolean): void {
  const { id } = before
  const { partial, row, runs, log, approvals, waits } = thread
  try {
    thread.atomically(() => {
      completeTranscript(thread, before, stop)
      approvals.cancelPending(id, at)
      waits.removeAll(id)
      const nextRunId = nextRunOf(thread, before)
      chargeUnanswered(thread, id)
      const problem = status === 'failed' ? runProblem(stop, why, before.requestId) : null
      runs.end(id, status, stop, problem, at, nextRunId)
      const run = runs.get(id)
      if (run) announceEnd(thread, run, short)
      const terminalEvent = run && terminalBody(thread, run, short)
      if (terminalEvent) runs.setTerminalEvent(id, log.append(id, terminalEvent))
      if (!runs.isBusy) log.release()
      row.touch(at)
    })
  } catch (error) {
    thread.partial = partial
    throw error
  }
}
