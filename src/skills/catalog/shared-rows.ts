// Versions that /.well-known/ listed, as rows. Synchronous; decides nothing.

import type { Category } from '../skill.ts'
import type { SharedVersion, VersionName } from './api.ts'

type Row = { name: string; category: string; digest: string; sha256: string; files: string }

// Only keepShared wrote these, from values of this type.
function versionFrom({ category, files, ...row }: Row): SharedVersion {
  return { ...row, category: category as Category, files: JSON.parse(files) as string[] }
}

export function findShared(sql: SqlStorage, versions: readonly VersionName[]): readonly SharedVersion[] {
  const keys = versions.map(({ name, category, digest }) => [name, category, digest])
  return sql
    .exec<Row>(
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
    .exec<Row>(
      `SELECT name, category, digest, sha256, files FROM shared_versions
        WHERE name = ? AND category = ? AND sha256 = ? LIMIT 1`,
      name,
      category,
      sha256,
    )
    .toArray()
  return row ? versionFrom(row) : null
}

/** A version keeps the bytes that it was listed with first; answers what is kept now. */
export function keepShared(sql: SqlStorage, versions: readonly SharedVersion[]): readonly SharedVersion[] {
  for (const { name, category, digest, sha256, files } of versions)
    sql.exec(
      `INSERT INTO shared_versions (name, category, digest, sha256, files) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (name, category, digest) DO NOTHING`,
      name,
      category,
      digest,
      sha256,
      JSON.stringify(files),
    )
  return findShared(sql, versions)
}

export function forgetShared(sql: SqlStorage, skill: string): void {
  sql.exec('DELETE FROM shared_versions WHERE name = ?', skill)
}
