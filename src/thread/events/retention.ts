// What a quiet thread need not keep. The events of its ended runs go after the days that the operator set, but for the end
// of each, which from then on stands for all numbers before it; transcript, runs and receipts stay.

import { PURGE_ROWS, REPORT_RETRY_MS } from '../../limits/runs.ts'
import { checkpoint } from '../rows/checkpoint.ts'
import type { Parts } from '../parts.ts'
import { forgetOldRequests } from '../rows/idempotency.ts'

const STAYS = "('run.completed', 'run.failed', 'run.cancelled')"

type Thread = Parts<'ctx' | 'row' | 'runs' | 'log' | 'alarm' | 'closing', 'now' | 'eventsRetentionMs'>

/** When events of this thread may go (epoch ms of its own time); null: never, not yet, or none are left. */
export function eventsDue(thread: Thread): number | null {
  const { eventsRetentionMs } = thread.out
  if (eventsRetentionMs === null || thread.runs.busy) return null
  const left = thread.ctx.storage.sql
    .exec(`SELECT 1 FROM events WHERE type NOT IN ${STAYS} LIMIT 1`)
    .toArray()
  return left.length === 0 ? null : thread.row.data.updatedAt + eventsRetentionMs
}

/** Sets the alarm where something is due: the days may have been set when the thread was quiet already. */
export function tidySoon(thread: Thread): void {
  const due = eventsDue(thread)
  const now = thread.out.now()
  if (due !== null && due <= now) void thread.alarm.by(now)
}

/** Removes what is old, a part at a time, as long as the thread stays quiet. Called by the alarm. */
export async function tidy(thread: Thread): Promise<void> {
  forgetOldRequests(thread.ctx.storage.sql, thread.out.now())
  for (;;) {
    const due = thread.closing ? null : eventsDue(thread)
    if (due === null || due > thread.out.now()) return
    // Should it die of this, it comes back.
    void thread.alarm.by(thread.out.now() + REPORT_RETRY_MS)
    dropEvents(thread.ctx.storage)
    await thread.log.sync()
    await checkpoint('events.dropped', thread.ctx)
  }
}

/** The oldest events that may go; those that stay around them cover their numbers, in the same block. */
function dropEvents(storage: DurableObjectStorage): void {
  const { sql } = storage
  storage.transactionSync(() => {
    const { first, last } = sql
      .exec<{ first: number; last: number }>(
        `SELECT min(seq) AS first, max(seq) AS last FROM
           (SELECT seq FROM events WHERE type NOT IN ${STAYS} ORDER BY seq LIMIT ${PURGE_ROWS})`,
      )
      .one()
    sql.exec(`DELETE FROM events WHERE seq BETWEEN ? AND ? AND type NOT IN ${STAYS}`, first, last)
    sql.exec(
      `UPDATE events SET from_seq = 1 + coalesce((SELECT max(seq) FROM events AS before WHERE before.seq < events.seq), 0)
       WHERE seq >= ?1 AND seq <= coalesce((SELECT min(seq) FROM events WHERE seq > ?2), ?2)`,
      first,
      last,
    )
  })
}
