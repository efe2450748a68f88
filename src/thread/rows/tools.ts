// The tools of the thread's windows: the specs that the model gets. No other tools may run.

import type { ToolRow } from '../../agent/tool.ts'

/** Inserts all tools in one statement. A spec is inserted as text, so that its bytes never change. */
export function insertTools(sql: SqlStorage, window: number, tools: readonly ToolRow[]): void {
  sql.exec(
    `INSERT INTO tools (window, ord, name, spec, source, effect, approval, digest)
     SELECT ?, key, value ->> 'name', value ->> 'spec', value ->> 'source', value ->> 'effect', value ->> 'approval',
       value ->> 'digest' FROM json_each(?)`,
    window,
    JSON.stringify(
      tools.map((tool) => ({
        ...tool,
        spec: JSON.stringify(tool.spec),
        approval: JSON.stringify(tool.approval),
      })),
    ),
  )
}

/**
 * Returns the tools in the order in which the model gets them. The cast is safe: only this file writes the
 * table.
 */
export function readTools(sql: SqlStorage, window: number): readonly ToolRow[] {
  return sql
    .exec<Record<keyof ToolRow, string>>(
      'SELECT name, spec, source, effect, approval, digest FROM tools WHERE window = ? ORDER BY ord',
      window,
    )
    .toArray()
    .map((row) => ({ ...row, spec: JSON.parse(row.spec), approval: JSON.parse(row.approval) }) as ToolRow)
}
