// Bounds what a fork waits for, so that a call that hangs does not hold its object, and whoever asks for the same.

import { within } from '../../lib/within.ts'
import { FORK_CALL_MS } from './limits.ts'

/** What `call` comes to, which is never null. Rejects as it does, and after FORK_CALL_MS. */
export async function inTime<T>(call: Promise<T>): Promise<T> {
  const answer = await within(FORK_CALL_MS, call)
  if (answer === null) throw new Error(`There was no answer within ${FORK_CALL_MS} ms.`)
  return answer
}
