// Hooks and schedules whose runs this thread refused because it was busy. They are notified once the thread has room, so that
// their waiting runs start at once. Kept in memory only: without the notice, they try again within seconds.

import type { Caller } from '../../lib/caller.ts'
import { logText } from '../../lib/redact.ts'
import type { StartInput } from '../api.ts'
import type { Parts } from '../parts.ts'
import { QUEUED_RUNS_ROOM } from './limits.ts'

type Thread = Parts<'ctx' | 'row' | 'runs', 'starter'>

/** What each refused caller waits for, by its ID: a thread that is idle, or one with room in its queue. */
const refused = new WeakMap<DurableObjectState, Map<string, StartInput['onBusy']>>()

/** Remembers a caller that was refused because the thread is busy, if it is a hook or schedule. */
export function rememberRefusal(
  { ctx, row, ports }: Thread,
  { keyId }: Caller,
  { onBusy }: StartInput,
): void {
  if (ports.starter(row.data.workspace, keyId) === null) return
  const known = refused.get(ctx) ?? new Map<string, StartInput['onBusy']>()
  refused.set(ctx, known.set(keyId, onBusy))
}

/** Notifies the refused callers whose runs the thread would accept now. */
export function announceRoom({ ctx, row, runs, ports }: Thread): void {
  const known = refused.get(ctx)
  if (!known?.size || runs.countQueued() > QUEUED_RUNS_ROOM) return
  const { id, workspace } = row.data
  for (const [keyId, onBusy] of known) {
    if (onBusy === 'reject' && runs.isBusy) continue
    known.delete(keyId)
    ctx.waitUntil(
      (async () => ports.starter(workspace, keyId)?.threadHasRoom(id))().catch((error: unknown) => {
        console.warn(JSON.stringify({ at: 'thread.room', error: logText(error) }))
      }),
    )
  }
}
