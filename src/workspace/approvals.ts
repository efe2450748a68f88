// Calls that wait for an approval, as reported by threads and listed for people who may decide on them. Never
// decides, and never calls a thread.

import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { APPROVALS_LISTED_PER_OWNER_MAX } from './limits.ts'
import type { ApprovalInfo } from '../thread/approvals/api.ts'
import type { Page } from '../thread/api.ts'
import type { WaitingRecord } from './api.ts'

/**
 * Stores a thread's report, which is complete. Reports may arrive twice and out of order: an older one
 * changes nothing, and neither does one of a thread that was deleted. Lists at most APPROVALS_LISTED_PER_OWNER_MAX
 * calls of one owner. Must be called inside `transactionSync`.
 */
export function recordApprovals(
  sql: SqlStorage,
  { thread, owner, created_at, change, approvals }: WaitingRecord,
): void {
  const newerReports = sql
    .exec(
      `SELECT 1 FROM approval_reports WHERE thread = ?1 AND (created_at, change) >= (?2, ?3)
       UNION ALL SELECT 1 FROM forgotten WHERE id = ?1 AND at >= ?2`,
      thread,
      created_at,
      change,
    )
    .toArray()
  if (newerReports.length > 0) return
  sql.exec('INSERT OR REPLACE INTO approval_reports VALUES (?, ?, ?)', thread, created_at, change)
  sql.exec('DELETE FROM approvals WHERE thread = ?', thread)
  const { listed } = sql
    .exec<{ listed: number }>(
      `SELECT count(*) AS listed FROM (SELECT 1 FROM approvals WHERE owner = ? LIMIT ${APPROVALS_LISTED_PER_OWNER_MAX})`,
      owner,
    )
    .one()
  for (const [position, info] of approvals.slice(0, APPROVALS_LISTED_PER_OWNER_MAX - listed).entries())
    sql.exec(
      `INSERT INTO approvals (thread, position, owner, by_admin, requested_at, expires_at, info)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      thread,
      position,
      owner,
      info.by === 'admin' ? 1 : 0,
      info.requested_at,
      info.expires_at,
      JSON.stringify(info),
    )
}

/**
 * Lists the calls, longest waiting first. `owner` is null for an admin. Expired requests are left out even
 * before their thread reports them as expired.
 */
export function listApprovals(
  sql: SqlStorage,
  owner: string | null,
  cursor: string | null,
  limit: number,
  now: string,
): Result<Page<ApprovalInfo>> {
  const after =
    cursor === null ? (['', '', 0] as const) : decodeCursor(cursor, ['string', 'string', 'number'])
  if (!after) return err(BAD_CURSOR)
  const rows = sql
    .exec<{ requested_at: string; thread: string; position: number; info: string }>(
      `SELECT requested_at, thread, position, info FROM approvals
       WHERE (requested_at, thread, position) > (?1, ?2, ?3) AND expires_at > ?4
         AND (?5 IS NULL OR (owner = ?5 AND by_admin = 0))
       ORDER BY requested_at, thread, position LIMIT ?6`,
      after[0],
      after[1],
      after[2],
      now,
      owner,
      limit + 1,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ requested_at, thread, position }) => [
    requested_at,
    thread,
    position,
  ])
  // The cast is safe: only recordApprovals() writes this column.
  return ok({ data: data.map(({ info }) => JSON.parse(info) as ApprovalInfo), next_cursor })
}
