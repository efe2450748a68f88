// The log of a hook: its deliveries as admins see them. Reads only.

import { rfc3339 } from '../lib/clock.ts'
import { fromUtf8 } from '../lib/bytes.ts'
import type { ReplyOutcome } from '../replies/plan.ts'
import type { DeliveryDetail, DeliveryInfo, DeliveryPage, DeliverySearch } from './api.ts'
import { LOG_SEARCH_MAX_BYTES } from './limits.ts'
import { SHOWN_RUN } from './rows.ts'

type InfoRow = Omit<DeliveryInfo, 'received_at' | 'settled_at' | 'next_attempt_at' | 'replays' | 'reply'> & {
  readonly reply: ReplyOutcome['state'] | null
  readonly reply_detail: string | null
  readonly reply_at: number | null
  readonly received_at: number
  readonly settled_at: number | null
  readonly next_attempt_at: number | null
  readonly replays: string
}
/** Without `body` if only a list is read. */
type SearchRow = InfoRow & { readonly body?: ArrayBuffer | null }

const COLUMNS = `deliveries.ord AS "order", delivery_id AS id, webhook_id, state, problem AS reason, thread_id, ${SHOWN_RUN},
    deliveries.received_at AS received_at, settled_at, iif(state = 'recorded', next_try_at, NULL) AS next_attempt_at, tries, mismatches,
    reply, reply_detail, reply_at, original_id, payloads.bytes AS kept_bytes,
    (SELECT json_group_array(r.delivery_id) FROM deliveries r WHERE r.original_id = deliveries.delivery_id AND r.state <> 'mismatch') AS replays`
const FROM = 'FROM deliveries LEFT JOIN payloads USING (ord)'

/** The end of the reason of a dead delivery. */
const NOT_KEPT = 'Its body is not kept, so it cannot be replayed. To start it, have its sender send it again.'

function infoOf({ reply, reply_detail: detail, reply_at: at, ...row }: InfoRow): DeliveryInfo {
  return {
    ...row,
    reply: reply && at !== null ? { state: reply, detail, at: rfc3339(at) } : null,
    reason: row.state === 'dead' && row.kept_bytes === null ? `${row.reason} ${NOT_KEPT}` : row.reason,
    received_at: rfc3339(row.received_at),
    settled_at: row.settled_at === null ? null : rfc3339(row.settled_at),
    next_attempt_at: row.next_attempt_at === null ? null : rfc3339(row.next_attempt_at),
    // The cast is safe: the query makes a list of texts.
    replays: JSON.parse(row.replays) as string[],
  }
}

/**
 * Lists deliveries, newest first. A search for a text reads at most LOG_SEARCH_MAX_BYTES of bodies; then the page ends early, and
 * `next` continues.
 */
export function listDeliveries(sql: SqlStorage, search: DeliverySearch): DeliveryPage {
  const { limit, before, state, reply, id, text } = search
  const wanted = text === null ? null : text.toLowerCase()
  const query = `SELECT ${COLUMNS}${wanted === null ? '' : ', payloads.body AS body'} ${FROM}
    WHERE deliveries.ord < ?1 AND (?2 IS NULL OR state = ?2)
      AND (?3 IS NULL OR ?3 IN (delivery_id, webhook_id, thread_id, run_id, original_id)) AND (?4 IS NULL OR reply = ?4)
    ORDER BY deliveries.ord DESC`
  const data: DeliveryInfo[] = []
  let read = 0
  let last: number | null = null
  for (const row of sql.exec<SearchRow>(query, before ?? Number.MAX_SAFE_INTEGER, state, id, reply)) {
    if (data.length === limit || read > LOG_SEARCH_MAX_BYTES) return { data, next: last }
    last = row.order
    const { body = null, ...info } = row
    read += body?.byteLength ?? 0
    if (wanted === null || contains(info, body, wanted)) data.push(infoOf(info))
  }
  return { data, next: null }
}

function contains(info: InfoRow, body: ArrayBuffer | null, wanted: string): boolean {
  const texts = [info.id, info.webhook_id, info.thread_id, info.run_id, info.reason]
  if (texts.some((text) => text?.toLowerCase().includes(wanted))) return true
  return body !== null && (fromUtf8(new Uint8Array(body)) ?? '').toLowerCase().includes(wanted)
}

/** One delivery with what is kept of it. */
export function readDelivery(sql: SqlStorage, deliveryId: string): DeliveryDetail | null {
  type DetailRow = InfoRow & { readonly headers: string | null; readonly body: ArrayBuffer | null }
  const query = `SELECT ${COLUMNS}, payloads.body AS body, payloads.headers AS headers ${FROM} WHERE delivery_id = ?`
  const row = sql.exec<DetailRow>(query, deliveryId).toArray()[0]
  if (!row) return null
  const { body, headers, ...info } = row
  return {
    ...infoOf(info),
    // The cast is safe: the object stores its own JSON.
    headers: headers === null ? null : (JSON.parse(headers) as Record<string, string>),
    body: body && fromUtf8(new Uint8Array(body)),
  }
}

/** What a replay needs of a delivery; null if the delivery or its body is not stored. */
export function readForReplay(
  sql: SqlStorage,
  deliveryId: string,
): {
  readonly webhookId: string | null
  readonly digest: string
  readonly body: Uint8Array
  readonly headers: string
} | null {
  type Row = { webhookId: string | null; digest: string; body: ArrayBuffer; headers: string }
  const query =
    'SELECT webhook_id AS webhookId, digest, body, headers FROM deliveries JOIN payloads USING (ord) WHERE delivery_id = ?'
  const row = sql.exec<Row>(query, deliveryId).toArray()[0]
  return row ? { ...row, body: new Uint8Array(row.body) } : null
}
