// Reads and writes the rows of this workspace's bytes, stored or about to be. Synchronous; makes no decisions.

import type { StagedBlob } from './api.ts'

/**
 * Protects these blobs from the sweep until SWEEP_AFTER_MS after `now` (epoch ms). Referenced blobs are never swept.
 */
export function stageBlobs(sql: SqlStorage, blobs: readonly StagedBlob[], now: number): void {
  addToTotal(sql, newBytes(sql, blobs))
  // One statement for all blobs, because a commit has thousands. A blob that is already a body keeps that kind.
  sql.exec(
    `INSERT INTO blobs (sha256, kind, refs, staged_at, bytes)
     SELECT value ->> 'sha256', value ->> 'kind', 0, ?2, value ->> 'bytes' FROM json_each(?1) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET staged_at = excluded.staged_at, bytes = max(blobs.bytes, excluded.bytes),
       kind = CASE excluded.kind WHEN 'file' THEN blobs.kind ELSE excluded.kind END`,
    JSON.stringify(blobs),
    now,
  )
}

/** Extends the staging of those blobs that have a row. */
export function restageBlobs(sql: SqlStorage, addresses: readonly string[], now: number): void {
  sql.exec(
    'UPDATE blobs SET staged_at = ?2 WHERE sha256 IN (SELECT value FROM json_each(?1))',
    JSON.stringify(addresses),
    now,
  )
}

/** The number of bytes that these blobs would add to the total. */
export function newBytes(sql: SqlStorage, blobs: readonly StagedBlob[]): number {
  return sql
    .exec<{ bytes: number }>(
      `SELECT coalesce(sum(max(0, value ->> 'bytes' - coalesce(blobs.bytes, 0))), 0) AS bytes
         FROM json_each(?) LEFT JOIN blobs ON blobs.sha256 = value ->> 'sha256'`,
      JSON.stringify(blobs),
    )
    .one().bytes
}

/** The bytes of all blobs together. */
export function totalBytes(sql: SqlStorage): number {
  return sql.exec<{ bytes: number }>('SELECT bytes FROM blobs_total').one().bytes
}

function addToTotal(sql: SqlStorage, bytes: number): void {
  if (bytes !== 0) sql.exec('UPDATE blobs_total SET bytes = bytes + ?', bytes)
}

/** Adds a reference to each blob, from a new version, a listed archive or a catalog version. */
export function referToBlobs(sql: SqlStorage, addresses: readonly string[]): void {
  sql.exec(
    `INSERT INTO blobs (sha256, kind, refs, staged_at, bytes)
     SELECT DISTINCT value, 'file', 1, 0, 0 FROM json_each(?) WHERE true
     ON CONFLICT (sha256) DO UPDATE SET refs = refs + 1`,
    JSON.stringify(addresses),
  )
}

/**
 * Removes a reference from each blob. Blobs without references then count as staged at `stagedAt` (epoch ms;
 * 0 to sweep them immediately).
 */
export function releaseBlobs(sql: SqlStorage, addresses: readonly string[], stagedAt: number): void {
  sql.exec(
    `UPDATE blobs SET refs = refs - 1, staged_at = CASE refs WHEN 1 THEN ?2 ELSE staged_at END
      WHERE refs > 0 AND sha256 IN (SELECT value FROM json_each(?1))`,
    JSON.stringify(addresses),
    stagedAt,
  )
}

/** Marks all unreferenced archives for immediate deletion, because it is unknown which version they belong to. */
export function expireUnreferencedArchives(sql: SqlStorage): void {
  sql.exec("UPDATE blobs SET staged_at = 0 WHERE refs = 0 AND kind = 'archive'")
}

/** The addresses that were never staged, whose staging has expired, or that a purge marked for deletion. */
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

/** The addresses that have a row and are not marked for deletion, and whether something refers to them. */
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

/** Unreferenced blobs that were staged no later than `until` (epoch ms), oldest first. */
export function unreferencedBlobs(
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

export function deleteBlobRows(sql: SqlStorage, addresses: readonly string[]): void {
  const { bytes } = sql
    .exec<{ bytes: number }>(
      'SELECT coalesce(sum(bytes), 0) AS bytes FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))',
      JSON.stringify(addresses),
    )
    .one()
  addToTotal(sql, -bytes)
  sql.exec('DELETE FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))', JSON.stringify(addresses))
}

/** When the oldest unreferenced blob was staged (epoch ms), or null if there is none. */
export function oldestUnreferenced(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(staged_at) AS at FROM blobs WHERE refs = 0').one().at
}
