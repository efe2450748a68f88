// Asks the workspace to admit a thread that is created without an accepted run.

import { logText } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { SLOT_TIMEOUT_MS } from './limits.ts'
import type { ThreadPorts } from '../parts.ts'

/**
 * Fails with `storage_full`; never throws. As with run slots, an unavailable or slow workspace does not stop
 * the caller.
 */
export async function admitThread(
  ports: Pick<ThreadPorts, 'workspace'>,
  workspace: string,
  threadId: string,
  key: string,
): Promise<Result<null>> {
  try {
    const answer = await withTimeout(SLOT_TIMEOUT_MS, ports.workspace(workspace).admitThread(threadId, key))
    if (answer) return answer
    console.warn(
      JSON.stringify({ at: 'thread.admission', error: `no response within ${SLOT_TIMEOUT_MS} ms` }),
    )
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.admission', error: logText(error) }))
  }
  return ok(null)
}
