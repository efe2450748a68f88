// Reads and writes the rows of live skills, flags and catalog versions. Synchronous; makes no decisions.

import { CHANGED_NAMES_LISTED_MAX } from '../../limits/skills.ts'
import type { CatalogVersion } from './api.ts'
import type { Flags, Overlay } from './merge.ts'
import type { IndexEntry, LiveCatalog } from '../skill.ts'
import { readToolOverlay } from './tool-rows.ts'
import { entryFrom } from './version-rows.ts'

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
  const custom = new Map<string, IndexEntry>()
  for (const { entry: text, enabled, shareable, updated_at } of rows) {
    const entry = entryFrom(text)
    custom.set(entry.name, { ...entry, enabled: enabled === 1, shareable: shareable === 1, updated_at })
  }
  const flags = new Map<string, Partial<Flags>>()
  for (const { name, enabled, shareable } of sql.exec<{
    name: string
    enabled: number | null
    shareable: number | null
  }>('SELECT name, enabled, shareable FROM flags'))
    flags.set(name, {
      ...(enabled === null ? {} : { enabled: enabled === 1 }),
      ...(shareable === null ? {} : { shareable: shareable === 1 }),
    })
  return { custom, flags, ...readToolOverlay(sql) }
}

/** The catalog version for this build with the current overlay, or null if it does not exist yet. */
export function existingCatalogVersion(sql: SqlStorage, build: string): LiveCatalog | null {
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
  row: { build: string; index: string; at: string; author: string; action: string; note: string | null },
): LiveCatalog {
  const { version } = sql
    .exec<{ version: number }>(
      `INSERT INTO catalog_versions (build, overlay, index_sha, at, author, action, note)
       VALUES (?, (SELECT revision FROM overlay WHERE k = 1), ?, ?, ?, ?, ?) RETURNING version`,
      row.build,
      row.index,
      row.at,
      row.author,
      row.action,
      row.note,
    )
    .one()
  return { version, index: row.index }
}

/** The address of a catalog version's index, or null if there is no such version. */
export function indexOfVersion(sql: SqlStorage, version: number): string | null {
  const [row] = sql
    .exec<{ index_sha: string }>('SELECT index_sha FROM catalog_versions WHERE version = ?', version)
    .toArray()
  return row?.index_sha ?? null
}

/** The newest catalog version of any build, or 0 if there is none yet. */
export function latestVersion(sql: SqlStorage): number {
  return sql.exec<{ n: number }>('SELECT coalesce(max(version), 0) AS n FROM catalog_versions').one().n
}

/** The catalog's versions, newest first, at most `limit`, older than version `before`. */
export function listCatalogVersions(
  sql: SqlStorage,
  limit: number,
  before: number | null,
): readonly CatalogVersion[] {
  type Row = Omit<CatalogVersion, 'changed'> &
    Record<'count' | 'tools', number> &
    Record<'names' | 'tool_names', string>
  const rows = sql.exec<Row & Record<string, SqlStorageValue>>(
    `SELECT version, build, at, author, action, note,
            (SELECT count(*) FROM history h WHERE h.catalog_version = v.version AND ${OF_SKILLS}) AS count,
            (SELECT json_group_array(name) FROM (SELECT name FROM history h
              WHERE h.catalog_version = v.version AND ${OF_SKILLS} ORDER BY seq LIMIT ?3)) AS names,
            (SELECT count(*) FROM history h WHERE h.catalog_version = v.version AND kind = 'tool') AS tools,
            (SELECT json_group_array(name) FROM (SELECT name FROM history h
              WHERE h.catalog_version = v.version AND kind = 'tool' ORDER BY seq LIMIT ?3)) AS tool_names
       FROM catalog_versions v WHERE ?1 IS NULL OR version < ?1 ORDER BY version DESC LIMIT ?2`,
    before,
    limit,
    CHANGED_NAMES_LISTED_MAX,
  )
  return rows.toArray().map(({ count, names, tools, tool_names, ...row }) => {
    const changed = { count, names: listOf(names) }
    return {
      ...row,
      changed: tools === 0 ? changed : { ...changed, tools: { count: tools, names: listOf(tool_names) } },
    }
  })
}

/** Parses a list of names that SQLite aggregated. */
function listOf(json: string): readonly string[] {
  return JSON.parse(json) as string[]
}

const OF_SKILLS = "kind = 'skill' AND name IS NOT NULL AND action <> 'purge'"

export function isKnownBuild(sql: SqlStorage, build: string): boolean {
  return sql.exec('SELECT 1 FROM catalog_versions WHERE build = ? LIMIT 1', build).toArray().length > 0
}

export function latestBuild(sql: SqlStorage): string | null {
  const [row] = sql
    .exec<{ build: string }>('SELECT build FROM catalog_versions ORDER BY version DESC LIMIT 1')
    .toArray()
  return row?.build ?? null
}

export function setLive(sql: SqlStorage, live: IndexEntry): void {
  sql.exec(
    `INSERT INTO skills (name, digest, enabled, shareable, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, enabled = excluded.enabled,
       shareable = excluded.shareable, updated_at = excluded.updated_at`,
    live.name,
    live.digest,
    live.enabled ? 1 : 0,
    live.shareable ? 1 : 0,
    live.updated_at,
  )
}

export function liveDigest(sql: SqlStorage, skill: string): string | null {
  const [row] = sql.exec<{ digest: string }>('SELECT digest FROM skills WHERE name = ?', skill).toArray()
  return row?.digest ?? null
}

export function removeLive(sql: SqlStorage, skill: string): void {
  sql.exec('DELETE FROM skills WHERE name = ?', skill)
}

/** Sets the given flags of a built-in skill; flags that are absent do not change. */
export function setFlags(sql: SqlStorage, skill: string, { enabled, shareable }: Partial<Flags>): void {
  sql.exec(
    `INSERT INTO flags (name, enabled, shareable) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET enabled = coalesce(excluded.enabled, enabled),
       shareable = coalesce(excluded.shareable, shareable)`,
    skill,
    enabled === undefined ? null : Number(enabled),
    shareable === undefined ? null : Number(shareable),
  )
}
