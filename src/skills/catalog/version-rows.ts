// Reads and writes the rows of skill versions and of the history. Both are kept after a skill is unpublished.
// Synchronous; makes no decisions.

import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { CATALOG_RESPONSE_MAX_CHARS, SKILL_VERSIONS_LISTED_MAX } from './limits.ts'
import { readEntry } from '../store/index-shape.ts'
import type { Finding, IndexEntry } from '../skill.ts'
import { signedFindings } from './accepted-rows.ts'
import type { Action, NewVersion, PurgedVersion, SkillChange, VersionInfo, VersionKey } from './api.ts'

/** Parses an entry that this file wrote. */
export function entryFrom(json: string): IndexEntry {
  const entry = readEntry(JSON.parse(json))
  if (!entry) throw new Error('a version in the catalog has no readable entry')
  return entry
}

/**
 * Stores a version and returns true if it is new. An existing version keeps its first author and note, but gets the new
 * entry and findings, which a newer release of Satchel may compute differently. Newly accepted errors are stored with
 * this author and time.
 */
export function insertVersion(
  sql: SqlStorage,
  { entry, findings, note }: Omit<NewVersion, 'files'>,
  { at: index, author }: Pick<SkillChange, 'at' | 'author'>,
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
    index,
    signedFindings(findings, { at: index, author }),
  )
  return isNew
}

/** Whether the version was published and not purged. Its entry may still be unreadable. */
export function hasVersion(sql: SqlStorage, version: VersionKey): boolean {
  return entryText(sql, version) !== null
}

/** A version as it was published. Failures: `not_found`, and `gone` with `fix` in its message after a purge. */
export function publishedVersion(sql: SqlStorage, version: VersionKey, fix: string): Result<IndexEntry> {
  const text = entryText(sql, version)
  if (text !== null) return ok(entryFrom(text))
  const { name, digest } = version
  return (
    refusePurged(sql, version, fix) ??
    fail(
      'not_found',
      `"${name}" has no version ${digest}. GET /admin/skills/${name}/versions lists its versions.`,
    )
  )
}

function entryText(sql: SqlStorage, { name, digest }: VersionKey): string | null {
  const [row] = sql
    .exec<{ entry: string | null }>('SELECT entry FROM versions WHERE name = ? AND digest = ?', name, digest)
    .toArray()
  return row?.entry ?? null
}

/** Who purged the version, and when; null if it was not purged. */
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

/** Marks a version as purged and deletes everything derived from its files. Keeps who published it and when. */
export function markPurged(sql: SqlStorage, { name, digest, at: index, author, note }: PurgedVersion): void {
  sql.exec(
    `UPDATE versions SET entry = NULL, findings = '[]', purged_at = ?, purged_by = ?, purge_note = ?
      WHERE name = ? AND digest = ?`,
    index,
    author,
    note,
    name,
    digest,
  )
}

