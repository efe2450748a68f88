// Creates the tables that few threads need, and tells whether a thread has them. A table that does not exist is empty.

import { ON_DEMAND_TABLES } from './on-demand-schema.ts'

type OnDemandTable = keyof typeof ON_DEMAND_TABLES

/** Whether the table exists. */
export function hasTable(sql: SqlStorage, name: string): boolean {
  return sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', name).toArray().length > 0
}

export function isOnDemand(name: string): name is OnDemandTable {
  return Object.hasOwn(ON_DEMAND_TABLES, name)
}

/** Creates the table unless it exists. Must be called in the block that writes the row. */
export function createTable(sql: SqlStorage, name: OnDemandTable): void {
  if (!hasTable(sql, name)) sql.exec(ON_DEMAND_TABLES[name].sql.join('\n'))
}
