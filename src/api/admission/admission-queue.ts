// The queue for requests that create a thread. Each creates a database, so only a few run at once.

import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Result } from '../../lib/result.ts'
import { ADMISSION_QUEUE } from './limits.ts'
import { RequestQueue } from './request-queue.ts'

const admissions = new RequestQueue(ADMISSION_QUEUE, systemClock)

/** Runs `make` in its turn. Fails as `make` or the queue does. */
export function inAdmissionQueue<T>(caller: Caller, make: () => Promise<Result<T>>): Promise<Result<T>> {
  return admissions.inTurn(`${caller.workspace}/${caller.keyId}`, make)
}
