// The line in front of what makes a thread: each makes a database, a few at a time.

import type { Caller } from '../../lib/caller.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Result } from '../../lib/result.ts'
import { ADMISSION_QUEUE } from './limits.ts'
import { RequestQueue } from './request-queue.ts'

const admissions = new RequestQueue(ADMISSION_QUEUE, systemClock)

/** Runs `make` when its turn comes. Failures: its own, and those of the line. */
export function inAdmissionQueue<T>(caller: Caller, make: () => Promise<Result<T>>): Promise<Result<T>> {
  return admissions.inTurn(`${caller.workspace}/${caller.keyId}`, make)
}
