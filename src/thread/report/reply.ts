// The reply to a request without a stream: waits until a run ends or waits for a person or a server.

import { textOf } from '../../agent/message.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { ChatReply, WaitingReply } from '../api.ts'
import { pendingWait } from '../waits/details.ts'
import type { ThreadParts } from '../parts.ts'
import { receiptOf } from './receipt.ts'

/** Waits at most `waitMs`. Returns null if the run is still in progress. */
export async function replyOf(
  thread: ThreadParts,
  runId: string,
  waitMs: number,
): Promise<Result<ChatReply | WaitingReply | null>> {
  const isFinished = (): boolean => {
    const run = thread.runs.get(runId)
    return thread.closing || run?.endedAt !== null || run.status === 'waiting'
  }
  await thread.runEnds.wait(runId, isFinished, waitMs)
  if (thread.closing) return fail('not_found', 'There is no such thread.')
  const run = thread.runs.get(runId)
  const waiting = run?.status === 'waiting' ? pendingWait(thread, runId) : null
  if (waiting) return ok({ status: 'waiting', ...waiting.details })
  if (!run || run.stopReason === null || run.status === 'waiting') return ok(null)
  const message = thread.transcript.answer(runId)
  const question = run.awaitsInput ? thread.journal.question(runId) : null
  return ok({
    thread_id: thread.row.data.id,
    run_id: runId,
    status: run.status,
    stop_reason: run.stopReason,
    text: message ? textOf(message) : '',
    message,
    ...(question ? { question } : {}),
    receipt: receiptOf(thread, run),
  })
}
