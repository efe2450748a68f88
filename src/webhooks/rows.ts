// The rows of a hook: its configuration and its deliveries. Each function runs one or two synchronous
// statements and makes no decisions.

import { rfc3339 } from '../lib/clock.ts'
import { START_PAUSE_MAX_MS } from '../unattended/limits.ts'
import type { StartOutcome } from '../unattended/start.ts'
import { DELIVERY_RETENTION_MS } from './limits.ts'
import type { DeliveryInfo, HookConfig } from './api.ts'
import type { RecordedDelivery } from './deliveries.ts'

/** What is stored as JSON: all fields of a hook but those with a column. */
type HookFields = Omit<HookConfig, 'id' | 'workspace' | 'secret'>

type HookRow = Pick<HookConfig, 'id' | 'workspace' | 'secret'> & {
  readonly removed: number
  readonly config: string
  readonly previous_secret: string | null
  readonly previous_until: number | null
}

export interface StoredHook extends HookConfig {
  /** If true, the hook is deleted once every promised run exists. */
  readonly removed: boolean
  /** The replaced secret, and until when it is valid, in epoch milliseconds. */
  readonly previous: { readonly secret: string; readonly until: number } | null
}

export function readHook(sql: SqlStorage): StoredHook | null {
  const query =
    'SELECT id, workspace, secret, previous_secret, previous_until, config, removed FROM hook WHERE k = 1'
  const row = sql.exec<HookRow>(query).toArray()[0]
  if (!row) return null
  const { id, workspace, secret, previous_secret, previous_until, config, removed } = row
  return {
    // The cast is safe: only writeHook and changeHook write this column.
    ...(JSON.parse(config) as HookFields),
    id,
    workspace,
    secret,
    removed: removed === 1,
    previous:
      previous_secret === null || previous_until === null
        ? null
        : { secret: previous_secret, until: previous_until },
  }
}

/** Creates the hook, or replaces it with its secrets. */
export function writeHook(sql: SqlStorage, hook: HookConfig): void {
  sql.exec(
    'INSERT OR REPLACE INTO hook (k, id, workspace, secret, config) VALUES (1, ?, ?, ?, ?)',
    hook.id,
    hook.workspace,
    hook.secret,
    fieldsOf(hook),
  )
}

/** Changes everything but the ID and the secrets. */
export function changeHook(sql: SqlStorage, hook: HookConfig): void {
  sql.exec('UPDATE hook SET config = ?', fieldsOf(hook))
}

// The fields with a column are left out.
function fieldsOf(hook: HookConfig): string {
  return JSON.stringify({ ...hook, id: undefined, workspace: undefined, secret: undefined })
}

/** Replaces the secret; the current one stays valid until `until`. */
export function replaceSecret(sql: SqlStorage, secret: string, until: number): void {
  const change = 'UPDATE hook SET previous_secret = secret, previous_until = ?, secret = ?'
  sql.exec(change, until, secret)
}

/** Deletes the secrets immediately. Waiting deliveries become due, so that they can end. */
export function markRemoved(sql: SqlStorage): void {
  sql.exec("UPDATE hook SET removed = 1, secret = '', previous_secret = NULL")
  sql.exec("UPDATE deliveries SET next_try_at = 0, tries = 0 WHERE state = 'recorded'")
}

type DeliveryRow = {
  readonly delivery_id: string
  readonly thread_id: string
  readonly run_id: string
  readonly digest: string
  readonly state: string
}

const FOUND = 'SELECT delivery_id, thread_id, run_id, digest, state FROM deliveries'

export function findById(sql: SqlStorage, webhookId: string): DeliveryRow | null {
  return sql.exec<DeliveryRow>(`${FOUND} WHERE webhook_id = ?`, webhookId).toArray()[0] ?? null
}

/** The newest delivery with the same bytes that was received at `since` or later. */
export function findByDigest(sql: SqlStorage, digest: string, since: number): DeliveryRow | null {
  const query = `${FOUND} WHERE digest = ? AND received_at >= ? ORDER BY received_at DESC LIMIT 1`
  return sql.exec<DeliveryRow>(query, digest, since).toArray()[0] ?? null
}

export function insertDelivery(sql: SqlStorage, delivery: RecordedDelivery): void {
  sql.exec(
    `INSERT INTO deliveries
       (webhook_id, delivery_id, digest, body, thread_id, run_id, build, state, next_try_at, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'recorded', ?, ?)`,
    // The bytes are copied, because they may be a view into a larger buffer, and only complete buffers can be
    // bound.
    delivery.webhookId,
    delivery.id,
    delivery.digest,
    delivery.body.slice().buffer,
    delivery.threadId,
    delivery.runId,
    delivery.build,
    delivery.receivedAt,
    delivery.receivedAt,
  )
}

