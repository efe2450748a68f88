// The description of a thread that the API returns.

import { keepsPlan } from '../../agent/todos.ts'
import { rfc3339 } from '../../lib/clock.ts'
import type { ApprovalInfo } from '../approvals/api.ts'
import type { ThreadDetails, ThreadInfo } from '../api.ts'
import type { Parts } from '../parts.ts'
import { estimateInputTokens } from '../windows/input-tokens.ts'
import { branchesOf } from '../rows/branches.ts'
import { chargedTotal } from '../rows/run-charges.ts'

export function threadInfo({ ctx, row, runs }: Parts<'ctx' | 'row' | 'runs'>): ThreadInfo {
  const { data } = row
  return {
    id: data.id,
    title: data.title,
    user: data.user,
    status: runs.isBusy ? 'busy' : 'idle',
    created_at: rfc3339(data.createdAt),
    updated_at: rfc3339(data.updatedAt),
    model: data.model,
    catalog_version: data.catalogVersion,
    usage: data.usage,
    charged: chargedTotal(ctx.storage.sql),
    metadata: data.metadata,
    context_tokens: data.contextTokens,
    root: data.root,
    forked_from: data.forkedFrom,
    branches: branchesOf(ctx.storage.sql),
  }
}

/** The description with the fields that lists omit. */
export function threadDetails(thread: Parts<'ctx' | 'row' | 'runs' | 'transcript'>): ThreadDetails {
  const { data } = thread.row
  const plan = keepsPlan(data) ? (data.todos ?? []) : null
  // A new window is measured by its first call.
  const tokens =
    data.window.number > 1 ? data.contextTokens || estimateInputTokens(thread) : data.contextTokens
  return { ...threadInfo(thread), context_tokens: tokens, plan, window: data.window.number }
}

/** The thread's calls that wait for an approval. `runId` is the current run, or null if there is none. */
export function waitingApprovals(
  { row, approvals }: Parts<'row' | 'approvals'>,
  runId: string | null,
): readonly ApprovalInfo[] {
  return (runId === null ? [] : approvals.pending(runId)).map((request) => ({
    thread_id: row.data.id,
    run_id: request.runId,
    tool_use_id: request.toolUseId,
    name: request.name,
    input: request.input,
    request: request.request,
    reason: request.reason,
    digest: request.digest,
    free: request.free,
    by: request.byAdmin ? 'admin' : 'owner',
    requested_at: rfc3339(request.requestedAt),
    expires_at: rfc3339(request.expiresAt),
  }))
}
