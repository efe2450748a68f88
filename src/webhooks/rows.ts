// The rows of deliveries and their bodies. Each function runs a few synchronous statements and makes no decisions.

import type { ReplyOutcome } from '../replies/plan.ts'
import { START_PAUSE_MAX_MS } from '../unattended/limits.ts'
import type { StartOutcome } from '../unattended/start.ts'
import type { RecordedDelivery } from './deliveries.ts'
import { DELIVERY_RETENTION_MS, KEPT_MAX_BYTES } from './limits.ts'

export interface FoundDelivery extends Record<string, SqlStorageValue> {
  readonly delivery_id: string
  readonly thread_id: string | null
  readonly run_id: string | null
  readonly digest: string
  readonly state: string
}

/** The run's ID is shown once it was promised or exists. */
export const SHOWN_RUN = "iif(promised = 1 OR state IN ('started', 'dead'), run_id, NULL) AS run_id"
const FOUND = `SELECT delivery_id, thread_id, ${SHOWN_RUN}, digest, state FROM deliveries`

/** The delivery with this ID of the sender. Rows of replays, and of other bodies under a known ID, are not found. */
export function findById(sql: SqlStorage, webhookId: string): FoundDelivery | null {
  const query = `${FOUND} WHERE webhook_id = ? AND original_id IS NULL`
  return sql.exec<FoundDelivery>(query, webhookId).toArray()[0] ?? null
}

/** The newest delivery with the same bytes that was received at `since` or later. */
export function findByDigest(sql: SqlStorage, digest: string, since: number): FoundDelivery | null {
  const query = `${FOUND} WHERE digest = ? AND received_at >= ? AND original_id IS NULL ORDER BY received_at DESC LIMIT 1`
  return sql.exec<FoundDelivery>(query, digest, since).toArray()[0] ?? null
}

/** The newest replay of a delivery; null if there is none. */
export function findReplay(sql: SqlStorage, { delivery_id }: FoundDelivery): FoundDelivery | null {
  const query = `${FOUND} WHERE original_id = ? AND state <> 'mismatch' ORDER BY ord DESC LIMIT 1`
  return sql.exec<FoundDelivery>(query, delivery_id).toArray()[0] ?? null
}

/** Whether the body of a delivery is kept. */
export function isKept(sql: SqlStorage, { delivery_id }: FoundDelivery): boolean {
  const query = 'SELECT 1 FROM payloads WHERE ord = (SELECT ord FROM deliveries WHERE delivery_id = ?)'
  return sql.exec(query, delivery_id).toArray().length > 0
}

export interface NewDelivery extends Omit<RecordedDelivery, 'threadId' | 'runId' | 'tries'> {
  readonly threadId: string | null
  readonly runId: string | null
}

/** What is stored beside a delivery. */
export interface DeliveryLog {
  readonly state: 'recorded' | 'filtered' | 'mismatch'
  readonly problem: string | null
  /** The delivery that this one replays, or whose ID it uses. */
  readonly originalId: string | null
  /** As JSON, without secrets. */
  readonly headers: string
  /** Whether the response contained the run's ID. */
  readonly promised: boolean
  /** The earliest time of the first attempt, in epoch milliseconds. */
  readonly startAt: number
  /** Whether the body and headers are kept if the delivery waits for nothing. */
  readonly keeps: boolean
}

export function insertDelivery(sql: SqlStorage, delivery: NewDelivery, log: Partial<DeliveryLog> = {}): void {
  const { state = 'recorded', problem = null, originalId = null, headers = '{}' } = log
  const { promised = true, startAt = delivery.receivedAt, keeps = true } = log
  const { ord } = sql
    .exec<{ ord: number }>(
      `INSERT INTO deliveries
         (webhook_id, delivery_id, digest, original_id, thread_id, run_id, promised, build, state, next_try_at, received_at, settled_at, problem)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ord`,
      delivery.webhookId,
      delivery.id,
      delivery.digest,
      originalId,
      delivery.threadId,
      delivery.runId,
      promised ? 1 : 0,
      delivery.build,
      state,
      startAt,
      delivery.receivedAt,
      state === 'recorded' ? null : delivery.receivedAt,
      problem,
    )
    .one()
  if (state !== 'recorded' && !keeps) return
  // The bytes are copied, because they may be a view into a larger buffer, and only complete buffers can be bound.
  const body = delivery.body.slice().buffer
  const insert = 'INSERT INTO payloads (ord, received_at, headers, body, bytes) VALUES (?, ?, ?, ?, ?)'
  sql.exec(insert, ord, delivery.receivedAt, headers, body, body.byteLength + headers.length)
  dropOverflow(sql)
}

