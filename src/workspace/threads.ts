// The list of threads and the usage of their runs, as reported by threads. Never calls a thread.

import type { Usage } from '../agent/message.ts'
import { rfc3339 } from '../lib/clock.ts'
import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import {
  COUNTED_RUNS_PER_THREAD_MAX,
  DELETED_THREADS_REMEMBERED_MAX,
  REPORT_REPEATABLE_MS,
} from './limits.ts'
import type { Page, ThreadInfo } from '../thread/api.ts'
import type { RunRecord, ThreadRecord, UsageTotals } from './api.ts'
import { uncountFileSpace } from './file-space.ts'
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
  if (run) countUsage(sql, id, run, now)
}

/** Whether this thread is listed, and not a later one with the same ID. */
function isThread(sql: SqlStorage, id: string, createdAt: string): boolean {
  return sql.exec('SELECT 1 FROM threads WHERE id = ? AND created_at = ?', id, createdAt).toArray().length > 0
}

function countUsage(sql: SqlStorage, thread: string, { id, usage, charged }: RunRecord, now: number): void {
  const inserted = sql
    .exec(
      'INSERT INTO counted (thread, run, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING run',
      thread,
      id,
      rfc3339(now),
    )
    .toArray()
  if (inserted.length === 0) return
  // A thread reports its next run only after it has stored that the previous one was recorded. A late report of an
  // older run can therefore only be a copy that was already in transit.
  sql.exec(
    `DELETE FROM counted WHERE thread = ?1 AND run <> ?2 AND (at < ?3
       OR run NOT IN (SELECT run FROM counted WHERE thread = ?1 ORDER BY at DESC LIMIT ${COUNTED_RUNS_PER_THREAD_MAX}))`,
    thread,
    id,
    rfc3339(now - REPORT_REPEATABLE_MS),
  )
  sql.exec(
    `UPDATE totals SET runs = runs + 1,
       input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
       cache_creation_input_tokens = cache_creation_input_tokens + ?,
       cache_read_input_tokens = cache_read_input_tokens + ?,
       cost_usd = CASE WHEN ?5 IS NULL THEN cost_usd ELSE coalesce(cost_usd, 0) + ?5 END,
       charged_tokens = charged_tokens + ?6, charged_usd = charged_usd + ?7, estimated = max(estimated, ?8)`,
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
    usage.cost_usd,
    charged.tokens,
    charged.usd,
    charged.estimated ? 1 : 0,
  )
}

/**
 * Removes everything of a thread, and counts the usage of its last runs, which it can no longer report. Also
 * deletes old entries for which no more reports can arrive, because of their age or because of the number of
 * later deletions.
 */
export function forget(sql: SqlStorage, threadId: string, runs: readonly RunRecord[], now: number): void {
  const reportCutoff = rfc3339(now - REPORT_REPEATABLE_MS)
  const forgottenIds = `SELECT id FROM forgotten WHERE at < ?1 AND id <> ?2
     UNION SELECT id FROM forgotten
       WHERE rowid <= (SELECT max(rowid) FROM forgotten) - ${DELETED_THREADS_REMEMBERED_MAX} AND id <> ?2`
  sql.exec(
    `DELETE FROM counted WHERE thread IN (${forgottenIds}) AND thread NOT IN (SELECT id FROM threads)`,
    reportCutoff,
    threadId,
  )
  sql.exec(`DELETE FROM forgotten WHERE id IN (${forgottenIds})`, reportCutoff, threadId)
  for (const run of runs) countUsage(sql, threadId, run, now)
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

export function usage(sql: SqlStorage): UsageTotals {
  type Row = Pick<Usage, keyof Usage> & {
    runs: number
    charged_tokens: number
    charged_usd: number
    estimated: number
  }
  const { runs, charged_tokens, charged_usd, estimated, ...sums } = sql
    .exec<Row>(
      `SELECT runs, input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost_usd,
         charged_tokens, charged_usd, estimated FROM totals`,
    )
    .one()
  const charged = { tokens: charged_tokens, usd: charged_usd, estimated: estimated === 1 }
  return { runs, usage: sums, charged }
}
