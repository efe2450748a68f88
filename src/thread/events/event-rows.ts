// The rows of the event log. A row holds the events that one block wrote for a run: a single event as JSON,
// several as a list.

import type { EventBody } from '../../agent/events.ts'
import type { Usage } from '../../agent/message.ts'
import { readStored } from '../rows/stored-json.ts'
import type { Span } from './partial-answer.ts'

/** The stored form of message.completed. The message itself is in the transcript. */
export interface StoredMessageEvent {
  readonly type: 'message.completed'
  readonly step: number
  /** The message's number in the transcript. */
  readonly message_seq: number
  readonly model_stop: string
  readonly usage: Usage
  readonly spans: readonly Span[]
}

export type StoredEvent = EventBody | StoredMessageEvent

/** One event with its number and time. `stored` is null if the event cannot be read. */
export interface LoggedEvent {
  readonly seq: number
  readonly at: number
  readonly stored: StoredEvent | null
}

/**
 * A row of the log: the events that one block wrote for a run. Type, number and time are those of the last
 * event.
 */
export type LogRow = {
  readonly seq: number
  readonly from: number
  readonly runId: string
  readonly type: string
  readonly body: string
  readonly at: number
}

/** Selects rows of type LogRow. */
const SELECT_EVENTS = 'SELECT seq, from_seq AS "from", run_id AS runId, type, body, at FROM events'

/** An event that is not in a row yet. */
export interface UnwrittenEvent extends LoggedEvent {
  readonly runId: string
  readonly type: string
}

/** The body of a row that contains these events. */
function bodyOf(entries: readonly LoggedEvent[]): string {
  const [only] = entries
  return JSON.stringify(
    entries.length === 1 ? only?.stored : entries.map(({ seq, at, stored }) => ({ seq, at, stored })),
  )
}

/** The events of a row, in order. */
export function entriesOf(row: LogRow): readonly LoggedEvent[] {
  const parsed = readStored<StoredEvent | readonly LoggedEvent[]>(row.body)
  return isList(parsed) ? parsed : [{ seq: row.seq, at: row.at, stored: parsed }]
}

function isList(parsed: StoredEvent | readonly LoggedEvent[] | null): parsed is readonly LoggedEvent[] {
  return Array.isArray(parsed)
}

/** Inserts one row, and returns the number of the last event that has a row. */
export function insertEvents(sql: SqlStorage, from: number, events: readonly UnwrittenEvent[]): number {
  const last = events.at(-1)
  if (!last) return from - 1
  sql.exec(
    'INSERT INTO events (seq, from_seq, run_id, type, body, at) VALUES (?, ?, ?, ?, ?, ?)',
    last.seq,
    from,
    last.runId,
    last.type,
    bodyOf(events),
    last.at,
  )
  return last.seq
}

/**
 * Selects rows of run ?1 after number ?2. The run's first and last numbers are known, so no index by run is needed.
 */
const WHERE_RUN = `run_id = ?1
  AND seq > max(?2, (SELECT first_seq FROM runs WHERE id = ?1) - 1)
  AND seq <= coalesce((SELECT last_seq FROM runs WHERE id = ?1), ${Number.MAX_SAFE_INTEGER})`

/** Returns at most `limit` rows after `after`, oldest first. */
export function rowsAfter(
  sql: SqlStorage,
  after: number,
  runId: string | null,
  limit: number,
): readonly LogRow[] {
  const rows =
    runId === null
      ? sql.exec<LogRow>(`${SELECT_EVENTS} WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit)
      : sql.exec<LogRow>(`${SELECT_EVENTS} WHERE ${WHERE_RUN} ORDER BY seq LIMIT ?3`, runId, after, limit)
  return rows.toArray()
}

export function terminalRow(sql: SqlStorage, runId: string): LogRow | null {
  const rows = sql.exec<LogRow>(
    `${SELECT_EVENTS} WHERE seq = (SELECT last_seq FROM runs WHERE id = ?)`,
    runId,
  )
  return rows.toArray()[0] ?? null
}

/** The step that a run started last, as its readers saw it. */
export function lastStartedStep(sql: SqlStorage, runId: string): number | null {
  for (const row of sql.exec<LogRow>(`${SELECT_EVENTS} WHERE ${WHERE_RUN} ORDER BY seq DESC`, runId, 0))
    for (const { stored } of entriesOf(row).toReversed())
      if (stored?.type === 'step.started') return stored.step
  return null
}

/** The number and time of the newest event that has a row, or zeros if there is no row. */
export function lastEvent(sql: SqlStorage): { readonly seq: number; readonly at: number } {
  const [row] = sql
    .exec<{ seq: number; at: number }>('SELECT seq, at FROM events ORDER BY seq DESC LIMIT 1')
    .toArray()
  return row ?? { seq: 0, at: 0 }
}
