// The queue for copies of large files, shared by all forks in an isolate. API keys are served in turn, and so
// are the forks of each key.

import { WeightedSemaphore, pollEvery } from '../../lib/weighted-semaphore.ts'
import type { Requester } from '../../lib/semaphore-slot.ts'
import { systemClock } from '../../lib/clock.ts'
import { SEMAPHORE_POLL_INTERVAL_MS } from '../../limits/runs.ts'
import { FORK_COPY_WEIGHT_MIN_BYTES, FORK_COPY_QUEUE } from './limits.ts'

/** Runs `copy` for an object of this size once the queue admits it. Rejects if `copy` does, or if the wait takes too long. */
export type CopyInTurn = (requester: Requester, bytes: number, copy: () => Promise<unknown>) => Promise<void>

export function createCopyQueue(): CopyInTurn {
  const queue = new WeightedSemaphore(FORK_COPY_QUEUE, systemClock, pollEvery(SEMAPHORE_POLL_INTERVAL_MS))
  return async (requester, bytes, copy) => {
    const result = await queue.run(requester, Math.max(bytes, FORK_COPY_WEIGHT_MIN_BYTES), copy)
    if (!result.ok) throw new Error(`The copy could not start within ${FORK_COPY_QUEUE.waitMaxMs} ms.`)
  }
}
