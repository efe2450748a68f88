// Retries after an approval. It may arrive days after the request, when the object must read its state from
// others again; a short outage of one of them must not waste the approval.

import type { Result } from '../../lib/result.ts'
import { APPROVED_TRIES, APPROVED_TRY_MS } from './limits.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Whether one of these calls is about to be made with a person's approval. */
export function yesWaits({ approvals }: Parts<'approvals'>, calls: readonly JournalCall[]): boolean {
  return !approvals.none && calls.some((call) => approvals.newest(call)?.decision === 'approve')
}

/**
 * Calls `ask` until it succeeds, with growing pauses. After the last attempt, its failure is returned or
 * thrown.
 */
export async function askAgain<T>(execution: Execution, ask: () => Promise<Result<T>>): Promise<Result<T>> {
  for (let tries = 1; ; tries++) {
    const last = tries >= APPROVED_TRIES || !execution.goesOn()
    try {
      const answer = await ask()
      if (answer.ok || last) return answer
    } catch (error) {
      if (last) throw error
    }
    await pause(APPROVED_TRY_MS * 2 ** (tries - 1), execution.signal)
  }
}

/** Ends immediately when the run is stopped. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over, { once: true })
    if (signal.aborted) over()
  })
}
