// Retries after an approval. An approval may arrive days after the request, when the object must read its state from
// other objects again. A short outage of one of these must not waste the approval.

import { pause } from '../../lib/pause.ts'
import type { Result } from '../../lib/result.ts'
import { APPROVED_CALL_ATTEMPTS_MAX, APPROVED_CALL_RETRY_MS } from './limits.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Whether one of these calls is about to be made with a person's approval. */
export function hasApprovedCall({ approvals }: Parts<'approvals'>, calls: readonly JournalCall[]): boolean {
  return !approvals.isEmpty && calls.some((call) => approvals.newest(call)?.decision === 'approve')
}

/**
 * Sends `request` until it succeeds, with growing pauses. After the last attempt, returns or throws its failure.
 */
export async function retryAfterApproval<T>(
  execution: Execution,
  request: () => Promise<Result<T>>,
): Promise<Result<T>> {
  for (let attempt = 1; ; attempt++) {
    const isLastAttempt = attempt >= APPROVED_CALL_ATTEMPTS_MAX || !execution.mayContinue()
    try {
      const answer = await request()
      if (answer.ok || isLastAttempt) return answer
    } catch (error) {
      if (isLastAttempt) throw error
    }
    await pause(APPROVED_CALL_RETRY_MS * 2 ** (attempt - 1), execution.signal)
  }
}
