// What a quiet thread need not keep. The events of its ended runs go after the days that the operator set, but for the end
// of each, which from then on stands for all numbers before it; transcript, runs and receipts stay.

import { PURGE_ROWS, TELL_RETRY_MS } from '../../limits.ts'
import { checkpoint } from '../checkpoint.ts'
import type { Core } from '../core.ts'
import { forgetOldRequests } from '../rows/idempotency.ts'

const STAYS = "('run.completed', 'run.failed', 'run.cancelled')"

/** When events of this thread may go (epoch ms of its own time); null: never, not yet, or none are left. */
export function eventsDue(core: Core): number | null {
  const { eventsRetentionMs } = core.out
  if (eventsRetentionMs === null || core.runs.running() !== null || core.runs.queued() > 0) return null
  const left = core.ctx.storage.sql.exec(`SELECT 1 FROM events WHERE type NOT IN ${STAYS} LIMIT 1`).toArray()
  return left.length === 0 ? null : core.row.data.updatedAt + eventsRetentionMs
}

/** Sets the alarm where something is due: the days may have been set when the thread was quiet already. */
export function tidySoon(core: Core): void {
  const due = eventsDue(core)
  const now = core.out.now()
  if (due !== null && due <= now) void core.alarm.by(now)
}

/** Removes what is old, a part at a time, as long as the thread stays quiet. Called by the alarm. */
export async function tidy(core: Core): Promise<void> {
  forgetOldRequests(core.ctx.storage.sql, core.out.now())
  for (;;) {
    const due = core.closing ? null : eventsDue(core)
    if (due === null || due > core.out.now()) return
    // Should it die of this, it comes back.
    void core.alarm.by(core.out.now() + TELL_RETRY_MS)
    dropEvents(core.ctx.storage)
    await core.log.sync()
    await checkpoint('events.dropped', core.ctx)
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