/** The error for a purged version, or null if it was not purged. `consequence` ends its message. */
export function refusePurged(
  sql: SqlStorage,
  version: VersionKey,
  consequence: string,
): Result<never> | null {
  const purged = purgedVersion(sql, version)
  if (!purged) return null
  const { name, digest, at: index, author, note } = purged
  const why = note === null ? '' : ` (${note})`
  return fail(
    'gone',
    `The version ${digest} of "${name}" was purged at ${index} by ${author}${why}: its files were permanently deleted. ${consequence}`,
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

/** The first rows, at most `limit` and no more than fit in one response, but at least one. */
function takeWithinResponse<T extends { readonly findings: string | null }>(
  rows: Iterable<T>,
  limit: number,
): { readonly rows: readonly T[]; readonly hasMore: boolean } {
  const taken: T[] = []
  let remainingChars = CATALOG_RESPONSE_MAX_CHARS
  for (const row of rows) {
    remainingChars -= row.findings?.length ?? 0
    if (taken.length === limit || (remainingChars < 0 && taken.length > 0))
      return { rows: taken, hasMore: true }
    taken.push(row)
  }
  return { rows: taken, hasMore: false }
}

/** The versions of a skill, newest first, as many as fit in one response. */
export function listVersions(sql: SqlStorage, skill: string): readonly VersionInfo[] {
  type Row = Omit<VersionInfo, 'live' | 'findings' | 'purged'> & { findings: string; live: number }
  type Purged = { purged_at: string | null; purged_by: string | null; purge_note: string | null }
  const rows = sql.exec<Row & Purged & Record<string, SqlStorageValue>>(
    `SELECT v.digest, v.created_at, v.author, v.note, v.findings, s.digest IS NOT NULL AS live,
            v.purged_at, v.purged_by, v.purge_note
         FROM versions v LEFT JOIN skills s ON s.name = v.name AND s.digest = v.digest
        WHERE v.name = ? ORDER BY v.seq DESC LIMIT ?`,
    skill,
    SKILL_VERSIONS_LISTED_MAX,
  )
  const { rows: taken } = takeWithinResponse(rows, SKILL_VERSIONS_LISTED_MAX)
  return taken.map(({ purged_at: index, purged_by, purge_note: note, ...row }) => ({
    ...row,
    live: row.live === 1,
    findings: findingsFrom(row.findings),
    purged: index === null ? null : { at: index, author: purged_by ?? '', note },
  }))
}

// The cast is safe: only `signedFindings` creates this JSON.
function findingsFrom(json: string | null): readonly Finding[] {
  return json === null ? [] : (JSON.parse(json) as Finding[])
}

/** Distinguishes skills from tools in the history, because a skill and a tool may have the same name. */
export type HistoryKind = 'skill' | 'tool'

/** An occasion on which a version became live. */
export interface Activation {
  readonly action: string
  readonly digest: string
}

/** Every occasion on which a version of the skill became live, oldest first, without purged versions. */
function activations(sql: SqlStorage, skill: string): readonly Activation[] {
  // The join also leaves out restores that only changed the switches of a built-in skill.
  return sql
    .exec<{ action: string; digest: string }>(
      `SELECT h.action, h.after_digest AS digest FROM history h
         JOIN versions v ON v.name = h.name AND v.digest = h.after_digest AND v.purged_at IS NULL
        WHERE h.kind = 'skill' AND h.name = ? AND h.action IN ('publish', 'pin', 'rollback', 'restore') ORDER BY h.seq`,
      skill,
    )
    .toArray()
}

/** The digests that were live before the current one, newest first, without consecutive duplicates. */
export function earlierDigests(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  const digests = activations(sql, skill)
    .map(({ digest }) => digest)
    .toReversed()
  return digests.filter((digest, index) => digest !== (index === 0 ? live : digests[index - 1]))
}

/**
 * The versions that rollbacks step through, newest first: each digest once, without the live one. Versions that someone
 * rolled back from are skipped; a publish or pin adds to the versions up to the one that was live at that time.
 */
export function skillRollbackPath(sql: SqlStorage, skill: string, live: string | null): readonly string[] {
  return rollbackPath(activations(sql, skill), live)
}

/** The versions that rollbacks step through, given every occasion on which one became live, oldest first. */
export function rollbackPath(times: readonly Activation[], live: string | null): readonly string[] {
  const stack: string[] = []
  for (const { action, digest } of times) {
    const goesBack = action === 'rollback' || action === 'restore'
    const below = goesBack ? stack.lastIndexOf(digest) : -1
    if (below >= 0) stack.length = below + 1
    else if (stack.at(-1) !== digest) stack.push(digest)
  }
  return [...new Set(stack.toReversed())].filter((digest) => digest !== live)
}

type HistoryRow = Pick<SkillChange, 'at' | 'action' | 'author' | 'catalog_version'>

export function insertHistory(
  sql: SqlStorage,
  kind: HistoryKind,
  {
    at: index,
    action,
    author,
    catalog_version,
    also = [],
    name = null,
    note = null,
    before = null,
    after = null,
  }: HistoryRow & Partial<SkillChange>,
): void {
  sql.exec(
    `INSERT INTO history (at, action, kind, name, author, note, before_digest, after_digest, catalog_version, also)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    index,
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

/** The history, newest first: at most `limit` rows older than row `before`. `next` is the cursor of the next page. */
export function listHistory(
  sql: SqlStorage,
  kind: HistoryKind,
  name: string | null,
  limit: number,
  before: number | null,
): { readonly items: readonly SkillChange[]; readonly next: number | null } {
  type Row = Omit<SkillChange, 'also' | 'findings'> & Record<'also' | 'findings', string | null>
  // The row type is safe: only insertHistory writes these rows.
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
  const { rows: taken, hasMore } = takeWithinResponse(rows, limit)
  return {
    items: taken.map((row) => {
      const { seq: _, also, findings, ...item } = row
      return {
        ...item,
        also: also === null ? [] : (JSON.parse(also) as Action[]),
        findings: findingsFrom(findings),
      }
    }),
    next: hasMore ? (taken.at(-1)?.seq ?? null) : null,
  }
}
