// Creates a thread for files before its first message. It has no prefix yet, is not listed, and is deleted if
// no message arrives.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { EMPTY_THREAD_RETENTION_MS } from '../../limits/files.ts'
import { mayUse } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { admitThread } from './admit-thread.ts'
import { threadWithoutPrefix } from './new-thread.ts'

/**
 * Idempotent for its creator. The thread is on disk when this returns. Fails with `name_taken` if the ID
 * belongs to somebody else, or with `storage_full`.
 */
export async function createEmpty(
  holder: ThreadHolder,
  caller: Caller,
  threadId: string,
): Promise<Result<{ readonly thread_id: string }>> {
  if (!holder.thread) {
    const admitted = await admitThread(holder.ports, caller.workspace, threadId, caller.keyId)
    if (!admitted.ok) return admitted
  }
  const existing = holder.thread
  if (existing ? existing.closing || !mayUse(caller, existing.row.data) : holder.hasDeletedRows)
    return fail('name_taken', 'A thread with this ID already exists or is being deleted. Choose another ID.')
  if (!existing) {
    const options = { threadId, metadata: {}, model: null, allowSkills: null, tools: null }
    const { log, alarm, ports } = holder.create(threadWithoutPrefix(holder.ports, caller, options))
    void alarm.setNoLaterThan(ports.now() + EMPTY_THREAD_RETENTION_MS)
    await log.sync()
  }
  return ok({ thread_id: threadId })
}
