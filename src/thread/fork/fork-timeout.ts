// Limits how long a fork waits for calls, so that a call that hangs does not block its object and repeated
// requests.

import { withTimeout } from '../../lib/with-timeout.ts'
import { FORK_CALL_MS } from './limits.ts'

/** Returns the result of `call`, which must not be null. Rejects if it does, or after FORK_CALL_MS. */
export async function withForkTimeout<T>(call: Promise<T>): Promise<T> {
  const answer = await withTimeout(FORK_CALL_MS, call)
  if (answer === null) throw new Error(`The call got no response within ${FORK_CALL_MS} ms.`)
  return answer
}
