// Denies approval requests that nobody answered in time. Waits for servers end where the servers are polled
// (executor/poll-servers.ts).

import type { Parts } from '../parts.ts'
import { AUTOMATIC_DECISION } from '../rows/approvals.ts'
import { retryCall } from './suspend.ts'

type Thread = Parts<'log' | 'journal' | 'waits' | 'approvals' | 'atomically', 'now'>

/** Denies requests that have expired, so that the run may resume. */
export function denyExpired(thread: Thread, runId: string): void {
  const { approvals, waits, log, ports } = thread
  thread.atomically(() => {
    const now = ports.now()
    for (const wait of waits.ofRun(runId)) {
      const request = wait.reason === 'approval' && wait.until <= now ? approvals.newest(wait) : null
      if (request?.decision !== null) continue
      const decision = 'expired'
      approvals.decide(request.id, { ...AUTOMATIC_DECISION, decision, decidedAt: now })
      retryCall(thread, wait)
      const { decidedBy: by } = AUTOMATIC_DECISION
      log.append(runId, { type: 'approval.decided', tool_use_id: wait.toolUseId, decision, by })
    }
  })
}
