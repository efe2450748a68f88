// One row for each run that has ended: written once, from the report of its end. Rows of deleted threads keep their
// amounts, but no longer their thread, user and skills. `usage-days.ts` sums them, `run-list.ts` lists them.

import { microUsd } from '../lib/money.ts'
import { RUN_ROWS_UPDATED_MAX, RUN_SKILLS_MAX } from './limits.ts'
import { settleLeases } from './cap-sums.ts'
import type { RunInfo, RunRecord } from './run-api.ts'
import { countRow, sumAll } from './usage-days.ts'

/**
 * Records a run that has ended, unless it is recorded already. Rows of runs that ended before `keepAfter` may be
 * deleted.
 */
export function recordRun(
  sql: SqlStorage,
  thread: string,
  run: RunRecord,
  now: number,
  keepAfter: number,
): void {
  if (!insertRun(sql, thread, run)) return
  countRow(sql, run, now, keepAfter)
  settleLeases(sql, run)
}

/** Returns false if the run is recorded already. */
function insertRun(sql: SqlStorage, thread: string, run: RunRecord): boolean {
  const { usage, charged } = run
  const skills = run.skills.slice(0, RUN_SKILLS_MAX).map(({ name, digest }) => [name, digest])
  const values = {
    ended_at: run.endedAt,
    run: run.id,
    thread,
    key: run.key,
    user: run.user,
    model: run.model,
    skills: JSON.stringify(skills),
    status: run.status,
    stop_reason: run.stopReason,
    accepted_at: run.acceptedAt,
    started_at: run.startedAt,
    first_text_at: run.firstTextAt,
    waited_ms: run.waitedMs,
    steps: run.steps,
    tool_calls: run.toolCalls,
    recoveries: run.recoveries,
    interrupted_waits: run.interruptedWaits,
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens,
    cache_read_input_tokens: usage.cache_read_input_tokens,
    cost_micro: usage.cost_usd === null ? null : microUsd(usage.cost_usd),
    charged_tokens: charged.tokens,
    charged_micro: microUsd(charged.usd),
    estimated: charged.estimated ? 1 : 0,
    rating: run.rating,
  }
  const names = Object.keys(values)
  const inserted = sql.exec(
    `INSERT INTO run_rows (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT DO NOTHING RETURNING 1`,
    ...Object.values(values),
  )
  return inserted.toArray().length > 0
}

/**
 * Removes thread, user and skills from the rows of these runs, after they have been added to the sums. Their amounts
 * remain.
 */
export function anonymizeRuns(sql: SqlStorage, runs: readonly string[], keepAfter: number): void {
  sumAll(sql, keepAfter)
  for (let at = 0; at < runs.length; at += RUN_ROWS_UPDATED_MAX)
    sql.exec(
      `UPDATE run_rows SET thread = NULL, user = NULL, skills = '[]'
       WHERE run IN (SELECT value FROM json_each(?)) AND thread IS NOT NULL`,
      JSON.stringify(runs.slice(at, at + RUN_ROWS_UPDATED_MAX)),
    )
}

export function rateRow(sql: SqlStorage, run: string, rating: RunInfo['rating']): void {
  sql.exec('UPDATE run_rows SET rating = ? WHERE run = ?', rating, run)
}