export function countMismatch(sql: SqlStorage, webhookId: string, now: number): void {
  const change = 'UPDATE deliveries SET mismatches = mismatches + 1, mismatch_at = ? WHERE webhook_id = ?'
  sql.exec(change, now, webhookId)
}

/** The number of deliveries whose runs have not begun. */
export function countWaiting(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM deliveries WHERE state = 'recorded'").one().n
}

type RecordedRow = Omit<RecordedDelivery, 'body'> & { readonly body: ArrayBuffer; readonly due: number }

/**
 * Whether a delivery is due; ?1 is the current time. A wait longer than the cap was recorded before the clock
 * was set back, so it counts as over.
 */
const IS_DUE = `(next_try_at <= ?1 OR next_try_at > ?1 + ${START_PAUSE_MAX_MS})`

/**
 * The next delivery to start. If all deliveries go to one thread, they start in order, so only the oldest one
 * may be next.
 */
export function nextDue(sql: SqlStorage, thread: HookConfig['thread'], now: number): RecordedDelivery | null {
  const row = sql
    .exec<RecordedRow>(
      `SELECT delivery_id AS id, webhook_id AS webhookId, digest, body, thread_id AS threadId, run_id AS runId, build,
         received_at AS receivedAt, tries, ${IS_DUE} AS due
       FROM deliveries WHERE state = 'recorded' AND (?2 = 'one' OR ${IS_DUE}) ORDER BY ord LIMIT 1`,
      now,
      thread,
    )
    .toArray()[0]
  return row && row.due !== 0 ? { ...row, body: new Uint8Array(row.body) } : null
}

export function settleDelivery(sql: SqlStorage, id: string, outcome: StartOutcome, now: number): void {
  if (outcome.state === 'started') {
    // The successful attempt counts, too. The body is deleted, because it is now part of the run's message.
    const change = `UPDATE deliveries SET state = 'started', tries = tries + 1, body = NULL, problem = NULL
      WHERE delivery_id = ?`
    sql.exec(change, id)
    return
  }
  sql.exec(
    'UPDATE deliveries SET state = ?, unannounced = ?, tries = ?, next_try_at = ?, problem = ? WHERE delivery_id = ?',
    outcome.state,
    outcome.state === 'dead' ? 1 : 0,
    outcome.tries,
    outcome.state === 'dead' ? now : now + outcome.waitMs,
    outcome.problem,
    id,
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

/** When the object must wake up: at the next attempt, or when the oldest row expires. Null if never. */
export function nextWake(sql: SqlStorage, thread: HookConfig['thread'], now: number): number | null {
  const open = `SELECT iif(${IS_DUE}, ?1, next_try_at) AS at FROM deliveries WHERE state = 'recorded'
    ORDER BY ${thread === 'one' ? 'ord' : 'at'} LIMIT 1`
  const old = `SELECT received_at + ? AS at FROM deliveries WHERE state <> 'recorded' ORDER BY received_at LIMIT 1`
  const unannounced =
    'SELECT next_try_at AS at FROM deliveries WHERE unannounced = 1 ORDER BY next_try_at LIMIT 1'
  const times = [
    ...sql.exec<{ at: number }>(open, now).toArray(),
    ...sql.exec<{ at: number }>(unannounced).toArray(),
    ...sql.exec<{ at: number }>(old, DELIVERY_RETENTION_MS).toArray(),
  ].map((row) => row.at)
  return times.length === 0 ? null : Math.min(...times)
}

/**
 * Deletes old deliveries, which no sender will repeat. Deliveries whose run has not begun are never deleted.
 */
export function sweep(sql: SqlStorage, now: number): void {
  const change = "DELETE FROM deliveries WHERE state <> 'recorded' AND received_at <= ?"
  sql.exec(change, now - DELIVERY_RETENTION_MS)
}

type InfoRow = Omit<DeliveryInfo, 'received_at'> & { readonly received_at: number }

/** Lists deliveries, newest first, before a position in the order. */
export function listDeliveries(
  sql: SqlStorage,
  limit: number,
  before: number | null,
): readonly DeliveryInfo[] {
  const query = `SELECT ord AS "order", delivery_id AS id, webhook_id, state, thread_id, run_id, received_at, tries, problem, mismatches
    FROM deliveries WHERE ord < ? ORDER BY ord DESC LIMIT ?`
  return sql
    .exec<InfoRow>(query, before ?? Number.MAX_SAFE_INTEGER, limit)
    .toArray()
    .map((row) => ({ ...row, received_at: rfc3339(row.received_at) }))
}
