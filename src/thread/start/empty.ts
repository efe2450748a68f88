// A thread that was made for files before its first message. It has no prefix yet, stands in no list, and goes when no
// message comes.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { EMPTY_THREAD_MS } from '../../limits/files.ts'
import { mayUse } from '../rows/thread-row.ts'
import type { ThreadSlot } from '../slot.ts'
import { threadRoom } from './thread-room.ts'
import { bare } from './newborn.ts'

/** Idempotent for its maker; on disk when it answers. Failures `name_taken`: another has that id; `storage_full`. */
export async function createEmpty(
  slot: ThreadSlot,
  caller: Caller,
  threadId: string,
): Promise<Result<{ readonly thread_id: string }>> {
  if (!slot.thread) {
    const room = await threadRoom(slot.out, caller.workspace, threadId, caller.keyId)
    if (!room.ok) return room
  }
  const there = slot.thread
  if (there ? there.closing || !mayUse(caller, there.row.data) : slot.going)
    return fail('name_taken', 'A thread of this id exists, or is being deleted.')
  if (!there) {
    const born = { threadId, metadata: {}, model: null, allowSkills: null, tools: null }
    const { log, alarm, out } = slot.create(bare(slot.out, caller, born))
    void alarm.by(out.now() + EMPTY_THREAD_MS)
    await log.sync()
  }
  return ok({ thread_id: threadId })
}
