// Deliveries of a restored hook that wait until an admin replays them.

import type { AcceptedDelivery } from './api.ts'
import { SHOWN_RUN, type FoundDelivery } from './rows.ts'

/** Pauses what waits in a restored hook: the deployment of the backup may have started it. */
export function pauseDeliveries(sql: SqlStorage): void {
  sql.exec(
    "UPDATE deliveries SET state = 'paused', problem = ? WHERE state = 'recorded'",
    'It had not started when the hook was backed up, so the restore paused it. Replay it to start it.',
  )
  sql.exec('UPDATE deliveries SET unannounced = 0 WHERE unannounced = 1')
}

/** Lets a paused delivery start, as the run that was promised. Returns null if it is not paused or its body is gone. */
export function resumeDelivery(
  sql: SqlStorage,
  id: string,
  now: number,
): Pick<AcceptedDelivery, 'delivery_id' | 'thread_id' | 'run_id'> | null {
  const change = `UPDATE deliveries SET state = 'recorded', next_try_at = ?, tries = 0, problem = NULL
    WHERE delivery_id = ? AND state = 'paused' AND ord IN (SELECT ord FROM payloads) RETURNING delivery_id, thread_id, ${SHOWN_RUN}`
  return sql.exec<FoundDelivery>(change, now, id).toArray()[0] ?? null
}
