// Lists the rows of runs. Imported when it is needed.

import { DAY_MS, rfc3339 } from '../lib/clock.ts'
import { BAD_CURSOR, cutPage, decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import { amountsOf } from './amounts.ts'
import { RUNS_SCANNED_MAX } from './limits.ts'
import type { RunFilter, RunInfo } from './run-api.ts'
import type { SummedRow } from './usage-days.ts'

type Row = SummedRow & {
  readonly run: string
  readonly thread: string | null
  readonly status: RunInfo['status']
  readonly stop_reason: string | null
  readonly accepted_at: number
  readonly started_at: number | null
  readonly first_text_at: number | null
  readonly waited_ms: number
  readonly recoveries: number
  readonly interrupted_waits: number
  readonly rating: RunInfo['rating']
}

function infoOf(row: Row): RunInfo {
  return {
    run_id: row.run,
    thread_id: row.thread,
    key: row.key,
    user: row.user,
    model: row.model,
    // The cast is safe: only insertRun() writes this column.
    skills: (JSON.parse(row.skills) as [string, string][]).map(([name, digest]) => ({ name, digest })),
    status: row.status,
    stop_reason: row.stop_reason,
    accepted_at: rfc3339(row.accepted_at),
    started_at: row.started_at === null ? null : rfc3339(row.started_at),
    first_text_at: row.first_text_at === null ? null : rfc3339(row.first_text_at),
    ended_at: rfc3339(row.ended_at),
    waited_s: row.waited_ms / 1000,
    ...amountsOf(row),
    recoveries: row.recoveries,
    interrupted_waits: row.interrupted_waits,
    rating: row.rating,
  }
}

/** The conditions of a filter, except its times, with the values of their parameters. */
function conditionsOf(filter: RunFilter): readonly (readonly [condition: string, value: string])[] {
  const { thread, key, user, hook, model, skill, status, rating } = filter
  const pairs = [
    ['thread = ?', thread],
    ['key = ?', key],
    ['user = ?', user],
    // With or without the prefix that it has in `key` and in sums.
    [
      "substr(key, instr(key, ':') + 1) = ? AND instr(key, ':') > 0",
      hook?.replace(/^(?:hook|schedule):/, ''),
    ],
    ['model = ?', model],
    ['EXISTS (SELECT 1 FROM json_each(skills) WHERE value ->> 0 = ?)', skill],
    ['status = ?', status],
    ['rating = ?', rating],
  ] as const
  return pairs.flatMap(([condition, value]) => (value === undefined ? [] : [[condition, value] as const]))
}

/**
 * Lists runs that have ended, the newest end first. Reads a limited number of rows, so that a rare match does not block
 * the workspace: a page may then have fewer runs than `limit` although others follow.
 */
export function listRuns(
  sql: SqlStorage,
  filter: RunFilter,
  keepAfter: number,
  cursor: string | null,
  limit: number,
): Result<Page<RunInfo>> {
  const end = filter.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(filter.to) + DAY_MS
  const position = cursor === null ? [end, ''] : decodeCursor(cursor, ['number', 'string'])
  if (!position) return err(BAD_CURSOR)
  const [beforeTime, beforeRun] = position
  const from = Math.max(filter.from === undefined ? 0 : Date.parse(filter.from), keepAfter)
  const conditions = conditionsOf(filter)
  const scanned = `SELECT * FROM run_rows WHERE (ended_at, run) < (?, ?) AND ended_at >= ?
     ORDER BY ended_at DESC, run DESC LIMIT ${RUNS_SCANNED_MAX}`
  const start = [beforeTime ?? end, beforeRun ?? '', from] as const
  const where = conditions.map(([condition]) => `(${condition})`).join(' AND ')
  const rows = sql
    .exec<Row>(
      `SELECT * FROM (${scanned}) ${where === '' ? '' : `WHERE ${where}`} LIMIT ?`,
      ...start,
      ...conditions.map(([, value]) => value),
      limit + 1,
    )
    .toArray()
  const page = cutPage(rows, limit, ({ ended_at, run }) => [ended_at, run])
  const data = page.data.map(infoOf)
  if (page.next_cursor !== null) return ok({ data, next_cursor: page.next_cursor })
  // The last row that was read, if there are more.
  const [last] = sql
    .exec<Pick<Row, 'ended_at' | 'run'>>(
      `SELECT ended_at, run FROM run_rows WHERE (ended_at, run) < (?, ?) AND ended_at >= ?
       ORDER BY ended_at DESC, run DESC LIMIT 1 OFFSET ${RUNS_SCANNED_MAX - 1}`,
      ...start,
    )
    .toArray()
  const next = last ? encodeCursor([last.ended_at, last.run]) : null
  return ok({ data, next_cursor: next })
}
