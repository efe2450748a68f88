// Room for the files of a thread: granted by the workspace before a byte is written, kept in the thread's row, and given back
// when files go. One request at a time, so that what is granted and what the workspace counts are the same.

import type { Used } from '../../files/objects.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { redact } from '../../lib/redact.ts'
import { within } from '../../lib/within.ts'
import { REPORT_RETRY_MS } from '../../limits/runs.ts'
import { FILE_ROOM_AHEAD_MAX_BYTES, FILE_ROOM_AHEAD_MIN_BYTES, FILE_ROOM_WAIT_MS } from './limits.ts'
import type { ThreadPorts, Parts } from '../parts.ts'
import { grantedRoom, keepRoom, nextRoomRequest } from '../rows/file-room.ts'
import type { ThreadData } from '../rows/thread-row.ts'

/** Whose files they are: a thread, or one that is being made. */
export interface RoomOwner {
  readonly ctx: Pick<DurableObjectState, 'storage' | 'waitUntil'>
  readonly data: Pick<ThreadData, 'id' | 'workspace' | 'madeBy' | 'createdAt'>
  readonly out: Pick<ThreadPorts, 'workspace'>
  readonly used: () => Used
}

type Thread = Parts<'ctx' | 'row' | 'files', 'workspace'>

/** The last request of each object. */
const asking = new WeakMap<object, Promise<unknown>>()

export function roomOwner({ ctx, row, files, out }: Thread): RoomOwner {
  return { ctx, data: row.data, out, used: () => files.used() }
}

/**
 * Room for so many bytes more, `kept` by files and `stored` meanwhile. Asks nobody where they were granted before. What is
 * written has to follow without a wait. `ahead`: takes some more, if there is, so that the next write need not ask. Failures
 * `storage_full`, `overloaded` where the workspace does not answer; never rejects.
 */
export async function takeRoom(
  owner: RoomOwner,
  kept: number,
  stored: number,
  ahead = false,
): Promise<Result<null>> {
  const wanted = (): Used => {
    const used = owner.used()
    return { kept: used.kept + kept, stored: used.stored + stored }
  }
  try {
    while (!covers(owner, wanted())) {
      const before = asking.get(owner.ctx)
      const asked = before ? null : await inTurn(owner, () => askFor(owner, wanted(), ahead))
      if (asked && !asked.ok) return asked
      await before
    }
    return ok(null)
  } catch (error) {
    // The thread was deleted meanwhile.
    return away(error)
  }
}

/** What is no longer needed is others' from now on. Never rejects: should it fail, the next request says the same. */
async function giveRoomBack(owner: RoomOwner): Promise<void> {
  try {
    while (asking.has(owner.ctx)) await asking.get(owner.ctx)
    const granted = grantedRoom(owner.ctx.storage.sql)
    const used = owner.used()
    if (used.kept >= granted.kept && used.stored >= granted.stored) return
    // Never more than was granted: that would be a request which may be refused.
    const kept = Math.min(granted.kept, used.kept)
    const stored = Math.min(granted.stored, used.stored)
    // Here first: whoever takes room meanwhile waits for this, and asks.
    keepRoom(owner.ctx.storage.sql, { kept, stored })
    await inTurn(owner, () => set(owner, { kept, stored }))
  } catch (error) {
    away(error)
  }
}

/** The same behind the answer, for a thread whose files became fewer. */
export function giveBackBehind(thread: Thread): void {
  thread.ctx.waitUntil(giveRoomBack(roomOwner(thread)))
}

/** A thread that never came to be has no files. False: the workspace did not hear it. Never rejects. */
export async function leaveRoom(owner: RoomOwner): Promise<boolean> {
  while (asking.has(owner.ctx)) await asking.get(owner.ctx)
  if (grantedRoom(owner.ctx.storage.sql).change === 0) return true
  return (await inTurn(owner, () => set(owner, { kept: 0, stored: 0 }))).ok
}

function covers({ ctx }: RoomOwner, { kept, stored }: Used): boolean {
  const granted = grantedRoom(ctx.storage.sql)
  return kept <= granted.kept && stored <= granted.stored
}

async function inTurn<T>({ ctx }: RoomOwner, ask: () => Promise<T>): Promise<T> {
  const asked = ask()
  const over = asked.finally(() => asking.delete(ctx))
  asking.set(ctx, over)
  return over
}

async function askFor(owner: RoomOwner, wanted: Used, ahead: boolean): Promise<Result<null>> {
  if (ahead) {
    const more = Math.min(
      FILE_ROOM_AHEAD_MAX_BYTES,
      Math.max(FILE_ROOM_AHEAD_MIN_BYTES, Math.floor(wanted.kept / 8)),
    )
    const asked = await set(owner, { kept: wanted.kept + more, stored: wanted.stored + more })
    if (asked.ok || asked.error.code !== 'storage_full') return asked
  }
  return set(owner, wanted)
}

/** Never rejects. */
async function set({ ctx, data, out }: RoomOwner, room: Used): Promise<Result<null>> {
  const { id, workspace, madeBy, createdAt } = data
  const { sql } = ctx.storage
  const change = nextRoomRequest(sql)
  try {
    const asked = { thread: id, key: madeBy, made_at: createdAt, change, ...room }
    const answer = await within(FILE_ROOM_WAIT_MS, out.workspace(workspace).setFileRoom(asked))
    if (answer?.ok) keepRoom(sql, room)
    if (answer) return answer
    return away(`no answer within ${FILE_ROOM_WAIT_MS} ms`)
  } catch (error) {
    return away(error)
  }
}

function away(error: unknown): Result<null> {
  console.warn(JSON.stringify({ at: 'thread.file_room', error: redact(String(error)) }))
  return fail('overloaded', 'The workspace could not say whether there is room for files. Try again.', {
    retryAfterS: REPORT_RETRY_MS / 1000,
  })
}
