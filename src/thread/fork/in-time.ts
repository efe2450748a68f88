// Limits the waits of a fork, so that a call that hangs does not block its object and later identical requests.

import { within } from '../../lib/within.ts'
import { FORK_CALL_MS } from './limits.ts'

/** The result of `call`, which is never null. Rejects as it does, and after FORK_CALL_MS. */
export async function inTime<T>(call: Promise<T>): Promise<T> {
  const answer = await within(FORK_CALL_MS, call)
  if (answer === null) throw new Error(`No answer within ${FORK_CALL_MS} ms.`)
  return answer
}
