// The list of a workspace's schedules. Everything else about a schedule is stored in the schedule's own object.

import { fail, ok, type Result } from '../lib/result.ts'
import { SCHEDULES_MAX } from '../schedules/limits.ts'
import type { ListedSchedule } from './api.ts'

export function addSchedule(sql: SqlStorage, { id, created_at }: ListedSchedule): Result<null> {
  const { count } = sql.exec<{ count: number }>('SELECT count(*) AS count FROM schedules').one()
  if (count >= SCHEDULES_MAX)
    return fail(
      'storage_full',
      `A workspace has at most ${SCHEDULES_MAX} schedules. Delete one that is no longer used.`,
    )
  sql.exec('INSERT INTO schedules (id, created_at) VALUES (?, ?)', id, created_at)
  return ok(null)
}

/** Idempotent: a schedule that is not listed has already been removed. */
export function removeSchedule(sql: SqlStorage, id: string): void {
  sql.exec('DELETE FROM schedules WHERE id = ?', id)
}

export function listSchedules(sql: SqlStorage): readonly ListedSchedule[] {
  type Row = { id: string; created_at: string }
  return sql.exec<Row>('SELECT id, created_at FROM schedules ORDER BY created_at, id').toArray()
}
