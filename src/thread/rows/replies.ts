// The replies of runs where their questions came from. A call is `sending` on disk before it is made, and never made again
// by itself.

import type { ReplyPlan, ReplyState } from '../../replies/plan.ts'
import type { ReplyValues } from '../../replies/template.ts'
import { createTable, hasTable } from './on-demand.ts'

export interface ReplyRow {
  readonly run_id: string
  readonly plan: ReplyPlan
  /** The state of the call when the run starts; null if there is none or it was not made. */
  readonly start: ReplyState | null
  /** Values from the response to that call. */
  readonly values: ReplyValues
  readonly state: ReplyState
  readonly detail: string | null
  /** Epoch milliseconds of the last change. */
  readonly at: number
}

type StoredReply = Omit<ReplyRow, 'plan' | 'values'> & {
  readonly plan: string
  readonly start_values: string
}

const SELECT = 'SELECT run_id, plan, start, start_values, state, detail, at FROM replies'

function replyOf({ plan, start_values, ...row }: StoredReply): ReplyRow {
  // The casts are safe: only this file writes these columns.
  return { ...row, plan: JSON.parse(plan) as ReplyPlan, values: JSON.parse(start_values) as ReplyValues }
}

export function insertReply(sql: SqlStorage, runId: string, plan: ReplyPlan, at: number): void {
  createTable(sql, 'replies')
  sql.exec(
    "INSERT INTO replies (run_id, plan, start_values, state, at) VALUES (?, ?, '{}', 'waiting', ?)",
    runId,
    JSON.stringify(plan),
    at,
  )
}

export function readReply(sql: SqlStorage, runId: string): ReplyRow | null {
  if (!hasTable(sql, 'replies')) return null
  const row = sql
    .exec<StoredReply & Record<string, SqlStorageValue>>(`${SELECT} WHERE run_id = ?`, runId)
    .toArray()[0]
  return row ? replyOf(row) : null
}

/** The replies for which something is left to do, oldest first. */
export function openReplies(sql: SqlStorage): readonly ReplyRow[] {
  if (!hasTable(sql, 'replies')) return []
  return sql
    .exec<StoredReply & Record<string, SqlStorageValue>>(
      `${SELECT} WHERE state IN ('waiting', 'sending') ORDER BY rowid LIMIT 20`,
    )
    .toArray()
    .map(replyOf)
}

/** Records the call at the run's start, and why it failed. */
export function setStart(
  sql: SqlStorage,
  runId: string,
  start: ReplyState,
  values: ReplyValues,
  detail: string | null,
  at: number,
): void {
  const change = 'UPDATE replies SET start = ?, start_values = ?, detail = ?, at = ? WHERE run_id = ?'
  sql.exec(change, start, JSON.stringify(values), detail, at, runId)
}

/** Records the outcome, which the hook must show, or that the call is being made. */
export function setReply(
  sql: SqlStorage,
  runId: string,
  state: ReplyState,
  detail: string | null,
  at: number,
): void {
  const change = 'UPDATE replies SET state = ?, detail = ?, at = ?, unreported = ? WHERE run_id = ?'
  sql.exec(change, state, detail, at, state === 'sending' ? 0 : 1, runId)
}

/** The oldest outcome that the hook must still show. */
export function unreportedReply(sql: SqlStorage): ReplyRow | null {
  if (!hasTable(sql, 'replies')) return null
  const query = `${SELECT} WHERE unreported = 1 ORDER BY rowid LIMIT 1`
  const row = sql.exec<StoredReply & Record<string, SqlStorageValue>>(query).toArray()[0]
  return row ? replyOf(row) : null
}

/** The hook shows this outcome. A later one remains to be shown. */
export function markReplyReported(sql: SqlStorage, { run_id, at }: ReplyRow): void {
  sql.exec('UPDATE replies SET unreported = 0 WHERE run_id = ? AND at = ?', run_id, at)
}

/** Whether a reply is to be sent, or its outcome to be shown. */
export function hasOpenReplies(sql: SqlStorage): boolean {
  return hasTable(sql, 'replies') && (openReplies(sql).length > 0 || unreportedReply(sql) !== null)
}

/** Lets the reply be sent again, with its first call unless that was made. */
export function renewReply(sql: SqlStorage, runId: string, at: number): void {
  sql.exec(
    `UPDATE replies SET state = 'waiting', detail = NULL, at = ?, unreported = 0, start = iif(start = 'sent', start, NULL)
     WHERE run_id = ?`,
    at,
    runId,
  )
}
