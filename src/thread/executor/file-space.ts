// Space for a thread's files: granted by the workspace before any bytes are written, stored in the thread's
// row, and released when files are deleted. Requests are sent one at a time, so that both sides agree on the
// amount.

import type { StorageUsage } from '../../files/objects.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { logText } from '../../lib/redact.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { REPORT_RETRY_PAUSE_MS } from '../../limits/runs.ts'
import { FILE_SPACE_AHEAD_MAX_BYTES, FILE_SPACE_AHEAD_MIN_BYTES, FILE_SPACE_TIMEOUT_MS } from './limits.ts'
import type { ThreadPorts, Parts } from '../parts.ts'
import { grantedSpace, storeGrantedSpace, nextSpaceRequest } from '../rows/file-space.ts'
import type { ThreadData } from '../rows/thread-row.ts'

/** The owner of the files: a thread, or a fork that is being created. */
export interface SpaceOwner {
  readonly ctx: Pick<DurableObjectState, 'storage' | 'waitUntil'>
  readonly data: Pick<ThreadData, 'id' | 'workspace' | 'madeBy' | 'createdAt'>
  readonly ports: Pick<ThreadPorts, 'workspace'>
  readonly used: () => StorageUsage
}

type Thread = Parts<'ctx' | 'row' | 'files', 'workspace'>

/** The request in progress of each object, by its DurableObjectState. */
const requestsInProgress = new WeakMap<object, Promise<unknown>>()

export function spaceOwner({ ctx, row, files, ports }: Thread): SpaceOwner {
  return { ctx, data: row.data, ports, used: () => files.usage() }
}

/**
 * Reserves space for more bytes: `kept` in files, and `stored` in the store during the write. Sends no
 * request if enough space was granted before. The caller must then write without another wait. `withExtra`
 * also requests space for the next write if available, which then needs no request. Fails with `storage_full`, or
 * with `overloaded` if the workspace does not respond. Never rejects.
 */
export async function reserveSpace(
  owner: SpaceOwner,
  kept: number,
  stored: number,
  withExtra = false,
): Promise<Result<null>> {
  const neededSpace = (): StorageUsage => {
    const used = owner.used()
    return { kept: used.kept + kept, stored: used.stored + stored }
  }
  try {
    while (!covers(owner, neededSpace())) {
      const earlierRequest = requestsInProgress.get(owner.ctx)
      const answer = earlierRequest
        ? null
        : await sendAsInProgress(owner, () => requestSpace(owner, neededSpace(), withExtra))
      if (answer && !answer.ok) return answer
      await earlierRequest
    }
    return ok(null)
  } catch (error) {
    // The thread was deleted meanwhile.
    return workspaceUnavailable(error)
  }
}

/** Releases space that is no longer used. Never rejects: if it fails, the next request releases the space. */
async function releaseUnusedSpace(owner: SpaceOwner): Promise<void> {
  try {
    while (requestsInProgress.has(owner.ctx)) await requestsInProgress.get(owner.ctx)
    const granted = grantedSpace(owner.ctx.storage.sql)
    const used = owner.used()
    if (used.kept >= granted.kept && used.stored >= granted.stored) return
    // The amounts are capped at what was granted, because the workspace could refuse a larger request.
    const kept = Math.min(granted.kept, used.kept)
    const stored = Math.min(granted.stored, used.stored)
    // The row is updated first: a caller that needs space meanwhile waits for this request and then sends its
    // own.
    storeGrantedSpace(owner.ctx.storage.sql, { kept, stored })
    await sendAsInProgress(owner, () => setGrantedSpace(owner, { kept, stored }))
  } catch (error) {
    workspaceUnavailable(error)
  }
}

/** Releases unused space in the background, for a thread that has fewer files now. */
export function releaseSpaceInBackground(thread: Thread): void {
  thread.ctx.waitUntil(releaseUnusedSpace(spaceOwner(thread)))
}

/**
 * Releases the space of a thread that was never created. Returns false if the workspace did not confirm.
 * Never rejects.
 */
export async function releaseAllSpace(owner: SpaceOwner): Promise<boolean> {
  while (requestsInProgress.has(owner.ctx)) await requestsInProgress.get(owner.ctx)
  if (grantedSpace(owner.ctx.storage.sql).change === 0) return true
  return (await sendAsInProgress(owner, () => setGrantedSpace(owner, { kept: 0, stored: 0 }))).ok
}

function covers({ ctx }: SpaceOwner, { kept, stored }: StorageUsage): boolean {
  const granted = grantedSpace(ctx.storage.sql)
  return kept <= granted.kept && stored <= granted.stored
}

async function sendAsInProgress<T>({ ctx }: SpaceOwner, send: () => Promise<T>): Promise<T> {
  const answer = send()
  const ended = answer.finally(() => requestsInProgress.delete(ctx))
  requestsInProgress.set(ctx, ended)
  return ended
}

async function requestSpace(
  owner: SpaceOwner,
  needed: StorageUsage,
  withExtra: boolean,
): Promise<Result<null>> {
  if (withExtra) {
    const extraBytes = Math.min(
      FILE_SPACE_AHEAD_MAX_BYTES,
      Math.max(FILE_SPACE_AHEAD_MIN_BYTES, Math.floor(needed.kept / 8)),
    )
    const answer = await setGrantedSpace(owner, {
      kept: needed.kept + extraBytes,
      stored: needed.stored + extraBytes,
    })
    if (answer.ok || answer.error.code !== 'storage_full') return answer
  }
  return setGrantedSpace(owner, needed)
}

/** Sets the granted space to `space`. Never rejects. */
async function setGrantedSpace({ ctx, data, ports }: SpaceOwner, space: StorageUsage): Promise<Result<null>> {
  const { id, workspace, madeBy, createdAt } = data
  const { sql } = ctx.storage
  const change = nextSpaceRequest(sql)
  try {
    const request = { thread: id, key: madeBy, made_at: createdAt, change, ...space }
    const answer = await withTimeout(FILE_SPACE_TIMEOUT_MS, ports.workspace(workspace).setFileSpace(request))
    if (answer?.ok) storeGrantedSpace(sql, space)
    if (answer) return answer
    return workspaceUnavailable(`no response within ${FILE_SPACE_TIMEOUT_MS} ms`)
  } catch (error) {
    return workspaceUnavailable(error)
  }
}

function workspaceUnavailable(error: unknown): Result<null> {
  console.warn(JSON.stringify({ at: 'thread.file_space', error: logText(error) }))
  return fail('overloaded', 'The workspace did not confirm that there is space for the files. Try again.', {
    retryAfterS: REPORT_RETRY_PAUSE_MS / 1000,
  })
}