/** Drops the oldest bodies while all together are too large. Those of deliveries that have not started remain. */
function dropOverflow(sql: SqlStorage): void {
  for (;;) {
    const { bytes } = sql.exec<{ bytes: number }>('SELECT bytes FROM payload_total').one()
    if (bytes <= KEPT_MAX_BYTES) return
    const oldest = sql
      .exec<{ ord: number }>(
        `SELECT ord FROM payloads WHERE (SELECT state FROM deliveries d WHERE d.ord = payloads.ord) NOT IN ('recorded', 'paused')
         ORDER BY ord LIMIT 1`,
      )
      .toArray()[0]
    if (!oldest) return
    sql.exec('DELETE FROM payloads WHERE ord = ?', oldest.ord)
  }
}

/** Counts another body under this ID. Returns whether this body is new. */
export function countMismatch(
  sql: SqlStorage,
  { delivery_id }: FoundDelivery,
  digest: string,
  now: number,
): boolean {
  const change = 'UPDATE deliveries SET mismatches = mismatches + 1, mismatch_at = ? WHERE delivery_id = ?'
  sql.exec(change, now, delivery_id)
  const known = "SELECT 1 FROM deliveries WHERE original_id = ? AND state = 'mismatch' AND digest = ?"
  return sql.exec(known, delivery_id, digest).toArray().length === 0
}

export function countMismatchRows(sql: SqlStorage, deliveryId: string): number {
  const query = "SELECT count(*) AS n FROM deliveries WHERE original_id = ? AND state = 'mismatch'"
  return sql.exec<{ n: number }>(query, deliveryId).one().n
}

/**
 * Ends the deliveries that wait in a thread, because a newer one replaces them: those whose run was not promised and that no attempt
 * has failed for, except the one that is being started. Returns how many, and the time of their next attempt; null if none waited.
 */
export function supersede(
  sql: SqlStorage,
  threadId: string,
  starting: string | null,
  keeps: boolean,
  now: number,
): { readonly count: number; readonly startAt: number } | null {
  const replaced = sql
    .exec<{ ord: number; at: number }>(
      `UPDATE deliveries SET state = 'superseded', settled_at = ?, problem = 'A newer delivery replaced it.'
        WHERE state = 'recorded' AND thread_id = ? AND promised = 0 AND tries = 0 AND delivery_id IS NOT ?
        RETURNING ord, next_try_at AS at`,
      now,
      threadId,
      starting,
    )
    .toArray()
  if (!keeps) for (const { ord } of replaced) sql.exec('DELETE FROM payloads WHERE ord = ?', ord)
  const startAt = Math.max(...replaced.map(({ at }) => at))
  return replaced.length === 0 ? null : { count: replaced.length, startAt }
}

/** Records what became of the reply to a delivery, unless something newer is recorded. */
export function recordReply(sql: SqlStorage, id: string, { state, detail, at }: ReplyOutcome): void {
  const change =
    'UPDATE deliveries SET reply = ?1, reply_detail = ?2, reply_at = ?3 WHERE delivery_id = ?4 AND ifnull(reply_at, 0) <= ?3'
  sql.exec(change, state, detail, at, id)
}

/** Forgets the bodies and headers of all deliveries to a thread. Those of deliveries that have not started remain. */
export function forgetThread(sql: SqlStorage, threadId: string): void {
  sql.exec(
    "DELETE FROM payloads WHERE ord IN (SELECT ord FROM deliveries WHERE thread_id = ? AND state <> 'recorded')",
    threadId,
  )
}

/** The number of deliveries whose runs have not begun. */
export function countWaiting(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM deliveries WHERE state = 'recorded'").one().n
}

/** Whether a delivery waits in this thread. */
export function hasWaiting(sql: SqlStorage, threadId: string): boolean {
  const query = "SELECT 1 FROM deliveries WHERE state = 'recorded' AND thread_id = ? LIMIT 1"
  return sql.exec(query, threadId).toArray().length > 0
}

type RecordedRow = Omit<RecordedDelivery, 'body'> & { readonly body: ArrayBuffer }

/**
 * Whether a delivery is due; ?1 is the current time. A wait longer than the cap was recorded before the clock
 * was set back, so it counts as over.
 */
const IS_DUE = `(next_try_at <= ?1 OR next_try_at > ?1 + ${START_PAUSE_MAX_MS})`
/** Whether a delivery is the oldest one that waits in its thread; the others start after it, in order. */
const IS_FIRST = `NOT EXISTS
  (SELECT 1 FROM deliveries e WHERE e.state = 'recorded' AND e.thread_id = deliveries.thread_id AND e.ord < deliveries.ord)`

