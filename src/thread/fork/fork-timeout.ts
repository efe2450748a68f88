// Limits how long a fork waits for each call, because a call that hangs would block the fork's object and all repeated
// requests.

import { withTimeout } from '../../lib/with-timeout.ts'
import { FORK_CALL_TIMEOUT_MS } from './limits.ts'

/** Returns the result of `call`, which must not be null. Rejects if `call` does, or after FORK_CALL_TIMEOUT_MS. */
export async function withForkTimeout<T>(call: Promise<T>): Promise<T> {
  const answer = await withTimeout(FORK_CALL_TIMEOUT_MS, call)
  if (answer === null) throw new Error(`The call got no response within ${FORK_CALL_TIMEOUT_MS} ms.`)
  return answer
}
