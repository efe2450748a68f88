// The thread's tools, frozen with its prefix: the specs that the model gets. No other tools may run.

import type { ToolRow } from '../../agent/tool.ts'

/** Inserts all tools in one statement. A spec is inserted as text, so that its bytes never change. */
export function insertTools(sql: SqlStorage, tools: readonly ToolRow[]): void {
  sql.exec(
    `INSERT INTO tools (ord, name, spec, source, effect, approval, digest)
     SELECT key, value ->> 'name', value ->> 'spec', value ->> 'source', value ->> 'effect', value ->> 'approval',
       value ->> 'digest' FROM json_each(?)`,
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
export function readTools(sql: SqlStorage): readonly ToolRow[] {
  return sql
    .exec<Record<keyof ToolRow, string>>(
      'SELECT name, spec, source, effect, approval, digest FROM tools ORDER BY ord',
    )
    .toArray()
    .map((row) => ({ ...row, spec: JSON.parse(row.spec), approval: JSON.parse(row.approval) }) as ToolRow)
}
