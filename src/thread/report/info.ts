// What a thread says of itself.

import { rfc3339 } from '../../lib/clock.ts'
import type { ApprovalInfo, ThreadInfo } from '../api.ts'
import type { Parts } from '../parts.ts'
import { branchesOf } from '../rows/branches.ts'
import { chargedInAll } from '../rows/charged.ts'

export function threadInfo({ ctx, row, runs }: Parts<'ctx' | 'row' | 'runs'>): ThreadInfo {
  const { data } = row
  return {
    id: data.id,
    title: data.title,
    user: data.user,
    status: runs.busy ? 'busy' : 'idle',
    created_at: rfc3339(data.createdAt),
    updated_at: rfc3339(data.updatedAt),
    model: data.model,
    catalog_version: data.catalogVersion,
    usage: data.usage,
    charged: chargedInAll(ctx.storage.sql),
    metadata: data.metadata,
    context_tokens: data.contextTokens,
    forked_from: data.forkedFrom,
    branches: branchesOf(ctx.storage.sql),
  }
}

/** Its calls that wait for a person. `runId`: the run that goes on, null: none does. */
export function waitingApprovals(
  { row, approvals }: Parts<'row' | 'approvals'>,
  runId: string | null,
): readonly ApprovalInfo[] {
  return (runId === null ? [] : approvals.pending(runId)).map((asked) => ({
    thread_id: row.data.id,
    run_id: asked.runId,
    tool_use_id: asked.toolUseId,
    name: asked.name,
    input: asked.input,
    request: asked.request,
    reason: asked.reason,
    digest: asked.digest,
    free: asked.free,
    by: asked.byAdmin ? 'admin' : 'owner',
    requested_at: rfc3339(asked.requestedAt),
    expires_at: rfc3339(asked.expiresAt),
  }))
}
