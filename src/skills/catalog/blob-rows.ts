// Which bytes of this workspace are in the stores or on their way there, as rows. Synchronous; decides nothing.

import type { StagedBlob } from './api.ts'

/** Promises these until `SWEEP_AFTER_MS` from now (epoch ms); what is referred to stays so. */
export function stageBlobs(sql: SqlStorage, blobs: readonly StagedBlob[], now: number): void {
  // One statement for all: a commit has thousands. A text that is a skill's body somewhere stays one.
  sql.exec(
    `INSERT INTO blobs (sha256, kind, refs, staged_at)
     SELECT value ->> 'sha256', value ->> 'kind', 0, ?2 FROM json_each(?1) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET staged_at = excluded.staged_at,
       kind = CASE excluded.kind WHEN 'file' THEN blobs.kind ELSE excluded.kind END`,
    JSON.stringify(blobs),
    now,
  )
}

/** One more refers to each of these: a new version, an archive that is listed, a catalog version. */
export function referToBlobs(sql: SqlStorage, addresses: readonly string[]): void {
  sql.exec(
    `INSERT INTO blobs (sha256, kind, refs, staged_at) SELECT DISTINCT value, 'file', 1, 0 FROM json_each(?) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET refs = refs + 1`,
    JSON.stringify(addresses),
  )
}

/** One less refers to each; what nothing refers to any more counts as promised at `at` (epoch ms; 0: goes at once). */
export function releaseBlobs(sql: SqlStorage, addresses: readonly string[], at: number): void {
  sql.exec(
    `UPDATE blobs SET refs = refs - 1, staged_at = CASE refs WHEN 1 THEN ?2 ELSE staged_at END
      WHERE refs > 0 AND sha256 IN (SELECT value FROM json_each(?1))`,
    JSON.stringify(addresses),
    at,
  )
}

/** Archives that nothing lists go at once: whose they were is not known. */
export function doomLooseArchives(sql: SqlStorage): void {
  sql.exec("UPDATE blobs SET staged_at = 0 WHERE refs = 0 AND kind = 'archive'")
}

/** Those of the addresses that nobody promised, whose promise ran out, or that a purge doomed. */
export function unstagedBlobs(sql: SqlStorage, addresses: readonly string[]): readonly string[] {
  return sql
    .exec<{ value: string }>(
      `SELECT value FROM json_each(?)
        WHERE value NOT IN (SELECT sha256 FROM blobs WHERE refs > 0 OR staged_at > 0)`,
      JSON.stringify(addresses),
    )
    .toArray()
    .map((row) => row.value)
}

/** Those of the addresses that have a row and are not on their way out, with whether something refers to them. */
export function knownBlobs(
  sql: SqlStorage,
  addresses: readonly string[],
): readonly { readonly sha256: string; readonly kept: boolean }[] {
  return sql
    .exec<{ sha256: string; refs: number }>(
      `SELECT sha256, refs FROM blobs
        WHERE sha256 IN (SELECT value FROM json_each(?)) AND (refs > 0 OR staged_at > 0)`,
      JSON.stringify(addresses),
    )
    .toArray()
    .map((row) => ({ sha256: row.sha256, kept: row.refs > 0 }))
}

/** Staged no later than `until` (epoch ms) and referred to by nothing, oldest first. */
export function looseBlobs(sql: SqlStorage, until: number, limit: number): readonly StagedBlob[] {
  return sql
    .exec<{ sha256: string; kind: StagedBlob['kind'] }>(
      'SELECT sha256, kind FROM blobs WHERE refs = 0 AND staged_at <= ? ORDER BY staged_at LIMIT ?',
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
  return sql.exec<{ at: number | null }>('SELECT min(staged_at) AS at FROM blobs WHERE refs = 0').one().at
}
