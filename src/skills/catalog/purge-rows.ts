// Versions whose bytes were taken away for good, as rows. Synchronous; decides nothing.

import { fail } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { PurgedVersion, VersionKey } from './api.ts'

/** Null: it was not purged. */
export function purgedVersion(sql: SqlStorage, { name, digest }: VersionKey): PurgedVersion | null {
  const [row] = sql
    .exec<PurgedVersion & Record<string, SqlStorageValue>>(
      `SELECT name, digest, purged_at AS at, purged_by AS author, purge_note AS note
         FROM versions WHERE name = ? AND digest = ? AND purged_at IS NOT NULL`,
      name,
      digest,
    )
    .toArray()
  return row ?? null
}

/** What its files said of it goes with them; who published it, and when, stays. */
export function markPurged(sql: SqlStorage, { name, digest, at, author, note }: PurgedVersion): void {
  sql.exec(
    `UPDATE versions SET entry = NULL, findings = '[]', purged_at = ?, purged_by = ?, purge_note = ?
      WHERE name = ? AND digest = ?`,
    at,
    author,
    note,
    name,
    digest,
  )
}

/** Why nothing can be done with a version; null: it was not purged. `wish`: what is not possible any more. */
export function refusePurged(sql: SqlStorage, version: VersionKey, wish: string): Result<never> | null {
  const purged = purgedVersion(sql, version)
  if (!purged) return null
  const { name, digest, at, author, note } = purged
  const why = note === null ? '' : ` (${note})`
  return fail(
    'gone',
    `The version ${digest} of "${name}" was purged at ${at} by ${author}${why}: its files are gone for good. ${wish}`,
  )
}
