// Deletes old events of an inactive thread after the number of days that the operator set. The terminal event
// of each run remains, and covers all numbers before it. Transcript, runs and receipts remain, too.

import { PURGE_BATCH_ROWS, REPORT_RETRY_PAUSE_MS } from '../../limits/runs.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Parts } from '../parts.ts'
import { deleteExpiredKeys } from '../rows/idempotency.ts'

const TERMINAL_TYPES_SQL = "('run.completed', 'run.failed', 'run.cancelled')"

type Thread = Parts<'ctx' | 'row' | 'runs' | 'log' | 'alarm' | 'closing', 'now' | 'eventsRetentionMs'>

/**
 * When events of this thread may be deleted (epoch milliseconds of the thread's clock). Null if they are kept
 * indefinitely, if a run is open, or if only terminal events remain.
 */
export function eventsDueAt(thread: Thread): number | null {
  const { eventsRetentionMs } = thread.ports
  if (eventsRetentionMs === null || thread.runs.isBusy) return null
  const deletable = thread.ctx.storage.sql
    .exec(`SELECT 1 FROM events WHERE type NOT IN ${TERMINAL_TYPES_SQL} LIMIT 1`)
    .toArray()
  return deletable.length === 0 ? null : thread.row.data.updatedAt + eventsRetentionMs
}

/**
 * Sets the alarm if a deletion is due: the operator may have set the retention when the thread was already
 * inactive.
 */
export function scheduleEventDeletion(thread: Thread): void {
  const dueAt = eventsDueAt(thread)
  const now = thread.ports.now()
  if (dueAt !== null && dueAt <= now) void thread.alarm.setNoLaterThan(now)
}

/** Deletes the events that are due, in batches, as long as the thread is inactive. Called by the alarm. */
export async function deleteOldEvents(thread: Thread): Promise<void> {
  deleteExpiredKeys(thread.ctx.storage.sql, thread.ports.now())
  for (;;) {
    const dueAt = thread.closing ? null : eventsDueAt(thread)
    if (dueAt === null || dueAt > thread.ports.now()) return
    // If this batch crashes, the alarm tries again.
    void thread.alarm.setNoLaterThan(thread.ports.now() + REPORT_RETRY_PAUSE_MS)
    deleteEventBatch(thread.ctx.storage)
    await thread.log.sync()
    await checkpoint('events.dropped', thread.ctx)
  }
}

/**
 * Deletes one batch of the oldest events. In the same block, the remaining rows are changed to cover the
 * deleted numbers.
 */
function deleteEventBatch(storage: DurableObjectStorage): void {
  const { sql } = storage
  storage.transactionSync(() => {
    const { first, last } = sql
      .exec<{ first: number; last: number }>(
        `SELECT min(seq) AS first, max(seq) AS last FROM
           (SELECT seq FROM events WHERE type NOT IN ${TERMINAL_TYPES_SQL} ORDER BY seq LIMIT ${PURGE_BATCH_ROWS})`,
      )
      .one()
    sql.exec(
      `DELETE FROM events WHERE seq BETWEEN ? AND ? AND type NOT IN ${TERMINAL_TYPES_SQL}`,
      first,
      last,
    )
    sql.exec(
      `UPDATE events SET from_seq = 1 + coalesce((SELECT max(seq) FROM events AS before WHERE before.seq < events.seq), 0)
       WHERE seq >= ?1 AND seq <= coalesce((SELECT min(seq) FROM events WHERE seq > ?2), ?2)`,
      first,
      last,
    )
  })
}
