// Requests room in the workspace for a thread that is created without an accepted run.

import { redact } from '../../lib/redact.ts'
import { ok, type Result } from '../../lib/result.ts'
import { within } from '../../lib/within.ts'
import { SLOT_WAIT_MS } from './limits.ts'
import type { ThreadPorts } from '../parts.ts'

/** Never throws. Failure `storage_full`. As with run slots, a workspace that is away or slow delays nothing. */
export async function threadRoom(
  out: Pick<ThreadPorts, 'workspace'>,
  workspace: string,
  threadId: string,
  key: string,
): Promise<Result<null>> {
  try {
    const answer = await within(SLOT_WAIT_MS, out.workspace(workspace).admitThread(threadId, key))
    if (answer) return answer
    console.warn(JSON.stringify({ at: 'thread.room', error: `no answer within ${SLOT_WAIT_MS} ms` }))
  } catch (error) {
    console.warn(JSON.stringify({ at: 'thread.room', error: redact(String(error)) }))
  }
  return ok(null)
}
