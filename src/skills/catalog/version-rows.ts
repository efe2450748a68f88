// Versions of skills and their history, as rows: they outlive the skill. Synchronous; decides nothing.

import { CATALOG_ANSWER_MAX_CHARS, SKILL_VERSIONS_LISTED } from '../../limits.ts'
import { readEntry } from '../store/index-shape.ts'
import type { Finding, IndexEntry } from '../skill.ts'
import type { Action, HistoryItem, NewVersion, SkillChange, VersionInfo, VersionKey } from './api.ts'

/** An entry that this file wrote; fields that are newer than the row get what they mean when absent. */
export function entryFrom(json: string): IndexEntry {
  const entry = readEntry(JSON.parse(json))
  if (!entry) throw new Error('a version in the catalog has no readable entry')
  return entry
}

/**
 * True: it is new. A version that is there already keeps its first author and note; its entry becomes what this release
 * reads of it.
 */
export function insertVersion(
  sql: SqlStorage,
  { entry, findings, note }: Omit<NewVersion, 'files'>,
  { at, author }: Pick<HistoryItem, 'at' | 'author'>,
): boolean {
  const isNew = !hasVersion(sql, entry)
  sql.exec(
    `INSERT INTO versions (name, digest, entry, author, note, created_at, findings)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name, digest) DO UPDATE SET entry = excluded.entry`,
    entry.name,
    entry.digest,
    JSON.stringify(entry),
    author,
    note,
    at,
    JSON.stringify(findings),
  )
  return isNew
}

/** True: it was published, and not purged. Its entry may be unreadable all the same. */
export function hasVersion(sql: SqlStorage, { name, digest }: VersionKey): boolean {
  return (
    sql
      .exec('SELECT 1 FROM versions WHERE name = ? AND digest = ? AND entry IS NOT NULL', name, digest)
      .toArray().length > 0
  )
}

/** Null: it was never published, or it was purged. */
export function versionEntry(sql: SqlStorage, skill: string, digest: string): IndexEntry | null {
  const [row] = sql
    .exec<{ entry: string }>(
      'SELECT entry FROM versions WHERE name = ? AND digest = ? AND entry IS NOT NULL',
      skill,
      digest,
    )
    .toArray()
  return row ? entryFrom(row.entry) : null
}

export function publishedNames(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ name: string }>('SELECT DISTINCT name FROM versions')
    .toArray()
    .map((row) => row.name)
}

export function wasPublished(sql: SqlStorage, skill: string): boolean {
  return sql.exec('SELECT 1 FROM versions WHERE name = ? LIMIT 1', skill).toArray().length > 0
}

/** The first `limit` rows, or fewer, as many as one answer carries, but one at least; `more`: others follow. */
function carried<T extends { readonly findings: string | null }>(
  rows: Iterable<T>,
  limit: number,
): { readonly kept: readonly T[]; readonly more: boolean } {
  const kept: T[] = []
  let left = CATALOG_ANSWER_MAX_CHARS
  for (const row of rows) {
    left -= row.findings?.length ?? 0
    if (kept.length === limit || (left < 0 && kept.length > 0)) return { kept, more: true }
    kept.push(row)
  }
  return { kept, more: false }
}

/** Newest first, as many as one answer carries. */
export function listVersions(sql: SqlStorage, skill: string): readonly VersionInfo[] {
  const rows = sql.exec<{
    digest: string
    created_at: string
    author: string
    note: string | null
    findings: string
    live: number
    purged_at: string | null
    purged_by: string | null
    purge_note: string | null
  }>(
    `SELECT v.digest, v.created_at, v.author, v.note, v.findings, s.digest IS NOT NULL AS live,
            v.purged_at, v.purged_by, v.purge_note
         FROM versions v LEFT JOIN skills s ON s.name = v.name AND s.digest = v.digest
        WHERE v.name = ? ORDER BY v.seq DESC LIMIT ?`,
    skill,
    SKILL_VERSIONS_LISTED,
  )
  const { kept } = carried(rows, SKILL_VERSIONS_LISTED)
  return kept.map(({ purged_at: at, purged_by, purge_note: note, ...row }) => ({
    ...row,
    live: row.live === 1,
    findings: findingsFrom(row.findings),
    purged: at === null ? null : { at, author: purged_by ?? '', note },
  }))
}

