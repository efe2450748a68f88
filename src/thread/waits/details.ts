// What a run waits for, in fields and in words for its readers. Changes nothing.

import type { WaitDetails } from '../../agent/wait.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { cutText } from '../../lib/text.ts'
import type { Parts } from '../parts.ts'
import type { Wait } from '../rows/waits.ts'

/**
 * What the run waits for, and when the thread has to act at the latest. If a person must decide, the details name only those
 * calls. Null if nothing waits.
 */
export function pendingWait(
  { waits, approvals }: Parts<'waits' | 'approvals'>,
  runId: string,
): { readonly details: WaitDetails; readonly dueAt: number } | null {
  const all = waits.ofRun(runId)
  const undecided = all.filter(({ reason }) => reason === 'approval')
  const named = undecided.length > 0 ? undecided : all
  const [first] = named
  if (!first) return null
  const isForAdmin = approvals.pending(runId).some(({ byAdmin }) => byAdmin)
  const by = first.reason === 'approval' ? ({ by: isForAdmin ? 'admin' : 'owner' } as const) : {}
  const since = rfc3339(Math.min(...named.map((wait) => wait.since)))
  return {
    details: {
      reason: first.reason,
      tool_use_ids: named.map(({ toolUseId }) => toolUseId),
      since,
      until: rfc3339(Math.min(...named.map(({ until }) => until))),
      ...by,
      detail: first.reason === 'approval' ? approvalText(named, isForAdmin) : serverText(named, since),
    },
    dueAt: Math.min(...all.map(({ dueAt }) => dueAt)),
  }
}

function namesOf(waits: readonly Wait[]): string {
  return [...new Set(waits.map(({ name }) => cutText(name, 64)))].join(', ')
}

function approvalText(waits: readonly Wait[], isForAdmin: boolean): string {
  const who = isForAdmin ? 'an admin of the workspace' : "the thread's owner or an admin"
  return `Waiting for ${who} to approve or deny the call to ${namesOf(waits)}.`
}

function serverText(waits: readonly Wait[], since: string): string {
  return `Waiting for the result of ${namesOf(waits)} (since ${since}).`
}
