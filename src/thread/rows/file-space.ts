// Stores how many bytes the workspace granted this thread for its files, and the number of the last such
// request.
// Changes no other columns of the thread's row.

import type { StorageUsage } from '../../files/objects.ts'

interface GrantedSpace extends StorageUsage {
  readonly change: number
}

export function grantedSpace(sql: SqlStorage): GrantedSpace {
  return sql
    .exec<{ kept: number; stored: number; change: number }>(
      'SELECT room_kept AS kept, room_stored AS stored, room_change AS change FROM thread',
    )
    .one()
}

/**
 * Returns the number of a request that is about to be sent. The platform sends the request only once the
 * number is on disk.
 */
export function nextSpaceRequest(sql: SqlStorage): number {
  return sql
    .exec<{ change: number }>(
      'UPDATE thread SET room_change = room_change + 1 RETURNING room_change AS change',
    )
    .one().change
}

export function storeGrantedSpace(sql: SqlStorage, { kept, stored }: StorageUsage): void {
  sql.exec('UPDATE thread SET room_kept = ?, room_stored = ?', kept, stored)
}
