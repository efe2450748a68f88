// The beginning of a wait for a server that has accepted a call.

import type { PendingCall } from '../../agent/tool.ts'
import type { Execution } from '../executor/execution.ts'
import type { Parts } from '../parts.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { JournalCall } from '../rows/journal.ts'
import { SERVER_WAIT_MAX_MS } from './limits.ts'
import { nextPollAt } from './pause.ts'

/** The wait is on disk when this returns. From then on, the call ends only with a result, or as one of unknown outcome. */
export async function beginServerWait(
  {
    ctx,
    journal,
    waits,
    log,
    atomically,
    ports,
  }: Parts<'ctx' | 'journal' | 'waits' | 'log' | 'atomically', 'now'>,
  execution: Pick<Execution, 'holdsRun'>,
  call: JournalCall,
  { state, pollAfterMs }: PendingCall,
): Promise<void> {
  if (!execution.holdsRun()) return
  const since = ports.now()
  const until = since + SERVER_WAIT_MAX_MS
  const dueAt = nextPollAt({ since, until }, since, pollAfterMs)
  atomically(() => {
    journal.markWaiting(call)
    waits.add(call, { reason: 'server', since, until, dueAt, state })
  })
  await log.sync()
  await checkpoint('tool.waiting', ctx)
}
