// A person's yes may come days later, to an object that knows nothing any more and asks others first. One that is away for a
// moment must not cost the yes: it is asked again, for some seconds.

import type { Result } from '../../lib/result.ts'
import { APPROVED_TRIES, APPROVED_TRY_MS } from './limits.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import type { JournalCall } from '../rows/journal.ts'

/** Whether one of these calls is about to be made because a person said yes. */
export function yesWaits({ approvals }: Parts<'approvals'>, calls: readonly JournalCall[]): boolean {
  return !approvals.none && calls.some((call) => approvals.newest(call)?.decision === 'approve')
}

/** What `ask` answers; where it fails, or throws, what it answers a moment later. The last failure is the answer. */
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

/** Over at once when the run is stopped. */
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
