// Versions whose bytes were taken away for good, as rows. Synchronous; decides nothing.

import type { Result } from '../../lib/result.ts'
import type { PurgedVersion, VersionKey } from './api.ts'
import { goneFor } from './refusals.ts'

interface Row extends Record<string, SqlStorageValue> {
  name: string
  digest: string
  at: string
  author: string
  note: string | null
}

/** Those of the versions that were purged; in no order. */
export function purgedVersions(sql: SqlStorage, versions: readonly VersionKey[]): readonly PurgedVersion[] {
  const keys = versions.map(({ name, digest }) => [name, digest])
  return sql
    .exec<Row>(
      `SELECT v.name, v.digest, v.purged_at AS at, v.purged_by AS author, v.purge_note AS note
         FROM json_each(?) k JOIN versions v ON v.name = json_extract(k.value, '$[0]')
          AND v.digest = json_extract(k.value, '$[1]') WHERE v.purged_at IS NOT NULL`,
      JSON.stringify(keys),
    )
    .toArray()
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
  const [purged] = purgedVersions(sql, [version])
  return purged ? goneFor(purged, wish) : null
}
