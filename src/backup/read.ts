// Reads an object's rows for a backup, page by page. Imported on demand.

import { base64 } from '../lib/bytes.ts'
import { randomToken } from '../lib/ids.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import type { SqlTables } from '../lib/tables.ts'
import type { RowsPage } from './api.ts'
import { ROWS_PAGE_CHARS } from './limits.ts'
import { backedUp, storedTable } from './tables.ts'

/** SQLite only counts changes since the object started, so an ID of that start is added to the count. */
const starts = new WeakMap<SqlStorage, string>()

function changesOf(sql: SqlStorage): string {
  const start = starts.get(sql) ?? randomToken(8)
  starts.set(sql, start)
  return `${start}.${sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n}`
}

/** The page after `cursor`, which a page of the same object returned. Failure: `bad_cursor`. */
export function readRows(sql: SqlStorage, tables: SqlTables, cursor: string | null): Result<RowsPage> {
  const names = backedUp(tables)
  const [name = names[0], ...afterFirst] = cursor === null ? [] : parse(cursor)
  if (typeof name !== 'string' || !names.includes(name))
    return fail('bad_cursor', 'The cursor does not belong to this object. Begin again without one.')
  const lines: string[] = []
  let chars = 0
  let after: readonly SqlStorageValue[] = afterFirst
  for (const table of names.slice(names.indexOf(name))) {
    const { columns, key } = storedTable(sql, table)
    const marks = key.map(() => '?').join(', ')
    const where = after.length === 0 ? '' : `WHERE (${key.join(', ')}) > (${marks})`
    const rows =
      columns.length === 0
        ? []
        : sql.exec(`SELECT * FROM ${table} ${where} ORDER BY ${key.join(', ')}`, ...after)
    after = []
    let isFirst = true
    for (const row of rows) {
      if (isFirst) lines.push(JSON.stringify({ table, columns }))
      isFirst = false
      const line = JSON.stringify(columns.map((column) => jsonValue(row[column] ?? null)))
      chars += line.length
      lines.push(line)
      if (chars >= ROWS_PAGE_CHARS) {
        const next = JSON.stringify([table, ...key.map((column) => row[column])])
        return ok({ text: `${lines.join('\n')}\n`, next, changes: changesOf(sql) })
      }
    }
  }
  return ok({ text: lines.map((line) => `${line}\n`).join(''), next: null, changes: changesOf(sql) })
}

function parse(cursor: string): readonly SqlStorageValue[] {
  try {
    const value: unknown = JSON.parse(cursor)
    const isKey = Array.isArray(value) && value.every((part) => /^(?:string|number)$/.test(typeof part))
    // The cast is safe: each part was just checked.
    return isKey && value.length > 1 ? (value as readonly SqlStorageValue[]) : ['']
  } catch {
    return ['']
  }
}

function jsonValue(value: SqlStorageValue): unknown {
  return value instanceof ArrayBuffer ? { b: base64(new Uint8Array(value)) } : value
}
