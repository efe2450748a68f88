// Which ended runs the workspace has still to hear of. The only writer of that mark, which no Run carries.

import { runOf, SELECT_RUNS, type Run, type RunRow } from '../rows/run.ts'

/** Oldest first, the first of them. */
export function untold(sql: SqlStorage): readonly Run[] {
  return sql
    .exec<RunRow>(
      `${SELECT_RUNS} WHERE recorded = 0 AND status NOT IN ('queued', 'running') ORDER BY ord LIMIT 20`,
    )
    .toArray()
    .map(runOf)
}

/** The same with those that were never ended: their thread is being deleted. */
export function unreported(sql: SqlStorage): readonly Run[] {
  return sql.exec<RunRow>(`${SELECT_RUNS} WHERE recorded = 0 ORDER BY ord LIMIT 20`).toArray().map(runOf)
}

/** True for the call that marked it. */
export function markTold(sql: SqlStorage, id: string): boolean {
  const marked = sql.exec('UPDATE runs SET recorded = 1 WHERE id = ? AND recorded = 0 RETURNING id', id)
  return marked.toArray().length > 0
}
