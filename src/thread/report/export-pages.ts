// What only an export has of a thread: requests for approval with their decisions, and what requests contained beside messages.

import { BAD_CURSOR, countThatFit, decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { rfc3339 } from '../../lib/clock.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { ExportedList, Page } from '../api.ts'
import type { ApprovalRecord } from '../approvals/api.ts'
import type { ThreadParts } from '../parts.ts'
import { approvalOf, SELECT_APPROVALS, type Approval, type ApprovalRow } from '../rows/approval.ts'
import type { Run } from '../rows/run.ts'
import { readStored } from '../rows/stored-json.ts'
import { HISTORY_PAGE_MAX_BYTES } from './limits.ts'

/** Returns a page of this list, oldest first; of requests in any order. Fails with `bad_cursor`. */
export function exportPage(
  thread: ThreadParts,
  list: ExportedList,
  cursor: string | null,
  limit: number,
): Result<Page<object>> {
  const after = cursor === null ? [0] : decodeCursor(cursor, ['number'])
  if (!after) return err(BAD_CURSOR)
  return list === 'approvals' ? approvals(thread, after[0], limit) : requests(thread, after[0], limit)
}

/**
 * Requests with data beside the message, or whose message waits in the queue. The last page also has the messages that
 * wait to join a run, with the ID of that run.
 */
function requests({ ctx, steered }: ThreadParts, skipped: number, limit: number): Result<Page<object>> {
  const rows = ctx.storage.sql
    .exec<{ id: string; input: string }>(
      `SELECT id, input FROM asks
       WHERE coalesce(input -> '$.context', '{}') <> '{}' OR id IN (SELECT id FROM runs WHERE status = 'queued')
       ORDER BY id LIMIT ? OFFSET ?`,
      limit + 1,
      skipped,
    )
    .toArray()
    .map(({ id, input }) => {
      const { message = null, context = {} } = readStored<Partial<Run['ask']>>(input) ?? {}
      return { id, message, context }
    })
  const page = pageOf(rows, limit, (count) => skipped + count)
  if (page.value.next_cursor !== null) return page
  const joining = steered.all().map(({ runId, message: { ask } }) => {
    return { id: runId, message: ask.message, context: ask.context }
  })
  return ok({ ...page.value, data: [...page.value.data, ...joining] })
}

function approvals(
  { ctx, approvals: known }: ThreadParts,
  after: number,
  limit: number,
): Result<Page<object>> {
  // A thread without approvals has no table of them.
  if (known.isEmpty) return ok({ data: [], next_cursor: null })
  const rows = ctx.storage.sql
    .exec<ApprovalRow>(`${SELECT_APPROVALS} WHERE id > ? ORDER BY id LIMIT ?`, after, limit + 1)
    .toArray()
    .map((row) => ({ id: row.id, record: recordOf(approvalOf(row)) }))
  const page = pageOf(rows, limit, (count) => rows[count - 1]?.id ?? 0)
  return ok({ ...page.value, data: rows.slice(0, page.value.data.length).map(({ record }) => record) })
}

/** Cuts a page at `limit` items or HISTORY_PAGE_MAX_BYTES. `positionAfter` returns where the list continues after `count` items. */
function pageOf<T extends object>(
  rows: readonly T[],
  limit: number,
  positionAfter: (count: number) => number,
) {
  const sizes = rows.map((row) => JSON.stringify(row).length)
  const count = countThatFit(sizes, limit, HISTORY_PAGE_MAX_BYTES)
  const next_cursor = rows.length > count ? encodeCursor([positionAfter(count)]) : null
  return ok({ data: rows.slice(0, count), next_cursor })
}

function recordOf(approval: Approval): ApprovalRecord {
  const { runId, toolUseId, name, input, request, reason, byAdmin, requestedAt, expiresAt } = approval
  const decided =
    approval.decision === null
      ? null
      : {
          decision: approval.decision,
          by: approval.decidedBy,
          at: rfc3339(approval.decidedAt),
          note: approval.note,
          remember: approval.remember,
        }
  return {
    run_id: runId,
    tool_use_id: toolUseId,
    name,
    input,
    request,
    reason,
    by: byAdmin ? 'admin' : 'owner',
    requested_at: rfc3339(requestedAt),
    expires_at: rfc3339(expiresAt),
    decided,
  }
}
