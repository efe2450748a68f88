// Retries after an approval, which may come days later, to an object that must read its state from others again. A
// short outage of one of them must not waste the approval.

import type { Result } from '../../lib/result.ts'
import { APPROVED_TRIES, APPROVED_TRY_MS } from './limits.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Whether one of these calls is about to be made with a person's approval. */
export function yesWaits({ approvals }: Parts<'approvals'>, calls: readonly JournalCall[]): boolean {
  return !approvals.none && calls.some((call) => approvals.newest(call)?.decision === 'approve')
}

/** The answer of `ask`; after a failure or exception, it tries again a moment later. The last failure is returned. */
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

/** Ends at once when the run is stopped. */
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
