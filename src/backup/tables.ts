// Determines which tables of an object a backup contains, and their current columns.

import type { SqlTables } from '../lib/tables.ts'

/** SQLite's table of the highest row number that each table has used. Restored, so that no number is used twice. */
export const SEQUENCES = 'sqlite_sequence'

/** In the order of reading and restoring: sums come after the rows that they count. */
export function backedUp(tables: SqlTables): readonly string[] {
  const kept = Object.entries(tables).flatMap(([name, { backup }]) => (backup ? [name] : []))
  return [...kept, SEQUENCES]
}

interface StoredTable {
  /** Empty if the table does not exist. */
  readonly columns: readonly string[]
  /** The columns that identify and order its rows. */
  readonly key: readonly string[]
}

export function storedTable(sql: SqlStorage, name: string): StoredTable {
  const rows = sql.exec<{ name: string; pk: number }>(`PRAGMA table_info(${name})`).toArray()
  const keys = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const columns = rows.map((row) => row.name)
  return { columns, key: name === SEQUENCES ? ['name'] : keys.map((row) => row.name) }
}
