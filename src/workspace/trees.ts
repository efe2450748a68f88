// Lists threads with their branches folded: the threads of one root are one entry. Imported when it
// is needed.

import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, ok, type Result } from '../lib/result.ts'
import type { Page, ThreadInfo, ThreadTree } from '../thread/api.ts'
import { TREE_THREADS_LISTED_MAX } from './limits.ts'

/** Lists the newest thread of each root, newest first. If `owner` is null, those of all owners. */
export function listTrees(
  sql: SqlStorage,
  owner: string | null,
  cursor: string | null,
  limit: number,
): Result<Page<ThreadTree>> {
  // "~" sorts after every time and ID.
  const before = cursor === null ? (['~', '~'] as const) : decodeCursor(cursor, ['string', 'string'])
  if (!before) return err(BAD_CURSOR)
  const rows = sql
    .exec<{
      id: string
      updated_at: string
      root: string
      info: string
      title: string | null
      count: number
    }>(
      `SELECT newest.id, newest.updated_at, newest.root, newest.info,
         (SELECT json_extract(info, '$.title') FROM threads WHERE id = newest.root) AS title,
         (SELECT count(*) FROM threads WHERE root = newest.root) AS count
       FROM threads AS newest
       WHERE (updated_at, id) < (?1, ?2) AND ${owner === null ? '?4 IS NULL' : 'owner = ?4'}
         AND NOT EXISTS (SELECT 1 FROM threads AS other WHERE other.root = newest.root
           AND (other.updated_at, other.id) > (newest.updated_at, newest.id))
       ORDER BY updated_at DESC, id DESC LIMIT ?3`,
      before[0],
      before[1],
      limit + 1,
      owner,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ updated_at, id }) => [updated_at, id])
  const threads = newestThreads(
    sql,
    data.filter(({ count }) => count > 1).map(({ root }) => root),
  )
  return ok({
    data: data.map(({ root, title, count, info }) => {
      // The cast is safe: only record() writes this column.
      const newest = JSON.parse(info) as ThreadInfo
      const own = [{ thread_id: newest.id, status: newest.status }]
      return { ...newest, tree: { title: title ?? newest.title, count, threads: threads.get(root) ?? own } }
    }),
    next_cursor,
  })
}

/** The newest threads of each root. */
function newestThreads(
  sql: SqlStorage,
  roots: readonly string[],
): ReadonlyMap<string, ThreadTree['tree']['threads']> {
  const rows = sql
    .exec<{ root: string; id: string; status: ThreadInfo['status'] }>(
      `SELECT root, id, json_extract(info, '$.status') AS status
       FROM (SELECT root, id, info, row_number() OVER (PARTITION BY root ORDER BY updated_at DESC, id DESC) AS place
         FROM threads WHERE root IN (SELECT value FROM json_each(?)))
       WHERE place <= ${TREE_THREADS_LISTED_MAX} ORDER BY root, place`,
      JSON.stringify(roots),
    )
    .toArray()
  return new Map(
    [...Map.groupBy(rows, ({ root }) => root)].map(([root, threads]) => [
      root,
      threads.map(({ id, status }) => ({ thread_id: id, status })),
    ]),
  )
}
