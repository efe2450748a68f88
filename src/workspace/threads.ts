// The list of threads, as reported by threads, and their deletion. Never calls a thread.

import { rfc3339 } from '../lib/clock.ts'
import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { DELETED_THREADS_REMEMBERED_MAX, REPORT_REPEATABLE_MS } from './limits.ts'
import type { Page, ThreadInfo } from '../thread/api.ts'
import type { ForgottenRuns, ThreadRecord } from './api.ts'
import { uncountFileSpace } from './file-space.ts'
import type { RunRecord } from './run-api.ts'
import { anonymizeRuns, recordRun } from './run-rows.ts'
import { WORKSPACE_TABLES } from './schema.ts'
import { storeTexts, removeFromIndex, type TextLimits } from './search.ts'

/**
 * Stores a thread's report. Reports may arrive twice and out of order: an older one never overwrites a newer
 * one, and a run is counted once. A deleted thread is listed again only if it was created again after its
 * deletion.
 */
export function record(
  sql: SqlStorage,
  thread: ThreadRecord,
  run: RunRecord | null,
  now: number,
  limits: TextLimits,
  keepAfter: number,
): void {
  const { id, created_at, updated_at, root } = thread.info
  const storedRows = sql.exec(
    `INSERT INTO threads (id, owner, created_at, updated_at, made_by, info, root)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM forgotten WHERE id = ?1 AND at >= ?3)
     ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, created_at = excluded.created_at,
       updated_at = excluded.updated_at, info = excluded.info,
       root = excluded.root
     WHERE excluded.updated_at >= threads.updated_at RETURNING 1`,
    id,
    thread.owner,
    created_at,
    updated_at,
    thread.made_by,
    JSON.stringify(thread.info),
    root,
  )
  const isNewest = storedRows.toArray().length > 0
  const isListed = isNewest || isThread(sql, id, created_at)
  if (isListed) {
    const title = isNewest ? thread.info.title : null
    storeTexts(sql, { id, owner: thread.owner, title, texts: thread.texts ?? [] }, limits)
  }
  if (!run) return
  recordRun(sql, id, run, now, keepAfter)
  if (isForgotten(sql, id, created_at)) anonymizeRuns(sql, [run.id], keepAfter)
}

/** Whether this thread was deleted, and not created again since. */
function isForgotten(sql: SqlStorage, id: string, createdAt: string): boolean {
  return sql.exec('SELECT 1 FROM forgotten WHERE id = ? AND at >= ?', id, createdAt).toArray().length > 0
}

/** Whether this thread is listed, and not a later one with the same ID. */
function isThread(sql: SqlStorage, id: string, createdAt: string): boolean {
  return sql.exec('SELECT 1 FROM threads WHERE id = ? AND created_at = ?', id, createdAt).toArray().length > 0
}

/**
 * Removes everything of a thread, counts the usage of its last runs, which it can no longer report, and anonymizes the
 * rows of its runs. Also deletes old entries for which no more reports can arrive, because of their age or because of
 * the number of later deletions.
 */
export function forget(
  sql: SqlStorage,
  threadId: string,
  { runs, ids }: ForgottenRuns,
  now: number,
  keepAfter: number,
): void {
  const reportCutoff = rfc3339(now - REPORT_REPEATABLE_MS)
  const forgottenIds = `SELECT id FROM forgotten WHERE at < ?1 AND id <> ?2
     UNION SELECT id FROM forgotten
       WHERE rowid <= (SELECT max(rowid) FROM forgotten) - ${DELETED_THREADS_REMEMBERED_MAX} AND id <> ?2`
  sql.exec(`DELETE FROM forgotten WHERE id IN (${forgottenIds})`, reportCutoff, threadId)
  for (const run of runs) recordRun(sql, threadId, run, now, keepAfter)
  if (ids.length > 0) anonymizeRuns(sql, ids, keepAfter)
  removeFromIndex(sql, threadId)
  uncountFileSpace(sql, threadId)
  for (const [name, { threadColumn }] of Object.entries(WORKSPACE_TABLES))
    if (threadColumn !== null) sql.exec(`DELETE FROM ${name} WHERE ${threadColumn} = ?`, threadId)
  // The row is replaced rather than updated, so that row IDs follow the order of deletions.
  sql.exec('INSERT OR REPLACE INTO forgotten (id, at) VALUES (?, ?)', threadId, rfc3339(now))
}

/** Lists threads, newest first. If `owner` is null, those of all owners; if `root` is null, those of all roots. */
export function listThreads(
  sql: SqlStorage,
  owner: string | null,
  cursor: string | null,
  limit: number,
  root: string | null = null,
): Result<Page<ThreadInfo>> {
  // "~" sorts after every time and ID.
  const before = cursor === null ? (['~', '~'] as const) : decodeCursor(cursor, ['string', 'string'])
  if (!before) return err(BAD_CURSOR)
  const rows = sql
    .exec<{ id: string; updated_at: string; info: string }>(
      `SELECT id, updated_at, info FROM threads
        WHERE (updated_at, id) < (?1, ?2) AND ${owner === null ? '?4 IS NULL' : 'owner = ?4'}
          AND ${root === null ? '?5 IS NULL' : 'root = ?5'}
        ORDER BY updated_at DESC, id DESC LIMIT ?3`,
      before[0],
      before[1],
      limit + 1,
      owner,
      root,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ updated_at, id }) => [updated_at, id])
  // The cast is safe: only record() writes this column.
  return ok({ data: data.map((row) => JSON.parse(row.info) as ThreadInfo), next_cursor })
}
