// The queue for copies of large files, shared by all forks in an isolate. API keys are served in turn, and so
// are the forks of each key.

import { WeightedSemaphore, pollEvery, type Holder } from '../../lib/weighted-semaphore.ts'
import { systemClock } from '../../lib/clock.ts'
import { SEMAPHORE_LOOK_MS } from '../../limits/runs.ts'
import { FORK_COPY_LEAST_BYTES, FORK_COPY_QUEUE } from './limits.ts'

/**
 * Copies one object of this size when its turn comes. Rejects if `copy` does, or if the wait takes too long.
 */
export type CopyInTurn = (holder: Holder, bytes: number, copy: () => Promise<unknown>) => Promise<void>

export function copyQueue(): CopyInTurn {
  const queue = new WeightedSemaphore(FORK_COPY_QUEUE, systemClock, pollEvery(SEMAPHORE_LOOK_MS))
  return async (holder, bytes, copy) => {
    const done = await queue.holding(holder, Math.max(bytes, FORK_COPY_LEAST_BYTES), copy)
    if (!done.ok) throw new Error(`The copy did not get its turn within ${FORK_COPY_QUEUE.timeoutMs} ms.`)
  }
}
