// The rows of an endpoint: its configuration and its log. Each function runs one or two synchronous statements and makes
// no decisions.

import { rfc3339 } from '../lib/clock.ts'
import {
  CALLBACK_JITTER,
  CALLBACK_LOG_MAX,
  CALLBACK_LOG_RETENTION_MS,
  CALLBACK_PAUSES_MS,
  CALLBACKS_WAITING_MAX,
} from './limits.ts'
import type { SealedSigning } from '../secrets/signing.ts'
import type { SendResult } from './attempt.ts'
import type { EndpointConfig, LogEntry, OutgoingEvent } from './api.ts'

export interface StoredEndpoint extends Omit<EndpointConfig, 'secret'>, SealedSigning {
  /** Epoch milliseconds. */
  readonly failingSince: number | null
  readonly disabled: string | null
}

type EndpointRow = Omit<StoredEndpoint, 'events' | 'answer' | 'previous'> & {
  readonly events: string
  readonly answer: number
  readonly previous_sealed: string | null
  readonly previous_until: number | null
}

export function readEndpoint(sql: SqlStorage): StoredEndpoint | null {
  const row = sql
    .exec<EndpointRow & Record<string, SqlStorageValue>>(
      `SELECT id, workspace, url, events, answer, sealed, previous_sealed, previous_until, created_at,
         failing_since AS failingSince, disabled FROM endpoint WHERE k = 1`,
    )
    .toArray()[0]
  if (!row) return null
  const { previous_sealed, previous_until, events, answer, ...endpoint } = row
  return {
    ...endpoint,
    // The cast is safe: only writeEndpoint writes this column.
    events: JSON.parse(events) as EndpointConfig['events'],
    answer: answer === 1,
    previous:
      previous_sealed === null || previous_until === null
        ? null
        : { sealed: previous_sealed, until: previous_until },
  }
}

export function writeEndpoint(sql: SqlStorage, endpoint: StoredEndpoint): void {
  sql.exec(
    'INSERT OR REPLACE INTO endpoint VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    endpoint.id,
    endpoint.workspace,
    endpoint.url,
    JSON.stringify(endpoint.events),
    endpoint.answer ? 1 : 0,
    endpoint.sealed,
    endpoint.previous?.sealed ?? null,
    endpoint.previous?.until ?? null,
    endpoint.created_at,
    endpoint.failingSince,
    endpoint.disabled,
  )
}

/** The same secret under another key. */
export function resealEndpoint(sql: SqlStorage, from: string, to: string): void {
  sql.exec('UPDATE endpoint SET sealed = ?2 WHERE sealed = ?1', from, to)
  sql.exec('UPDATE endpoint SET previous_sealed = ?2 WHERE previous_sealed = ?1', from, to)
}

