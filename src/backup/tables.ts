// Which tables of an object a backup has, and how they are stored now.

import type { SqlTables } from '../lib/tables.ts'

/** SQLite's own table of the highest numbers that tables ever gave, so that none is given again. */
export const SEQUENCES = 'sqlite_sequence'

/** In the order in which they are read and restored: sums come after what they count. */
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
