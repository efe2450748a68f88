// Stores a promised run that can never start as a failed run with the reason. If its thread is missing, it is
// created without a prefix, which requires a catalog; the first message that starts a run adds the prefix.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import type { StartInput, StartFailureReason } from '../api.ts'
import { finish } from '../executor/finish.ts'
import type { ThreadParts } from '../parts.ts'
import { mayUse } from '../rows/thread-row.ts'
import type { ThreadHolder } from '../holder.ts'
import { enterRun } from './begin-run.ts'
import { threadWithoutPrefix } from './new-thread.ts'
import { reportAndSetAlarm } from './scheduler.ts'
import { admitThread } from './admit-thread.ts'

const NO_CATALOG = { version: 0, index: '' }

function threadOf(holder: ThreadHolder, caller: Caller, input: StartInput): ThreadParts | null {
  const { thread } = holder
  if (!thread)
    return holder.hasDeletedRows ? null : holder.create(threadWithoutPrefix(holder.ports, caller, input))
  return thread.closing || !mayUse(caller, thread.row.data) ? null : thread
}

/**
 * Idempotent: an existing run is not changed. The run is on disk when this returns. Fails with `not_found` or
 * `storage_full`.
 */
export async function startFailed(
  holder: ThreadHolder,
  caller: Caller,
  input: StartInput & { readonly runId: string },
  why: string,
  stop: StartFailureReason,
): Promise<Result<null>> {
  const { runId } = input
  if (!holder.thread) {
    const admitted = await admitThread(holder.ports, caller.workspace, input.threadId, caller.keyId)
    if (!admitted.ok) return admitted
  }
  const thread = threadOf(holder, caller, input)
  if (!thread) return fail('not_found', `There is no thread ${input.threadId}.`)
  if (thread.runs.get(runId)) return ok(null)
  // Both happen in one block, because the queued run could otherwise be started.
  thread.atomically(() => {
    enterRun(thread, caller, input, NO_CATALOG, runId, 'queued')
    finish(thread, runId, 'failed', stop, `The run could not be started. ${why}`)
  })
  await thread.log.sync()
  thread.ctx.waitUntil(reportAndSetAlarm(thread))
  return ok(null)
}
