// The rows of a schedule: its configuration and its occurrences, which are deliveries of its own clock. Each function
// runs one synchronous statement or two, and makes no decisions.

import { rfc3339 } from '../lib/clock.ts'
import type { OccurrenceInfo, ScheduleConfig } from './api.ts'

export interface StoredSchedule extends ScheduleConfig {
  /** The one thread of all runs; null if each run gets its own. */
  readonly threadId: string | null
  readonly paused: boolean
  /** The first planned time that was not handled, in epoch milliseconds. */
  readonly nextAt: number | null
  /** If true, the schedule is deleted once all its promised runs exist. */
  readonly removed: boolean
}

type ScheduleRow = {
  readonly config: string
  readonly thread_id: string | null
  readonly paused: number
  readonly next_at: number | null
  readonly removed: number
}

export function readSchedule(sql: SqlStorage): StoredSchedule | null {
  const query = 'SELECT config, thread_id, paused, next_at, removed FROM schedule WHERE k = 1'
  const row = sql.exec<ScheduleRow>(query).toArray()[0]
  if (!row) return null
  return {
    // The cast is safe: only writeSchedule writes this column.
    ...(JSON.parse(row.config) as ScheduleConfig),
    threadId: row.thread_id,
    paused: row.paused === 1,
    nextAt: row.next_at,
    removed: row.removed === 1,
  }
}

/** Creates the schedule, or replaces its configuration. */
export function writeSchedule(
  sql: SqlStorage,
  config: ScheduleConfig,
  threadId: string | null,
  nextAt: number | null,
): void {
  sql.exec(
    `INSERT INTO schedule (k, config, thread_id, next_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (k) DO UPDATE SET config = excluded.config, thread_id = excluded.thread_id, next_at = excluded.next_at`,
    JSON.stringify(config),
    threadId,
    nextAt,
  )
}

export function setNext(sql: SqlStorage, nextAt: number | null): void {
  sql.exec('UPDATE schedule SET next_at = ?', nextAt)
}

export function setPaused(sql: SqlStorage, paused: boolean, nextAt: number | null): void {
  sql.exec('UPDATE schedule SET paused = ?, next_at = ?', paused ? 1 : 0, nextAt)
}

/**
 * Pauses a restored schedule, and skips its waiting occurrences, which the deployment of the backup may have started.
 */
export function pauseRestored(sql: SqlStorage): void {
  sql.exec('UPDATE schedule SET paused = 1, next_at = NULL')
  sql.exec(
    "UPDATE deliveries SET state = 'skipped', problem = ?, settled_at = received_at WHERE state = 'recorded'",
    'It had not started when the schedule was backed up, so the restore skipped it.',
  )
  sql.exec('UPDATE deliveries SET unannounced = 0 WHERE unannounced = 1')
}

/** Waiting occurrences become due, so that they can end. */
export function markScheduleRemoved(sql: SqlStorage): void {
  sql.exec('UPDATE schedule SET removed = 1, next_at = NULL')
  sql.exec("UPDATE deliveries SET next_try_at = 0, tries = 0 WHERE state = 'recorded'")
}

/** What starts a run: a planned time, or a request. */
export type Trigger = { readonly planned: number } | { readonly requested: string }

/** The text of a trigger in the column webhook_id, which is unique. */
export function triggerKey(trigger: Trigger): string {
  return 'planned' in trigger ? rfc3339(trigger.planned) : `run:${trigger.requested}`
}

/** The planned time in a trigger's text, or null. */
export function plannedAt(key: string | null): string | null {
  return key !== null && /^\d{4}-/.test(key) ? key : null
}

/**
 * Records planned times that do not run, with the reason. `key` may be the first of them, but never prevents that time
 * from running when the clock is set back.
 */
export function insertSkipped(
  sql: SqlStorage,
  id: string,
  first: number,
  problem: string,
  now: number,
): void {
  sql.exec(
    `INSERT OR IGNORE INTO deliveries
       (webhook_id, delivery_id, digest, thread_id, run_id, build, state, next_try_at, received_at, problem)
     VALUES (?, ?, '', '', '', '', 'skipped', ?, ?, ?)`,
    SKIPPED + rfc3339(first),
    id,
    now,
    now,
    problem,
  )
}

const SKIPPED = 'skipped:'

type OccurrenceRow = Omit<OccurrenceInfo, 'recorded_at' | 'planned_at' | 'thread_id' | 'run_id'> & {
  readonly key: string
  readonly thread_id: string
  readonly run_id: string
  readonly received_at: number
}

/** Lists occurrences, newest first, before a position in the order. */
export function listOccurrences(
  sql: SqlStorage,
  limit: number,
  before: number | null,
): readonly OccurrenceInfo[] {
  const query = `SELECT ord AS "order", delivery_id AS id, webhook_id AS key, state, thread_id, run_id, received_at, tries, problem
    FROM deliveries WHERE ord < ? ORDER BY ord DESC LIMIT ?`
  return sql
    .exec<OccurrenceRow>(query, before ?? Number.MAX_SAFE_INTEGER, limit)
    .toArray()
    .map(({ order, id, key, state, thread_id, run_id, received_at, tries, problem }) => ({
      order,
      id,
      planned_at: plannedAt(key.replace(SKIPPED, '')),
      state,
      thread_id: thread_id === '' ? null : thread_id,
      run_id: run_id === '' ? null : run_id,
      recorded_at: rfc3339(received_at),
      tries,
      problem,
    }))
}
