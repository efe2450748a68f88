// The list of a workspace's endpoints: which events they are sent, and which of them has the URL that contains a
// callback's. Everything else about an endpoint is stored in its own object.

import type { EndpointInfo } from '../callbacks/api.ts'
import { ENDPOINTS_MAX } from '../callbacks/limits.ts'
import { fail, ok, type Result } from '../lib/result.ts'

/** Adds or replaces an endpoint. Fails with `storage_full` if there are already ENDPOINTS_MAX others. */
export function putEndpoint(sql: SqlStorage, endpoint: EndpointInfo): Result<null> {
  const { id, url, events, answer, created_at } = endpoint
  const { others } = sql
    .exec<{ others: number }>('SELECT count(*) AS others FROM endpoints WHERE id <> ?', id)
    .one()
  if (others >= ENDPOINTS_MAX)
    return fail(
      'storage_full',
      `This workspace already has ${ENDPOINTS_MAX} endpoints. Delete one, or change it with PATCH.`,
    )
  sql.exec(
    'INSERT OR REPLACE INTO endpoints (id, url, events, answer, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    url,
    JSON.stringify(events),
    answer ? 1 : 0,
    created_at,
  )
  return ok(null)
}

/** Idempotent: an endpoint that is not listed has already been removed. */
export function removeEndpoint(sql: SqlStorage, id: string): void {
  sql.exec('DELETE FROM endpoints WHERE id = ?', id)
}

export function listEndpoints(sql: SqlStorage): readonly EndpointInfo[] {
  type Row = { id: string; url: string; events: string; answer: number; created_at: string }
  return sql
    .exec<Row>('SELECT id, url, events, answer, created_at FROM endpoints ORDER BY created_at, id')
    .toArray()
    .map((row) => ({
      ...row,
      // The cast is safe: only putEndpoint() writes this column.
      events: JSON.parse(row.events) as EndpointInfo['events'],
      answer: row.answer === 1,
    }))
}
