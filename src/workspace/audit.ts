// The audit: what admins and publishers did. A row is written before the action and completed after it, so none is missing.
// Old rows are deleted, a few each time; no other code deletes any. Imported when it is needed.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { BAD_CURSOR, cutPage, decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { ActionOutcome, AuditEntry, AuditFilter, NewAction } from './audit-api.ts'
import {
  AUDIT_CHAT_ROWS_MAX,
  AUDIT_ROWS_MAX,
  AUDIT_SCANNED_MAX,
  AUDIT_SWEPT_MAX,
  AUDIT_UNFINISHED_MS,
} from './limits.ts'

type Row = Omit<AuditEntry, 'at' | 'before' | 'after'> & {
  readonly at: number
  readonly before: string | null
  readonly after: string | null
}

const COLUMNS = 'id, at, request_id, key, user, role, network, action, target, status, before, after'

/**
 * Records an action before it is carried out, and deletes some rows from before `keepAfter`. `isHeard`: whether an endpoint
 * subscribes.
 */
export function insertAction(
  sql: SqlStorage,
  action: NewAction,
  isHeard: boolean,
  now: number,
  keepAfter: number,
): number {
  const { request_id, key, user, role, network, target } = action
  const { id } = sql
    .exec<{ id: number }>(
      `INSERT INTO audit (at, request_id, key, user, role, network, action, target, unannounced)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      now,
      request_id,
      key,
      user,
      role,
      network,
      action.action,
      target,
      isHeard ? 1 : 0,
    )
    .one()
  if (role === 'chat') sweepChats(sql)
  sweepAudit(sql, id, keepAfter)
  return id
}

/** Deletes the oldest actions of chat keys if there are too many, so that these keys do not displace the others. */
function sweepChats(sql: SqlStorage): void {
  const newestTooMany = "SELECT id FROM audit WHERE role = 'chat' ORDER BY id DESC LIMIT 1 OFFSET ?"
  sql.exec(`DELETE FROM audit WHERE role = 'chat' AND id <= (${newestTooMany})`, AUDIT_CHAT_ROWS_MAX)
}

/** Deletes rows from before `keepAfter`, and those with too many newer ones. */
function sweepAudit(sql: SqlStorage, newest: number, keepAfter: number): void {
  sql.exec(
    `DELETE FROM audit WHERE id IN (
       SELECT id FROM (SELECT id, at FROM audit ORDER BY id LIMIT ${AUDIT_SWEPT_MAX}) WHERE at < ? OR id <= ?)`,
    keepAfter,
    newest - AUDIT_ROWS_MAX,
  )
}

/** Completes a row. Does nothing if it is complete or deleted. */
export function completeAction(
  sql: SqlStorage,
  id: number,
  { status, target, before, after }: ActionOutcome & { readonly target: string | null },
): void {
  sql.exec(
    `UPDATE audit SET status = ?, target = coalesce(target, ?), before = ?, after = ? WHERE id = ? AND status IS NULL`,
    status,
    target,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    id,
  )
}

/** The actions whose event the endpoints have not received, oldest first, including those that will not end any more. */
export function unannounced(sql: SqlStorage, now: number, limit: number): readonly AuditEntry[] {
  return sql
    .exec<Row>(
      `SELECT ${COLUMNS} FROM audit WHERE unannounced = 1 AND (status IS NOT NULL OR at < ?) ORDER BY id LIMIT ?`,
      now - AUDIT_UNFINISHED_MS,
      limit,
    )
    .toArray()
    .map(entryOf)
}

export function markAnnounced(sql: SqlStorage, id: number): void {
  sql.exec('UPDATE audit SET unannounced = 0 WHERE id = ?', id)
}

function entryOf({ at, before, after, ...row }: Row): AuditEntry {
  const parsed = (fields: string | null): AuditEntry['before'] =>
    // The cast is safe: only completeAction() writes these columns.
    fields === null ? null : (JSON.parse(fields) as AuditEntry['before'])
  return { ...row, at: rfc3339(at), before: parsed(before), after: parsed(after) }
}

function conditionsOf({ actor, action, target }: AuditFilter): readonly (readonly [string, string])[] {
  const pairs = [
    ['? IN (key, user)', actor],
    // The action itself, or all that begin with it and a dot.
    ["instr(action || '.', ? || '.') = 1", action],
    ['target = ?', target],
  ] as const
  return pairs.flatMap(([condition, value]) => (value === undefined ? [] : [[condition, value] as const]))
}

/**
 * Lists actions, newest first. Reads a limited number of rows, so that a rare match does not block the workspace: a page may
 * then have fewer actions than `limit` although others follow.
 */
export function listAudit(
  sql: SqlStorage,
  filter: AuditFilter,
  keepAfter: number,
  cursor: string | null,
  limit: number,
): Result<Page<AuditEntry>> {
  const position = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!position) return err(BAD_CURSOR)
  const end = filter.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(filter.to) + DAY_MS
  const from = Math.max(filter.from === undefined ? 0 : Date.parse(filter.from), keepAfter)
  // Rows are in the order of their times, so the times give a range of IDs.
  const oldest = firstId(sql, 'at >= ? ORDER BY at, id', from)
  const newest = firstId(sql, 'at < ? ORDER BY at DESC, id DESC', end)
  if (oldest === null || newest === null) return ok({ data: [], next_cursor: null })
  const conditions = conditionsOf(filter)
  const start = [oldest, Math.min(position[0] ?? 0, newest + 1)] as const
  const scanned = 'FROM audit WHERE id >= ? AND id < ? ORDER BY id DESC'
  const where = conditions.map(([condition]) => condition).join(' AND ')
  const rows = sql
    .exec<Row>(
      `SELECT * FROM (SELECT ${COLUMNS} ${scanned} LIMIT ${AUDIT_SCANNED_MAX}) ${where && `WHERE ${where}`} LIMIT ?`,
      ...start,
      ...conditions.map(([, value]) => value),
      limit + 1,
    )
    .toArray()
  const page = cutPage(rows, limit, ({ id }) => id)
  const data = page.data.map(entryOf)
  if (page.next_cursor !== null) return ok({ data, next_cursor: page.next_cursor })
  // The last row that was read, if there are more.
  const [unread] = sql
    .exec<{ id: number }>(`SELECT id ${scanned} LIMIT 1 OFFSET ${AUDIT_SCANNED_MAX - 1}`, ...start)
    .toArray()
  return ok({ data, next_cursor: unread ? encodeCursor([unread.id]) : null })
}

function firstId(sql: SqlStorage, condition: string, time: number): number | null {
  const [row] = sql.exec<{ id: number }>(`SELECT id FROM audit WHERE ${condition} LIMIT 1`, time).toArray()
  return row?.id ?? null
}
