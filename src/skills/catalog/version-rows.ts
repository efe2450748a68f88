// Rows of skill versions and their history, kept after the skill is unpublished. Synchronous; decides nothing.

import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { CATALOG_ANSWER_MAX_CHARS, SKILL_VERSIONS_LISTED } from './limits.ts'
import { readEntry } from '../store/index-shape.ts'
import type { Finding, IndexEntry } from '../skill.ts'
import { signedFindings } from './accepted-rows.ts'
import type { Action, NewVersion, PurgedVersion, SkillChange, VersionInfo, VersionKey } from './api.ts'

/** An entry that this file wrote. */
export function entryFrom(json: string): IndexEntry {
  const entry = readEntry(JSON.parse(json))
  if (!entry) throw new Error('a version in the catalog has no readable entry')
  return entry
}

/**
 * True: it is new. An existing version keeps its first author and note; its entry and findings are replaced by this
 * release's. Newly accepted errors get its author and time.
 */
export function insertVersion(
  sql: SqlStorage,
  { entry, findings, note }: Omit<NewVersion, 'files'>,
  { at, author }: Pick<SkillChange, 'at' | 'author'>,
): boolean {
  const isNew = !hasVersion(sql, entry)
  sql.exec(
    `INSERT INTO versions (name, digest, entry, author, note, created_at, findings)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name, digest)
       DO UPDATE SET entry = excluded.entry, findings = excluded.findings`,
    entry.name,
    entry.digest,
    JSON.stringify(entry),
    author,
    note,
    at,
    signedFindings(findings, { at, author }),
  )
  return isNew
}

/** True: it was published, and not purged. Its entry may still be unreadable. */
export function hasVersion(sql: SqlStorage, version: VersionKey): boolean {
  return entryText(sql, version) !== null
}

/** A version as it was published. Failures: `not_found`; `gone`, with `fix`, after a purge. */
export function publishedVersion(sql: SqlStorage, version: VersionKey, fix: string): Result<IndexEntry> {
  const text = entryText(sql, version)
  if (text !== null) return ok(entryFrom(text))
  const { name, digest } = version
  return (
    refusePurged(sql, version, fix) ??
    fail('not_found', `"${name}" has no version ${digest}. Its versions are listed under /versions.`)
  )
}

function entryText(sql: SqlStorage, { name, digest }: VersionKey): string | null {
  const [row] = sql
    .exec<{ entry: string | null }>('SELECT entry FROM versions WHERE name = ? AND digest = ?', name, digest)
    .toArray()
  return row?.entry ?? null
}

/** Null if it was not purged. */
export function purgedVersion(sql: SqlStorage, { name, digest }: VersionKey): PurgedVersion | null {
  const [row] = sql
    .exec<PurgedVersion & Record<string, SqlStorageValue>>(
      `SELECT name, digest, purged_at AS at, purged_by AS author, purge_note AS note
         FROM versions WHERE name = ? AND digest = ? AND purged_at IS NOT NULL`,
      name,
      digest,
    )
    .toArray()
  return row ?? null
}

/** Removes everything derived from its files. Who published it, and when, is kept. */
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

