// Typed reads and writes of the catalog's tables. Every function is synchronous; none of them decides anything.

import type { HistoryItem, VersionInfo } from './api.ts'
import { SKILL_VERSIONS_LISTED } from '../../limits.ts'
import type { LiveCustom, Overlay } from './merge.ts'
import type { Finding, IndexEntry, LiveCatalog } from '../skill.ts'

// Entries and findings are JSON that only this file wrote, from values of these types.
function entryFrom(json: string): IndexEntry {
  return JSON.parse(json) as IndexEntry
}

export function revision(sql: SqlStorage): number {
  return sql.exec<{ revision: number }>('SELECT revision FROM overlay WHERE k = 1').one().revision
}

export function bumpRevision(sql: SqlStorage): void {
  sql.exec('UPDATE overlay SET revision = revision + 1 WHERE k = 1')
}

export function readOverlay(sql: SqlStorage): Overlay {
  const rows = sql.exec<{ entry: string; enabled: number; shareable: number; updated_at: string }>(
    `SELECT v.entry, s.enabled, s.shareable, s.updated_at
       FROM skills s JOIN versions v ON v.name = s.name AND v.digest = s.digest`,
  )
  const custom = new Map<string, LiveCustom>()
  for (const row of rows) {
    const entry = entryFrom(row.entry)
    custom.set(entry.name, {
      entry,
      enabled: row.enabled === 1,
      shareable: row.shareable === 1,
      updatedAt: row.updated_at,
    })
  }
  const switches = sql.exec<{ name: string; enabled: number }>('SELECT name, enabled FROM switches').toArray()
  return { custom, switches: new Map(switches.map((row) => [row.name, row.enabled === 1])) }
}

/** The version minted for this build and the overlay as it is now, if any. */
export function mintedVersion(sql: SqlStorage, build: string): LiveCatalog | null {
  const [row] = sql
    .exec<{ version: number; index_sha: string }>(
      `SELECT version, index_sha FROM catalog_versions
        WHERE build = ? AND overlay = (SELECT revision FROM overlay WHERE k = 1)`,
      build,
    )
    .toArray()
  return row ? { version: row.version, index: row.index_sha } : null
}

export function insertCatalogVersion(
  sql: SqlStorage,
  row: { build: string; index: string; at: string; author: string; action: string },
): LiveCatalog {
  const { version } = sql
    .exec<{ version: number }>(
      `INSERT INTO catalog_versions (build, overlay, index_sha, at, author, action)
       VALUES (?, (SELECT revision FROM overlay WHERE k = 1), ?, ?, ?, ?) RETURNING version`,
      row.build,
      row.index,
      row.at,
      row.author,
      row.action,
    )
    .one()
  return { version, index: row.index }
}

/** True when some version already points to this index: its bytes were written before. */
export function indexWasWritten(sql: SqlStorage, index: string): boolean {
  return sql.exec('SELECT 1 FROM catalog_versions WHERE index_sha = ? LIMIT 1', index).toArray().length > 0
}

export function buildWasMet(sql: SqlStorage, build: string): boolean {
  return sql.exec('SELECT 1 FROM catalog_versions WHERE build = ? LIMIT 1', build).toArray().length > 0
}

export function latestBuild(sql: SqlStorage): string | null {
  const [row] = sql
    .exec<{ build: string }>('SELECT build FROM catalog_versions ORDER BY version DESC LIMIT 1')
    .toArray()
  return row?.build ?? null
}

export function setLive(sql: SqlStorage, live: LiveCustom): void {
  sql.exec(
    `INSERT INTO skills (name, digest, enabled, shareable, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, enabled = excluded.enabled,
       shareable = excluded.shareable, updated_at = excluded.updated_at`,
    live.entry.name,
    live.entry.digest,
    live.enabled ? 1 : 0,
    live.shareable ? 1 : 0,
    live.updatedAt,
  )
}

export function removeLive(sql: SqlStorage, skill: string): void {
  sql.exec('DELETE FROM skills WHERE name = ?', skill)
}