/** The next delivery to start. */
export function nextDue(sql: SqlStorage, now: number): RecordedDelivery | null {
  const row = sql
    .exec<RecordedRow>(
      `SELECT delivery_id AS id, webhook_id AS webhookId, digest, payloads.body AS body, thread_id AS threadId,
         run_id AS runId, build, deliveries.received_at AS receivedAt, tries
       FROM deliveries JOIN payloads USING (ord) WHERE state = 'recorded' AND ${IS_DUE} AND ${IS_FIRST} ORDER BY ord LIMIT 1`,
      now,
    )
    .toArray()[0]
  return row ? { ...row, body: new Uint8Array(row.body) } : null
}

/** `keeps`: whether the body and headers are kept after the delivery no longer waits. */
export function settleDelivery(
  sql: SqlStorage,
  id: string,
  outcome: StartOutcome,
  now: number,
  keeps: boolean,
): void {
  if (outcome.state === 'recorded') {
    const wait = 'UPDATE deliveries SET tries = ?, next_try_at = ?, problem = ? WHERE delivery_id = ?'
    sql.exec(wait, outcome.tries, now + outcome.waitMs, outcome.problem, id)
    return
  }
  if (outcome.state === 'started') {
    // The successful attempt counts, too.
    const start =
      "UPDATE deliveries SET state = 'started', tries = tries + 1, problem = NULL, settled_at = ? WHERE delivery_id = ?"
    sql.exec(start, now, id)
  } else {
    const end =
      "UPDATE deliveries SET state = 'dead', unannounced = 1, tries = ?1, problem = ?2, next_try_at = ?3, settled_at = ?3 WHERE delivery_id = ?4"
    sql.exec(end, outcome.tries, outcome.problem, now, id)
  }
  if (!keeps)
    sql.exec('DELETE FROM payloads WHERE ord = (SELECT ord FROM deliveries WHERE delivery_id = ?)', id)
}

/** Makes the first delivery that waits in a thread due. */
export function endThreadWait(sql: SqlStorage, threadId: string, now: number): void {
  sql.exec(
    `UPDATE deliveries SET next_try_at = ?1 WHERE next_try_at > ?1 AND ord =
       (SELECT ord FROM deliveries WHERE state = 'recorded' AND thread_id = ?2 ORDER BY ord LIMIT 1)`,
    now,
    threadId,
  )
}

/** Postpones the other due deliveries of this build, because they lack the same skills. */
export function postponeBuild(
  sql: SqlStorage,
  build: string,
  waitMs: number,
  problem: string,
  now: number,
): void {
  sql.exec(
    `UPDATE deliveries SET next_try_at = ?1 + ?2, problem = ?3
      WHERE state = 'recorded' AND build = ?4 AND ${IS_DUE}`,
    now,
    waitMs,
    problem,
    build,
  )
}

/** When the object must wake up: at the next attempt, or when the oldest row or body expires. Null if never. */
export function nextWake(sql: SqlStorage, now: number, keepMs: number): number | null {
  const open = `SELECT min(iif(${IS_DUE}, ?1, next_try_at)) AS at FROM deliveries WHERE state = 'recorded' AND ${IS_FIRST}`
  const old = `SELECT received_at + ? AS at FROM deliveries WHERE state <> 'recorded' ORDER BY received_at LIMIT 1`
  const kept = `SELECT received_at + ? AS at FROM payloads
    WHERE (SELECT state FROM deliveries d WHERE d.ord = payloads.ord) NOT IN ('recorded', 'paused') ORDER BY ord LIMIT 1`
  const unannounced =
    'SELECT next_try_at AS at FROM deliveries WHERE unannounced = 1 ORDER BY next_try_at LIMIT 1'
  const times = [
    ...sql.exec<{ at: number | null }>(open, now).toArray(),
    ...sql.exec<{ at: number | null }>(unannounced).toArray(),
    ...sql.exec<{ at: number | null }>(old, DELIVERY_RETENTION_MS).toArray(),
    ...sql.exec<{ at: number | null }>(kept, keepMs).toArray(),
  ].flatMap(({ at }) => (at === null ? [] : [at]))
  return times.length === 0 ? null : Math.min(...times)
}

/**
 * Deletes old deliveries, which no sender will repeat, and bodies that were kept for `keepMs`. Deliveries whose run has not begun are
 * never deleted.
 */
export function sweep(sql: SqlStorage, now: number, keepMs = 0): void {
  sql.exec(
    `DELETE FROM payloads WHERE ord <= (SELECT ord FROM deliveries WHERE received_at <= ? ORDER BY received_at DESC LIMIT 1)
       AND (SELECT state FROM deliveries d WHERE d.ord = payloads.ord) NOT IN ('recorded', 'paused')`,
    now - keepMs,
  )
  sql.exec(
    "DELETE FROM deliveries WHERE state <> 'recorded' AND received_at <= ?",
    now - DELIVERY_RETENTION_MS,
  )
}
