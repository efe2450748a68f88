// Writes the rows of a backup into an object that has none of its own, and only into tables and columns that exist and
// that backups contain. Imported on demand.

import { fromBase64 } from '../lib/bytes.ts'
import { hasSchema, migrate } from '../lib/migrate.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { SqlTables } from '../lib/tables.ts'
import type { RestoredPage } from './api.ts'
import { isRestoring, markRestoring, unmarkRestoring } from './restoring.ts'
import { backedUp, SEQUENCES, storedTable } from './tables.ts'

/** An object and what it does with restored rows. Each function runs in a transaction. */
export interface RestoredObject {
  readonly storage: DurableObjectStorage
  readonly tables: SqlTables
  readonly migrations: readonly string[]
  readonly isRestoring?: (sql: SqlStorage) => boolean
  /** Marks the object, so that it is not used before all rows are restored. */
  readonly mark?: (sql: SqlStorage) => void
  /** Called after the rows of a page were written. */
  readonly written?: (sql: SqlStorage) => void
  /** Returns the name of the object to which these rows belong. */
  readonly nameOf?: (sql: SqlStorage) => string | null
  readonly name: string
  /** Called when all rows are restored. Ends what was open, pauses what was waiting, and removes the mark. */
  readonly complete: (sql: SqlStorage) => void
}

export const OCCUPIED = fail(
  'not_empty',
  'A backup can be restored only into a new deployment, which has never had threads, keys or settings. Nothing was changed. Create a new deployment.',
)

/** The steps of a Hook, Schedule or Endpoint object, which exists once it is complete. */
export function unmarkAfter(pause: (sql: SqlStorage) => void): RestoredObject['complete'] {
  return (sql) => {
    pause(sql)
    unmarkRestoring(sql)
  }
}

export function restorePage(to: RestoredObject, page: RestoredPage): Result<null> {
  const { storage, tables, isRestoring: isMarked = isRestoring, mark = markRestoring } = to
  const { sql } = storage
  const isUsed = hasSchema(sql) && !isMarked(sql)
  if (isUsed || (!page.first && !hasSchema(sql))) return OCCUPIED
  try {
    storage.transactionSync(() => {
      if (page.first) {
        migrate(sql, to.migrations)
        mark(sql)
        for (const table of backedUp(tables).toReversed())
          if (storedTable(sql, table).columns.length > 0) sql.exec(`DELETE FROM ${table}`)
      }
      insertRows(sql, tables, page.text)
      to.written?.(sql)
      if (page.rows === null) return
      const rows = countRows(sql, tables)
      if (rows > page.rows || (page.isExact && rows < page.rows))
        throw new BadArchive(`it has ${rows} rows instead of ${page.rows}`)
      if (to.nameOf && to.nameOf(sql) !== to.name) throw new BadArchive('its rows belong to another object')
      to.complete(sql)
    })
    return ok(null)
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    return fail(
      'invalid_archive',
      `${to.name} cannot be restored: ${error.message}. Deploy the version that made the archive, or make a new backup.`,
    )
  }
}

class BadArchive extends Error {}

function countRows(sql: SqlStorage, tables: SqlTables): number {
  let sum = 0
  for (const table of backedUp(tables))
    if (storedTable(sql, table).columns.length > 0)
      sum += sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n
  return sum
}

/** Throws BadArchive. */
function insertRows(sql: SqlStorage, tables: SqlTables, text: string): void {
  const known = backedUp(tables)
  let insert = ''
  let width = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const value = parse(line)
    if (Array.isArray(value)) {
      if (insert === '' || value.length !== width) throw new BadArchive('a row does not fit its table')
      sql.exec(insert, ...value.map(sqlValue))
      continue
    }
    const { table, columns } = value as Readonly<Record<string, unknown>> // each part is checked below
    if (typeof table !== 'string' || !Array.isArray(columns) || !known.includes(table))
      throw new BadArchive(
        `there is no table ${JSON.stringify(table)}, perhaps because a newer version made the archive`,
      )
    if (table === SEQUENCES) sql.exec(`DELETE FROM ${SEQUENCES}`)
    if (storedTable(sql, table).columns.length === 0) sql.exec((tables[table]?.sql ?? []).join('\n'))
    const existing = storedTable(sql, table).columns
    const unknown = columns.find((column) => !existing.includes(String(column)))
    if (unknown !== undefined)
      throw new BadArchive(
        `${table} has no column ${JSON.stringify(unknown)}, perhaps because a newer version made the archive`,
      )
    width = columns.length
    insert = `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  }
}

function parse(line: string): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // It is refused below.
  }
  throw new BadArchive('a line is not JSON')
}

function sqlValue(value: unknown): SqlStorageValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  const { b } = value as Readonly<Record<string, unknown>> // what has no `b` is refused
  const bytes = typeof b === 'string' ? fromBase64(b) : null
  if (bytes === null) throw new BadArchive('a value is neither text, number nor bytes')
  return bytes.buffer
}