export function setSwitch(sql: SqlStorage, skill: string, enabled: boolean, at: string): void {
  sql.exec(
    `INSERT INTO switches (name, enabled, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled, updated_at = excluded.updated_at`,
    skill,
    enabled ? 1 : 0,
    at,
  )
}

/** A version that is there already keeps its first author and note. */
export function insertVersion(
  sql: SqlStorage,
  entry: IndexEntry,
  row: { author: string; note: string | null; at: string; findings: readonly Finding[] },
): void {
  sql.exec(
    `INSERT INTO versions (name, digest, entry, author, note, created_at, findings) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (name, digest) DO NOTHING`,
    entry.name,
    entry.digest,
    JSON.stringify(entry),
    row.author,
    row.note,
    row.at,
    JSON.stringify(row.findings),
  )
}

export function versionEntry(sql: SqlStorage, skill: string, digest: string): IndexEntry | null {
  const [row] = sql
    .exec<{ entry: string }>('SELECT entry FROM versions WHERE name = ? AND digest = ?', skill, digest)
    .toArray()
  return row ? entryFrom(row.entry) : null
}

export function publishedNames(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ name: string }>('SELECT DISTINCT name FROM versions')
    .toArray()
    .map((row) => row.name)
}

/** Newest first. */
export function listVersions(sql: SqlStorage, skill: string): readonly VersionInfo[] {
  return sql
    .exec<{
      digest: string
      created_at: string
      author: string
      note: string | null
      findings: string
      live: number
    }>(
      `SELECT v.digest, v.created_at, v.author, v.note, v.findings, s.digest IS NOT NULL AS live
         FROM versions v LEFT JOIN skills s ON s.name = v.name AND s.digest = v.digest
        WHERE v.name = ? ORDER BY v.seq DESC LIMIT ?`,
      skill,
      SKILL_VERSIONS_LISTED,
    )
    .toArray()
    .map((row) => ({ ...row, live: row.live === 1, findings: JSON.parse(row.findings) as Finding[] }))
}

/** Digests that were live before the one that is live now, newest first, without repeats in a row. */
export function earlierDigests(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  const rows = sql.exec<{ after_digest: string }>(
    `SELECT after_digest FROM history
      WHERE name = ? AND action IN ('publish', 'pin', 'rollback') AND after_digest IS NOT NULL ORDER BY seq DESC`,
    skill,
  )
  const digests: string[] = []
  let last = live
  for (const { after_digest: digest } of rows) {
    if (digest !== last) digests.push(digest)
    last = digest
  }
  return digests
}

export function insertHistory(sql: SqlStorage, item: HistoryItem): void {
  sql.exec(
    `INSERT INTO history (at, action, name, author, note, before_digest, after_digest, catalog_version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    item.at,
    item.action,
    item.name,
    item.author,
    item.note,
    item.before,
    item.after,
    item.catalog_version,
  )
}

/** Newest first, older than row `before`; `next` is the row to go on from. */
export function listHistory(
  sql: SqlStorage,
  skill: string | null,
  limit: number,
  before: number | null,
): { readonly items: readonly HistoryItem[]; readonly next: number | null } {
  const rows = sql
    .exec<{
      seq: number
      at: string
      action: string
      name: string | null
      author: string
      note: string | null
      before: string | null
      after: string | null
      catalog_version: number
    }>(
      `SELECT seq, at, action, name, author, note, before_digest AS before, after_digest AS after, catalog_version
         FROM history WHERE (?1 IS NULL OR name = ?1) AND (?2 IS NULL OR seq < ?2) ORDER BY seq DESC LIMIT ?3`,
      skill,
      before,
      limit + 1,
    )
    .toArray()
  const shown = rows.slice(0, limit)
  return {
    items: shown.map((row) => ({
      at: row.at,
      // It was a HistoryItem's when insertHistory wrote it.
      action: row.action as HistoryItem['action'],
      name: row.name,
      author: row.author,
      note: row.note,
      before: row.before,
      after: row.after,
      catalog_version: row.catalog_version,
    })),
    next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
  }
}
