// The queue for requests that create threads. Each thread is a new database, so only a few are created at the same time.

import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Result } from '../../lib/result.ts'
import { ADMISSION_QUEUE } from './limits.ts'
import { RequestQueue } from './request-queue.ts'

const admissions = new RequestQueue(ADMISSION_QUEUE, systemClock)

/** Runs `make` in the queue. Fails as `make` does, or as the queue does. */
export function queueAdmission<T>(caller: Caller, make: () => Promise<Result<T>>): Promise<Result<T>> {
  return admissions.run(`${caller.workspace}/${caller.keyId}`, make)
}
