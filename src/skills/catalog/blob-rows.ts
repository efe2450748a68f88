// Which bytes of this workspace are in the stores or on their way there, as rows. Synchronous; decides nothing.

import type { StagedBlob } from './api.ts'

/** Promises these until `SWEEP_AFTER_MS` from now (epoch ms); what is kept stays kept. */
export function stageBlobs(sql: SqlStorage, blobs: readonly StagedBlob[], now: number): void {
  // One statement for all: a commit has thousands. A text that is a skill's body somewhere stays one.
  sql.exec(
    `INSERT INTO blobs (sha256, kind, kept, staged_at)
     SELECT value ->> 'sha256', value ->> 'kind', 0, ?2 FROM json_each(?1) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET staged_at = excluded.staged_at,
       kind = CASE excluded.kind WHEN 'file' THEN blobs.kind ELSE excluded.kind END`,
    JSON.stringify(blobs),
    now,
  )
}

export function keepBlobs(sql: SqlStorage, addresses: readonly string[]): void {
  sql.exec(
    `INSERT INTO blobs (sha256, kind, kept, staged_at) SELECT value, 'file', 1, 0 FROM json_each(?) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET kept = 1`,
    JSON.stringify(addresses),
  )
}

/** Indexes of catalog versions are kept, also those whose version was made by a Worker that knew no blobs. */
export function keepIndexes(sql: SqlStorage): void {
  sql.exec('UPDATE blobs SET kept = 1 WHERE kept = 0 AND sha256 IN (SELECT index_sha FROM catalog_versions)')
}

/** Those of the addresses that nobody promised, or whose promise ran out. */
export function unstagedBlobs(sql: SqlStorage, addresses: readonly string[]): readonly string[] {
  return sql
    .exec<{ value: string }>(
      'SELECT value FROM json_each(?) WHERE value NOT IN (SELECT sha256 FROM blobs)',
      JSON.stringify(addresses),
    )
    .toArray()
    .map((row) => row.value)
}

/** Those of the addresses that have a row, with whether something refers to them. */
export function knownBlobs(
  sql: SqlStorage,
  addresses: readonly string[],
): readonly { readonly sha256: string; readonly kept: boolean }[] {
  return sql
    .exec<{ sha256: string; kept: number }>(
      'SELECT sha256, kept FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))',
      JSON.stringify(addresses),
    )
    .toArray()
    .map((row) => ({ sha256: row.sha256, kept: row.kept === 1 }))
}

/** Staged no later than `until` (epoch ms) and referred to by nothing, oldest first. */
export function looseBlobs(sql: SqlStorage, until: number, limit: number): readonly StagedBlob[] {
  return sql
    .exec<{ sha256: string; kind: StagedBlob['kind'] }>(
      'SELECT sha256, kind FROM blobs WHERE kept = 0 AND staged_at <= ? ORDER BY staged_at LIMIT ?',
      until,
      limit,
    )
    .toArray()
}

export function dropBlobs(sql: SqlStorage, addresses: readonly string[]): void {
  sql.exec('DELETE FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))', JSON.stringify(addresses))
}

/** When the oldest promise was made, epoch ms; null: there is none. */
export function oldestLoose(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(staged_at) AS at FROM blobs WHERE kept = 0').one().at
}
