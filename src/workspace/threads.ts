// The list of threads and the usage of their runs, as threads report them. Never asks a thread anything.

import type { Usage } from '../agent/message.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { fail, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import type { Page, ThreadInfo } from '../thread/api.ts'
import type { ThreadRecord } from './api.ts'

/**
 * Reports may come twice and out of order: an older one never overwrites a newer one, a run is counted once,
 * and a deleted thread comes back only when it was made anew after its deletion.
 */
export function record(
  sql: SqlStorage,
  thread: ThreadRecord,
  run: { readonly id: string; readonly usage: Usage } | null,
): void {
  const { id, created_at, updated_at } = thread.info
  sql.exec(
    `INSERT INTO threads (id, owner, created_at, updated_at, info)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM forgotten WHERE id = ?1 AND at >= ?3)
     ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, created_at = excluded.created_at,
       updated_at = excluded.updated_at, info = excluded.info
     WHERE excluded.updated_at >= threads.updated_at`,
    id,
    thread.owner,
    created_at,
    updated_at,
    JSON.stringify(thread.info),
  )
  if (run) count(sql, id, run.id, run.usage)
}

function count(sql: SqlStorage, thread: string, run: string, usage: Usage): void {
  const fresh = sql
    .exec('INSERT INTO counted (thread, run) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING run', thread, run)
    .toArray()
  if (fresh.length === 0) return
  sql.exec(
    `UPDATE totals SET runs = runs + 1,
       input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
       cache_creation_input_tokens = cache_creation_input_tokens + ?,
       cache_read_input_tokens = cache_read_input_tokens + ?,
       cost_usd = CASE WHEN ?5 IS NULL THEN cost_usd ELSE coalesce(cost_usd, 0) + ?5 END`,
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
    usage.cost_usd,
  )
}

/** Takes a thread off the list. What its last runs used is counted: nobody can ask the thread for it any more. */
export function forget(
  sql: SqlStorage,
  threadId: string,
  runs: readonly { readonly id: string; readonly usage: Usage }[],
  at: string,
): void {
  for (const run of runs) count(sql, threadId, run.id, run.usage)
  sql.exec('DELETE FROM threads WHERE id = ?', threadId)
  sql.exec(
    'INSERT INTO forgotten (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
    threadId,
    at,
  )
}

/** Newest first. `owner` null: everybody's. */
export function listThreads(
  sql: SqlStorage,
  owner: string | null,
  cursor: string | null,
  limit: number,
): Result<Page<ThreadInfo>> {
  // "~" sorts behind every time and id.
  const before = cursor === null ? (['~', '~'] as const) : decodeCursor(cursor, ['string', 'string'])
  if (!before) return fail('bad_cursor', 'The cursor is not one of this list. Start again without it.')
  const rows = sql
    .exec<{ id: string; updated_at: string; info: string }>(
      `SELECT id, updated_at, info FROM threads
        WHERE (updated_at, id) < (?1, ?2) AND ${owner === null ? '?4 IS NULL' : 'owner = ?4'}
        ORDER BY updated_at DESC, id DESC LIMIT ?3`,
      before[0],
      before[1],
      limit + 1,
      owner,
    )
    .toArray()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return ok({
    // Written by record() only.
    data: shown.map((row) => JSON.parse(row.info) as ThreadInfo),
    next_cursor: last && rows.length > limit ? encodeCursor([last.updated_at, last.id]) : null,
  })
}

export function usage(sql: SqlStorage): { readonly runs: number; readonly usage: Usage } {
  const { runs, ...sums } = sql
    .exec<{
      runs: number
      input_tokens: number
      output_tokens: number
      cache_creation_input_tokens: number
      cache_read_input_tokens: number
      cost_usd: number | null
    }>(
      `SELECT runs, input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost_usd
         FROM totals`,
    )
    .one()
  return { runs, usage: sums }
}
