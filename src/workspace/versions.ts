// Versions of a value that admins change by merge patches: the newest applies, older ones are the history. Does not validate
// values.

import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { applyPatch, type Sections, type SectionsPatch } from '../settings/settings.ts'
import type { Page } from '../thread/api.ts'
import { SETTINGS_VERSIONS_MAX } from './limits.ts'

/** Which value it is. Both tables have the same columns. */
type VersionedTable = 'settings' | 'limits'

interface Version {
  /** 0 if the value was never changed. */
  readonly version: number
  readonly at: string | null
  readonly author: string | null
  /** The stored JSON, including what only another release knows. */
  readonly value: Sections
}

export function newestVersion(sql: SqlStorage, table: VersionedTable): Version {
  type Row = { version: number; at: string; author: string; value: string }
  const [row] = sql
    .exec<Row>(`SELECT version, at, author, value FROM ${table} ORDER BY version DESC LIMIT 1`)
    .toArray()
  // The cast is safe: only addVersion() writes this column.
  return row
    ? { ...row, value: JSON.parse(row.value) as Sections }
    : { version: 0, at: null, author: null, value: {} }
}

/**
 * Returns the newest version: a new one, or the current one if nothing changes. Fails with `stale_version` if something would
 * change and the current version is not `expectedVersion`. Must be called inside `transactionSync`.
 */
export function addVersion(
  sql: SqlStorage,
  table: VersionedTable,
  change: {
    readonly author: string
    readonly patch: SectionsPatch
    readonly expectedVersion: number | undefined
  },
  at: string,
): Result<Version> {
  const { author, patch, expectedVersion } = change
  const current = newestVersion(sql, table)
  const next = applyPatch(current.value, patch)
  // Nothing changes, for example because the change is repeated after its response was lost.
  if (!next) return ok(current)
  if (expectedVersion !== undefined && expectedVersion !== current.version)
    return fail(
      'stale_version',
      `The ${table} are at version ${current.version}, not ${expectedVersion}. Read them again with GET /admin/${table}, then send the change with the new ETag.`,
    )
  const version = current.version + 1
  sql.exec(
    `INSERT INTO ${table} (version, at, author, change, value) VALUES (?, ?, ?, ?, ?)`,
    version,
    at,
    author,
    JSON.stringify(next.change),
    JSON.stringify(next.value),
  )
  sql.exec(`DELETE FROM ${table} WHERE version <= ?`, version - SETTINGS_VERSIONS_MAX)
  return ok({ version, at, author, value: next.value })
}

/** Lists versions, newest first. `Patch` is the type of the table's changes. */
export function pageOfVersions<Patch>(
  sql: SqlStorage,
  table: VersionedTable,
  cursor: string | null,
  limit: number,
): Result<
  Page<{ readonly version: number; readonly at: string; readonly author: string; readonly change: Patch }>
> {
  const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!before) return err(BAD_CURSOR)
  type Row = { version: number; at: string; author: string; change: string }
  const rows = sql
    .exec<Row>(
      `SELECT version, at, author, change FROM ${table} WHERE version < ? ORDER BY version DESC LIMIT ?`,
      before[0],
      limit + 1,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ version }) => version)
  // The cast is safe: only addVersion() writes this column.
  return ok({ data: data.map((row) => ({ ...row, change: JSON.parse(row.change) as Patch })), next_cursor })
}
