// Events for endpoints outside. A row is written in the same block as what it reports, and deleted once the endpoint's
// object has recorded the event.

import type { OutgoingEvent } from '../../callbacks/api.ts'
import { createTable, hasTable } from './on-demand.ts'

export interface OutboxRow extends OutgoingEvent {
  readonly ord: number
  /** The ID of the endpoint; null for a callback, whose endpoint its URL determines. */
  readonly endpoint: string | null
}

export function insertOutgoing(sql: SqlStorage, endpoint: string | null, event: OutgoingEvent): void {
  createTable(sql, 'outbox')
  sql.exec(
    'INSERT INTO outbox (endpoint, id, type, url, body) VALUES (?, ?, ?, ?, ?)',
    endpoint,
    event.id,
    event.type,
    event.url,
    event.body,
  )
}

/** The oldest event. */
export function firstOutgoing(sql: SqlStorage): OutboxRow | null {
  if (!hasTable(sql, 'outbox')) return null
  const query = 'SELECT ord, endpoint, id, type, url, body FROM outbox ORDER BY ord LIMIT 1'
  return sql.exec<OutboxRow & Record<string, SqlStorageValue>>(query).toArray()[0] ?? null
}

export function deleteOutgoing(sql: SqlStorage, ord: number): void {
  sql.exec('DELETE FROM outbox WHERE ord = ?', ord)
}