/** The error for a purged version; null if it was not purged. `consequence`: what is no longer possible. */
export function refusePurged(
  sql: SqlStorage,
  version: VersionKey,
  consequence: string,
): Result<never> | null {
  const purged = purgedVersion(sql, version)
  if (!purged) return null
  const { name, digest, at, author, note } = purged
  const why = note === null ? '' : ` (${note})`
  return fail(
    'gone',
    `The version ${digest} of "${name}" was purged at ${at} by ${author}${why}: its files were permanently deleted. ${consequence}`,
  )
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

/** The first `limit` rows, or as many as fit in one answer, but at least one. `more`: others follow. */
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

/** Newest first, as many as fit in one answer. */
export function listVersions(sql: SqlStorage, skill: string): readonly VersionInfo[] {
  type Row = Omit<VersionInfo, 'live' | 'findings' | 'purged'> & { findings: string; live: number }
  type Purged = { purged_at: string | null; purged_by: string | null; purge_note: string | null }
  const rows = sql.exec<Row & Purged & Record<string, SqlStorageValue>>(
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

// JSON that only insertVersion wrote, with values of this type.
function findingsFrom(json: string | null): readonly Finding[] {
  return json === null ? [] : (JSON.parse(json) as Finding[])
}

/** Skills and tools both have versions, switches and a history, and may have the same name. */
export type Kind = 'skill' | 'tool'

/** A time when a version became live. */
export interface LiveTime {
  readonly action: string
  readonly digest: string
}

/** Each time when a version of the skill became live, oldest first, without purged versions. */
function liveTimes(sql: SqlStorage, skill: string): readonly LiveTime[] {
  // A restored catalog's entry for a built-in skill's switches names no version.
  return sql
    .exec<{ action: string; digest: string }>(
      `SELECT h.action, h.after_digest AS digest FROM history h
         JOIN versions v ON v.name = h.name AND v.digest = h.after_digest AND v.purged_at IS NULL
        WHERE h.kind = 'skill' AND h.name = ? AND h.action IN ('publish', 'pin', 'rollback', 'restore') ORDER BY h.seq`,
      skill,
    )
    .toArray()
}

/** Digests that were live before the current one, newest first, without consecutive duplicates. */
export function earlierDigests(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  const digests = liveTimes(sql, skill)
    .map(({ digest }) => digest)
    .toReversed()
  return digests.filter((digest, at) => digest !== (at === 0 ? live : digests[at - 1]))
}

/**
 * The versions that a rollback steps through, newest first: each digest once, without the live one. Versions that were
 * rolled back or restored from are skipped; a publish or pin continues from the version that is live then.
 */
export function lineage(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  return wayBack(liveTimes(sql, skill), live)
}

/** The same from these times. */
export function wayBack(times: readonly LiveTime[], live: string | null): readonly string[] {
  const stack: string[] = []
  for (const { action, digest } of times) {
    const goesBack = action === 'rollback' || action === 'restore'
    const below = goesBack ? stack.lastIndexOf(digest) : -1
    if (below >= 0) stack.length = below + 1
    else if (stack.at(-1) !== digest) stack.push(digest)
  }
  return [...new Set(stack.toReversed())].filter((digest) => digest !== live)
}

type Made = Pick<SkillChange, 'at' | 'action' | 'author' | 'catalog_version'>

export function insertHistory(
  sql: SqlStorage,
  kind: Kind,
  {
    at,
    action,
    author,
    catalog_version,
    also = [],
    name = null,
    note = null,
    before = null,
    after = null,
  }: Made & Partial<SkillChange>,
): void {
  sql.exec(
    `INSERT INTO history (at, action, kind, name, author, note, before_digest, after_digest, catalog_version, also)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    at,
    action,
    kind,
    name,
    author,
    note,
    before,
    after,
    catalog_version,
    also.length > 0 ? JSON.stringify(also) : null,
  )
}

/** Newest first, older than row `before`, at most `limit`. `next` is the next cursor. */
export function listHistory(
  sql: SqlStorage,
  kind: Kind,
  name: string | null,
  limit: number,
  before: number | null,
): { readonly items: readonly SkillChange[]; readonly next: number | null } {
  type Row = Omit<SkillChange, 'also' | 'findings'> & Record<'also' | 'findings', string | null>
  // Only insertHistory wrote the action.
  const rows = sql.exec<Row & { seq: number } & Record<string, SqlStorageValue>>(
    `SELECT h.seq, h.at, h.action, h.name, h.author, h.note, h.before_digest AS before, h.after_digest AS after,
              h.catalog_version, h.also, v.findings
         FROM history h LEFT JOIN versions v ON h.action = 'publish' AND v.name = h.name AND v.digest = h.after_digest
        WHERE h.kind = ?4 AND (?1 IS NULL OR h.name = ?1) AND (?2 IS NULL OR h.seq < ?2)
        ORDER BY 1 DESC LIMIT ?3`,
    name,
    before,
    limit + 1,
    kind,
  )
  const { kept, more } = carried(rows, limit)
  return {
    items: kept.map((row) => {
      const { seq: _, also, findings, ...item } = row
      return {
        ...item,
        also: also === null ? [] : (JSON.parse(also) as Action[]),
        findings: findingsFrom(findings),
      }
    }),
    next: more ? (kept.at(-1)?.seq ?? null) : null,
  }
}
