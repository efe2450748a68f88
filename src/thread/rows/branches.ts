// The forks of a thread, as reported by their objects. Only a fork's own object knows whether it still
// exists.

import { rfc3339 } from '../../lib/clock.ts'
import { BRANCHES_LISTED_MAX } from './limits.ts'
import type { Branch } from '../api.ts'
import { createTable, hasTable } from './on-demand.ts'

/** Returns the forks, newest first. */
export function branchesOf(sql: SqlStorage): readonly Branch[] {
  if (!hasTable(sql, 'branches')) return []
  return sql
    .exec<{ thread: string; message: string; at: number }>(
      'SELECT thread, message, at FROM branches ORDER BY at DESC, thread DESC LIMIT ?',
      BRANCHES_LISTED_MAX,
    )
    .toArray()
    .map(({ thread, message, at }) => ({ thread_id: thread, message_id: message, created_at: rfc3339(at) }))
}

/** Adds a fork. Idempotent. Deletes the oldest forks once there are more than are listed. */
export function addBranch(sql: SqlStorage, threadId: string, messageId: string, at: number): void {
  createTable(sql, 'branches')
  sql.exec('INSERT OR REPLACE INTO branches (thread, message, at) VALUES (?, ?, ?)', threadId, messageId, at)
  sql.exec(
    `DELETE FROM branches WHERE thread IN
       (SELECT thread FROM branches ORDER BY at DESC, thread DESC LIMIT -1 OFFSET ?)`,
    BRANCHES_LISTED_MAX,
  )
}

/** Returns false if there is no such fork. */
export function removeBranch(sql: SqlStorage, threadId: string): boolean {
  if (!hasTable(sql, 'branches')) return false
  return sql.exec('DELETE FROM branches WHERE thread = ? RETURNING thread', threadId).toArray().length > 0
}