// JSON that only insertVersion wrote, from values of this type.
function findingsFrom(json: string | null): readonly Finding[] {
  return json === null ? [] : (JSON.parse(json) as Finding[])
}

/**
 * Digests of versions that were live before the one that is live now, newest first, without repeats in a row. What a
 * restored catalog says of a built-in skill's switches names no version.
 */
export function earlierDigests(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  const rows = sql.exec<{ after_digest: string }>(
    `SELECT h.after_digest FROM history h
       JOIN versions v ON v.name = h.name AND v.digest = h.after_digest AND v.purged_at IS NULL
      WHERE h.name = ? AND h.action IN ('publish', 'pin', 'rollback', 'restore') ORDER BY h.seq DESC`,
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

/**
 * The versions that steps lead back over, newest first: each digest once, and without the one that is live. What was
 * rolled away from, or restored away from, is not among them; a publish or pin goes on from what is live then.
 */
export function lineage(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  const rows = sql.exec<{ action: string; after_digest: string }>(
    `SELECT h.action, h.after_digest FROM history h
       JOIN versions v ON v.name = h.name AND v.digest = h.after_digest AND v.purged_at IS NULL
      WHERE h.name = ? AND h.action IN ('publish', 'pin', 'rollback', 'restore') ORDER BY h.seq`,
    skill,
  )
  const stack: string[] = []
  for (const { action, after_digest: digest } of rows) {
    const goesBack = action === 'rollback' || action === 'restore'
    const below = goesBack ? stack.lastIndexOf(digest) : -1
    if (below >= 0) stack.length = below + 1
    else if (stack.at(-1) !== digest) stack.push(digest)
  }
  return [...new Set(stack.toReversed())].filter((digest) => digest !== live)
}

export function insertHistory(sql: SqlStorage, item: HistoryItem): void {
  sql.exec(
    `INSERT INTO history (at, action, name, author, note, before_digest, after_digest, catalog_version, also)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    item.at,
    item.action,
    item.name,
    item.author,
    item.note,
    item.before,
    item.after,
    item.catalog_version,
    item.also.length > 0 ? JSON.stringify(item.also) : null,
  )
}

/** Newest first, older than row `before`, at most `limit`; `next` is the row to go on from. */
export function listHistory(
  sql: SqlStorage,
  skill: string | null,
  limit: number,
  before: number | null,
): { readonly items: readonly SkillChange[]; readonly next: number | null } {
  const rows = sql.exec<{
    seq: number
    at: string
    action: string
    name: string | null
    author: string
    note: string | null
    before: string | null
    after: string | null
    catalog_version: number
    also: string | null
    findings: string | null
  }>(
    `SELECT h.seq, h.at, h.action, h.name, h.author, h.note, h.before_digest AS before, h.after_digest AS after,
              h.catalog_version, h.also, v.findings
         FROM history h LEFT JOIN versions v ON h.action = 'publish' AND v.name = h.name AND v.digest = h.after_digest
        WHERE (?1 IS NULL OR h.name = ?1) AND (?2 IS NULL OR h.seq < ?2)
        ORDER BY 1 DESC LIMIT ?3`,
    skill,
    before,
    limit + 1,
  )
  const { kept, more } = carried(rows, limit)
  return {
    items: kept.map((row) => ({
      at: row.at,
      // These were a HistoryItem's when insertHistory wrote them.
      action: row.action as Action,
      also: row.also === null ? [] : (JSON.parse(row.also) as Action[]),
      name: row.name,
      author: row.author,
      note: row.note,
      before: row.before,
      after: row.after,
      catalog_version: row.catalog_version,
      findings: findingsFrom(row.findings),
    })),
    next: more ? (kept.at(-1)?.seq ?? null) : null,
  }
}
