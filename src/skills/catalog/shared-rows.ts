// Reads and writes the rows of versions that /.well-known/ listed. Synchronous; makes no decisions.

import type { Category } from '../skill.ts'
import type { SharedVersion, VersionName } from './api.ts'
import { referToBlobs, releaseBlobs, unstagedBlobs } from './blob-rows.ts'

type SharedRow = { name: string; category: string; digest: string; sha256: string; files: string }

// The casts are safe: only keepShared writes these rows.
function versionFrom({ category, files, ...row }: SharedRow): SharedVersion {
  return { ...row, category: category as Category, files: JSON.parse(files) as string[] }
}

export function findShared(sql: SqlStorage, versions: readonly VersionName[]): readonly SharedVersion[] {
  const keys = versions.map(({ name, category, digest }) => [name, category, digest])
  return sql
    .exec<SharedRow>(
      `SELECT s.name, s.category, s.digest, s.sha256, s.files
         FROM json_each(?) v JOIN shared_versions s ON s.name = json_extract(v.value, '$[0]')
          AND s.category = json_extract(v.value, '$[1]') AND s.digest = json_extract(v.value, '$[2]')`,
      JSON.stringify(keys),
    )
    .toArray()
    .map(versionFrom)
}

export function sharedAs(
  sql: SqlStorage,
  { name, category }: Omit<VersionName, 'digest'>,
  sha256: string,
): SharedVersion | null {
  const [row] = sql
    .exec<SharedRow>(
      `SELECT name, category, digest, sha256, files FROM shared_versions
        WHERE name = ? AND category = ? AND sha256 = ? LIMIT 1`,
      name,
      category,
      sha256,
    )
    .toArray()
  return row ? versionFrom(row) : null
}

/**
 * Records listed versions and adds a reference to each archive. Returns the recorded versions. A version keeps the
 * bytes with which it was first listed; one whose archive was swept after it was staged is skipped. Call it only
 * while no change runs, because a reference to a blob that is being deleted would be lost.
 */
export function keepShared(sql: SqlStorage, versions: readonly SharedVersion[]): readonly SharedVersion[] {
  const swept = new Set(unstagedBlobs(sql, archivesOf(versions)))
  for (const { name, category, digest, sha256, files } of versions) {
    if (swept.has(sha256)) continue
    const inserted = sql.exec(
      `INSERT INTO shared_versions (name, category, digest, sha256, files) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (name, category, digest) DO NOTHING RETURNING name`,
      name,
      category,
      digest,
      sha256,
      JSON.stringify(files),
    )
    if (inserted.toArray().length > 0) referToBlobs(sql, archivesOf([{ sha256, files }]))
  }
  return findShared(sql, versions)
}

/**
 * Deletes the rows of one custom version, or of all versions of a skill. Archives without other references are swept a
 * day after `releasedAt`.
 */
export function deleteShared(
  sql: SqlStorage,
  name: string,
  /** Epoch ms; 0 to sweep them immediately. */
  releasedAt: number,
  digest: string | null = null,
): void {
  const deleted = sql.exec<SharedRow>(
    `DELETE FROM shared_versions
      WHERE name = ?1 AND (?2 IS NULL OR (digest = ?2 AND category = 'custom')) RETURNING *`,
    name,
    digest,
  )
  for (const row of deleted.toArray()) releaseBlobs(sql, archivesOf([versionFrom(row)]), releasedAt)
}

/** The addresses of archives. A version that is only a SKILL.md has none: its bytes belong to the version itself. */
function archivesOf(versions: readonly Pick<SharedVersion, 'sha256' | 'files'>[]): readonly string[] {
  return versions.filter(({ files }) => files.length > 1).map(({ sha256 }) => sha256)
}