/** Inserts an event, unless it is already in the log. A `problem` says why it is never sent. */
export function insertEvent(
  sql: SqlStorage,
  { id, type, body }: OutgoingEvent,
  url: string,
  problem: string | null,
  now: number,
): void {
  sql.exec(
    `INSERT INTO log (event_id, type, url, body, state, created_at, next_attempt_at, problem)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    id,
    type,
    url,
    body,
    problem === null ? 'waiting' : 'skipped',
    now,
    problem === null ? now : null,
    problem,
  )
}

/** Whether the endpoint already has the maximum number of waiting events. */
export function isFull(sql: SqlStorage): boolean {
  return countWaitingEvents(sql) >= CALLBACKS_WAITING_MAX
}

export function countWaitingEvents(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM log WHERE state = 'waiting'").one().n
}

export interface DueEvent {
  readonly entry: number
  readonly id: string
  readonly url: string
  readonly body: string
  readonly attempts: number
}

/**
 * SQL: whether an event is due; ?1 is the current time. If more time is left than the longest pause, the clock was set
 * back after the attempt, so the wait counts as over.
 */
const IS_DUE = `(next_attempt_at <= ?1 OR next_attempt_at > ?1 + ${Math.max(...CALLBACK_PAUSES_MS) * (1 + CALLBACK_JITTER)})`

export function dueEvents(sql: SqlStorage, limit: number, now: number): readonly DueEvent[] {
  const query = `SELECT id AS entry, event_id AS id, url, body, attempts FROM log
    WHERE state = 'waiting' AND ${IS_DUE} ORDER BY next_attempt_at LIMIT ?2`
  return sql.exec<DueEvent & Record<string, SqlStorageValue>>(query, now, limit).toArray()
}

/** Records an attempt. Without `nextAt`, a failed event is not sent again. */
export function settleEvent(
  sql: SqlStorage,
  entry: number,
  { sent, status, problem }: SendResult,
  nextAt: number | null,
  now: number,
): void {
  sql.exec(
    `UPDATE log SET state = ?, attempts = attempts + 1, last_attempt_at = ?, next_attempt_at = ?, status = ?, problem = ?
     WHERE id = ? AND (state = 'waiting' OR (?1 = 'sent' AND state = 'failed'))`,
    sent ? 'sent' : nextAt === null ? 'failed' : 'waiting',
    now,
    sent ? null : nextAt,
    status,
    problem,
    entry,
  )
}

/** Lets an event wait that could not be tried, which does not count as an attempt. */
export function postponeEvent(sql: SqlStorage, entry: number, problem: string, nextAt: number): void {
  const change = "UPDATE log SET next_attempt_at = ?, problem = ? WHERE id = ? AND state = 'waiting'"
  sql.exec(change, nextAt, problem, entry)
}

/** Records all waiting events as failed. */
export function failWaiting(sql: SqlStorage, problem: string): void {
  sql.exec(
    "UPDATE log SET state = 'failed', next_attempt_at = NULL, problem = ? WHERE state = 'waiting'",
    problem,
  )
}

/** Skips the waiting events of a restored endpoint: the deployment of the backup may have sent them. */
export function skipWaiting(sql: SqlStorage): void {
  sql.exec(
    "UPDATE log SET state = 'skipped', next_attempt_at = NULL, problem = ? WHERE state = 'waiting'",
    'It had not been sent when the endpoint was backed up, so the restore skipped it. Replay it to send it.',
  )
}

/** Gives the new address of the endpoint to what was not sent to the old one. Events of a callback keep their own. */
export function moveEvents(sql: SqlStorage, from: string, to: string): void {
  sql.exec("UPDATE log SET url = ?2 WHERE url = ?1 AND state <> 'sent'", from, to)
}

/** Makes the event due again. Returns false if there is no such event. */
export function renewEvent(sql: SqlStorage, entry: number, now: number): boolean {
  const change = `UPDATE log SET state = 'waiting', attempts = 0, next_attempt_at = ?, problem = NULL
    WHERE id = ? RETURNING id`
  return sql.exec(change, now, entry).toArray().length > 0
}

/** Removes from the events of a thread what its users wrote, what the model answered, and the receipt. */
export function forgetThreadEvents(sql: SqlStorage, thread: string): void {
  sql.exec(
    `UPDATE log SET body = json_remove(body, '$.data.answer', '$.data.receipt', '$.data.metadata', '$.data.waiting')
     WHERE body ->> '$.data.thread_id' = ?`,
    thread,
  )
}

/** Returns when the object must wake up: at the next attempt, or when the oldest entry expires. Null if never. */
export function nextCallbackWake(sql: SqlStorage, now: number): number | null {
  const waiting = `SELECT min(iif(${IS_DUE}, ?1, next_attempt_at)) AS at FROM log WHERE state = 'waiting'`
  const old = `SELECT created_at + ? AS at FROM log WHERE state <> 'waiting' ORDER BY id LIMIT 1`
  const times = [
    ...sql.exec<{ at: number | null }>(waiting, now).toArray(),
    ...sql.exec<{ at: number | null }>(old, CALLBACK_LOG_RETENTION_MS).toArray(),
  ].flatMap(({ at }) => (at === null ? [] : [at]))
  return times.length === 0 ? null : Math.min(...times)
}

/** Deletes entries that are too old, and the oldest ones above the maximum. Never deletes waiting events. */
export function sweepLog(sql: SqlStorage, now: number): void {
  sql.exec(
    `DELETE FROM log WHERE state <> 'waiting' AND (created_at <= ? OR id <= (SELECT max(id) FROM log) - ?)`,
    now - CALLBACK_LOG_RETENTION_MS,
    CALLBACK_LOG_MAX,
  )
}

type LogRow = Omit<LogEntry, 'created_at' | 'last_attempt_at' | 'next_attempt_at'> & {
  readonly created_at: number
  readonly last_attempt_at: number | null
  readonly next_attempt_at: number | null
}

const SELECT_LOG = `SELECT id, event_id, type, url, state, attempts, created_at, last_attempt_at, next_attempt_at, status,
  problem FROM log`

function entryOf(row: LogRow): LogEntry {
  const time = (ms: number | null): string | null => (ms === null ? null : rfc3339(ms))
  return {
    ...row,
    created_at: rfc3339(row.created_at),
    last_attempt_at: time(row.last_attempt_at),
    next_attempt_at: time(row.next_attempt_at),
  }
}

export function listLog(
  sql: SqlStorage,
  state: LogEntry['state'] | null,
  before: number | null,
  limit: number,
): readonly LogEntry[] {
  return sql
    .exec<LogRow & Record<string, SqlStorageValue>>(
      `${SELECT_LOG} WHERE (?1 IS NULL OR state = ?1) AND id < ?2 ORDER BY id DESC LIMIT ?3`,
      state,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    .toArray()
    .map(entryOf)
}

export function logEntry(sql: SqlStorage, entry: number): LogEntry | null {
  const row = sql
    .exec<LogRow & Record<string, SqlStorageValue>>(`${SELECT_LOG} WHERE id = ?`, entry)
    .toArray()[0]
  return row ? entryOf(row) : null
}
