// Which bytes of this workspace are in the stores or on their way there, as rows. Synchronous; decides nothing.

import type { StagedBlob } from './api.ts'

/** Promises these until `SWEEP_AFTER_MS` from now (epoch ms); what is referred to stays so. */
export function stageBlobs(sql: SqlStorage, blobs: readonly StagedBlob[], now: number): void {
  addToTotal(sql, newBytes(sql, blobs))
  // One statement for all: a commit has thousands. A text that is a skill's body somewhere stays one.
  sql.exec(
    `INSERT INTO blobs (sha256, kind, refs, staged_at, bytes)
     SELECT value ->> 'sha256', value ->> 'kind', 0, ?2, value ->> 'bytes' FROM json_each(?1) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET staged_at = excluded.staged_at, bytes = max(blobs.bytes, excluded.bytes),
       kind = CASE excluded.kind WHEN 'file' THEN blobs.kind ELSE excluded.kind END`,
    JSON.stringify(blobs),
    now,
  )
}

/** Promises those anew that have a row. */
export function restageBlobs(sql: SqlStorage, addresses: readonly string[], now: number): void {
  sql.exec(
    'UPDATE blobs SET staged_at = ?2 WHERE sha256 IN (SELECT value FROM json_each(?1))',
    JSON.stringify(addresses),
    now,
  )
}

/** How many bytes more there would be with these. */
export function newBytes(sql: SqlStorage, blobs: readonly StagedBlob[]): number {
  return sql
    .exec<{ bytes: number }>(
      `SELECT coalesce(sum(max(0, value ->> 'bytes' - coalesce(blobs.bytes, 0))), 0) AS bytes
         FROM json_each(?) LEFT JOIN blobs ON blobs.sha256 = value ->> 'sha256'`,
      JSON.stringify(blobs),
    )
    .one().bytes
}

/** Bytes of all that has a row. */
export function totalBytes(sql: SqlStorage): number {
  return sql.exec<{ bytes: number }>('SELECT bytes FROM blobs_total').one().bytes
}

function addToTotal(sql: SqlStorage, bytes: number): void {
  if (bytes !== 0) sql.exec('UPDATE blobs_total SET bytes = bytes + ?', bytes)
}

/** One more refers to each of these: a new version, an archive that is listed, a catalog version. */
export function referToBlobs(sql: SqlStorage, addresses: readonly string[]): void {
  sql.exec(
    `INSERT INTO blobs (sha256, kind, refs, staged_at, bytes)
     SELECT DISTINCT value, 'file', 1, 0, 0 FROM json_each(?) WHERE true
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
export function looseBlobs(
  sql: SqlStorage,
  until: number,
  limit: number,
): readonly Pick<StagedBlob, 'sha256' | 'kind'>[] {
  return sql
    .exec<{ sha256: string; kind: StagedBlob['kind'] }>(
      'SELECT sha256, kind FROM blobs WHERE refs = 0 AND staged_at <= ? ORDER BY staged_at LIMIT ?',
      until,
      limit,
    )
    .toArray()
}

export function dropBlobs(sql: SqlStorage, addresses: readonly string[]): void {
  const { bytes } = sql
    .exec<{ bytes: number }>(
      'SELECT coalesce(sum(bytes), 0) AS bytes FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))',
      JSON.stringify(addresses),
    )
    .one()
  addToTotal(sql, -bytes)
  sql.exec('DELETE FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))', JSON.stringify(addresses))
}

/** When the oldest promise was made, epoch ms; null: there is none. */
export function oldestLoose(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(staged_at) AS at FROM blobs WHERE refs = 0').one().at
}
