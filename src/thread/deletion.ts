// Deletes a thread in three steps: first a mark is written to disk together with the alarm that completes the
// deletion, then the workspace is notified, then the rows are deleted. It resumes after any interruption.
// Once the mark is written, the thread no longer exists for callers.

import { removeLeftovers, type Leftover } from '../files/objects.ts'
import { prefixOf, type FileStore } from '../files/store.ts'
import { hasSchema } from '../lib/migrate.ts'
import { STAGED_FILE_RETENTION_MS } from '../limits/files.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../limits/requests.ts'
import { PURGE_BATCH_ROWS } from '../limits/runs.ts'
import { checkpoint } from './rows/checkpoint.ts'
import { releaseAllSpace, type SpaceOwner } from './executor/file-space.ts'
import { withForkTimeout } from './fork/fork-timeout.ts'
import type { ThreadPorts, Parts } from './parts.ts'
import { deleteExpiredKeys } from './rows/idempotency.ts'
import { hasTable } from './rows/on-demand.ts'
import { THREAD_TABLES } from './rows/schema.ts'
import type { ThreadTable } from './rows/thread-table.ts'
import { dropIndex } from './windows/conversation-index.ts'
import { recordWithMaximum } from './executor/charge.ts'
import { passOn } from './report/announce.ts'
import { markReported, unreportedRuns } from './report/workspace-report.ts'

interface DeletionMark {
  readonly id: string
  readonly workspace: string
  readonly at: number
  /** 1 if this is an unfinished fork, which was never reported to the workspace. */
  readonly draft: 0 | 1
}

/**
 * The tables in order of deletion. The thread's own row is last, because it shows that other rows may remain.
 */
const DELETED_TABLES = Object.entries(THREAD_TABLES)
  .filter(([, { removed }]) => removed !== false)
  .reverse()

export function isMarkedDeleted(sql: SqlStorage): boolean {
  return sql.exec('SELECT 1 FROM deletion').toArray().length > 0
}

/** Whether rows of a deleted thread still exist. */
export function hasDeletedRows(sql: SqlStorage): boolean {
  return isMarkedDeleted(sql) && sql.exec('SELECT 1 FROM thread').toArray().length > 0
}

/**
 * Marks the thread as deleted; from then on its run starts nothing new. The caller must set the alarm in the
 * same block.
 */
export function markDeleted(thread: Parts<'ctx' | 'row' | 'runs' | 'active', 'now'>): void {
  const { sql } = thread.ctx.storage
  const now = thread.ports.now()
  const { id, workspace } = thread.row.data
  deleteExpiredKeys(sql, now)
  // From now on each key gets the response `gone`, for as long as a new key would be kept.
  sql.exec('UPDATE idempotency SET at = ?', now)
  insertDeletionMark(sql, { id, workspace, at: now, draft: 0 })
  if (thread.active) thread.runs.requestCancel(thread.active.runId, 'cancelled')
}

export function insertDeletionMark(
  sql: SqlStorage,
  { id, workspace, at: markedAt, draft }: DeletionMark,
): void {
  sql.exec(
    'INSERT INTO deletion (k, id, workspace, at, draft) VALUES (1, ?, ?, ?, ?)',
    id,
    workspace,
    markedAt,
    draft,
  )
}

/** Removes the mark, because a new thread is created in place of a deleted one. */
export function removeDeletionMark(sql: SqlStorage): void {
  sql.exec('DELETE FROM deletion')
}

/** Deletes at most PURGE_BATCH_ROWS rows of a table. Returns whether more remain. */
function deleteRows(sql: SqlStorage, name: string, { key, removed }: ThreadTable): boolean {
  if (!hasTable(sql, name)) return false
  const fromMatching = `FROM ${name} WHERE ${typeof removed === 'boolean' ? removed : removed.where} LIMIT`
  sql.exec(`DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} ${fromMatching} ${PURGE_BATCH_ROWS})`)
  return sql.exec(`SELECT 1 ${fromMatching} 1`).toArray().length > 0
}

/**
 * Deletes all objects in the store, including those without a row, because an upload may have been in
 * progress.
 */
async function removeObjects(
  store: FileStore,
  { workspace, id }: DeletionMark,
  ctx: DurableObjectState,
): Promise<void> {
  const prefix = prefixOf(workspace, id)
  while (await store.removeSome(prefix)) await checkpoint('deletion.objects', ctx)
}

/**
 * Removes the thread from the list, and records the unreported usage of its runs in the same RPC. Returns the endpoints that may
 * have events of the thread, or null if the workspace refuses.
 */
async function forget(
  sql: SqlStorage,
  ports: Pick<ThreadPorts, 'workspace' | 'models' | 'now'>,
  { id, workspace }: DeletionMark,
): Promise<readonly string[] | null> {
  const { user } = sql.exec<{ user: string | null }>('SELECT user FROM thread').one()
  const ids = sql.exec<{ id: string }>('SELECT id FROM runs').toArray()
  for (;;) {
    const runs = unreportedRuns(sql, true)
    const records = runs.map((run) => recordWithMaximum(run, user, ports.models, ports.now()))
    const answer = await ports
      .workspace(workspace)
      .forget(id, { runs: records, ids: ids.map((run) => run.id) })
    if (!answer.ok) return null
    for (const run of runs) markReported(sql, run)
    if (unreportedRuns(sql, true).length === 0) return answer.value
  }
}

/** Returns no endpoints, because an unfinished fork had no events; null if the workspace refuses. */
async function releaseFork(...of: Parameters<typeof ownerOf>): Promise<readonly string[] | null> {
  return (await releaseAllSpace(ownerOf(...of))) ? [] : null
}

/** The owner of an uncompleted fork, which may have been granted space for files. */
function ownerOf(
  ctx: DurableObjectState,
  ports: Pick<ThreadPorts, 'workspace'>,
  { id, workspace }: DeletionMark,
): SpaceOwner {
  const { madeBy, createdAt } = ctx.storage.sql
    .exec<{ madeBy: string; createdAt: number }>(
      'SELECT made_by AS madeBy, created_at AS createdAt FROM thread',
    )
    .one()
  const data = { id, workspace, madeBy, createdAt }
  return { ctx, data, ports, used: () => ({ kept: 0, stored: 0 }) }
}

/** Removes the fork from the branch list of its source. */
async function unregisterFromSource(
  sql: SqlStorage,
  ports: Pick<ThreadPorts, 'thread'>,
  { id, workspace }: DeletionMark,
): Promise<void> {
  const [row] = sql.exec<{ parent: string | null }>('SELECT fork_thread AS parent FROM thread').toArray()
  if (row?.parent) await withForkTimeout(ports.thread(workspace, row.parent).unregisterBranch(id))
}

/** Removes the bodies of deliveries from the hook that created the thread. A hook that is gone has none. */
async function forgetDeliveries(
  sql: SqlStorage,
  ports: Pick<ThreadPorts, 'hook'>,
  { id, workspace }: DeletionMark,
): Promise<void> {
  const [row] = sql.exec<{ madeBy: string }>('SELECT made_by AS madeBy FROM thread').toArray()
  const hookId = row && /^hook:(hk_.+)$/.exec(row.madeBy)?.[1]
  if (hookId !== undefined) await ports.hook(hookId).forgetThread(workspace, id)
}

/**
 * Continues a marked deletion. Idempotency keys of the thread are kept until they expire; then everything is
 * deleted. Returns when to call this function again (epoch milliseconds of the system clock), or null if
 * never. Rejects if the platform fails or the workspace is unreachable.
 */
export async function continueDeletion(
  ctx: DurableObjectState,
  ports: Pick<ThreadPorts, 'now' | 'workspace' | 'endpoint' | 'thread' | 'hook' | 'store' | 'models'>,
  retryMs: number,
): Promise<number | null> {
  const { storage } = ctx
  const { sql } = storage
  if (!hasSchema(sql)) return null
  const [mark] = sql.exec<DeletionMark & Record<string, SqlStorageValue>>('SELECT * FROM deletion').toArray()
  if (!mark) return null
  if (hasDeletedRows(sql)) {
    if (!(await passOn(ctx, ports, mark.workspace))) return ports.now() + retryMs
    // The workspace is not asked to forget an unfinished fork. If it were and the clock was set back, a second attempt
    // at the same fork would never be listed.
    const endpoints = mark.draft === 0 ? await forget(sql, ports, mark) : await releaseFork(ctx, ports, mark)
    if (!endpoints) return ports.now() + retryMs
    for (const id of endpoints) await ports.endpoint(mark.workspace, id).forgetThread(mark.workspace, mark.id)
    await unregisterFromSource(sql, ports, mark)
    await forgetDeliveries(sql, ports, mark)
    await checkpoint('deletion.reported', ctx)
    await removeObjects(ports.store, mark, ctx)
    dropIndex(sql)
    for (const [name, table] of DELETED_TABLES)
      for (;;) {
        const hasMore = deleteRows(sql, name, table)
        await checkpoint('deletion.batch', ctx)
        if (!hasMore) break
        await storage.sync()
      }
  }
  // A new thread may have been created here meanwhile. Then the rows and objects belong to it.
  if (!isMarkedDeleted(sql)) return null
  const now = ports.now()
  const lateBytesUntil = mark.at + STAGED_FILE_RETENTION_MS
  const leftovers = sql.exec<Leftover>('SELECT id, key, upload FROM objects').toArray()
  if (leftovers.length > 0) {
    if (now < lateBytesUntil) return Math.min(lateBytesUntil, now + STAGED_FILE_RETENTION_MS)
    // Deletes by key: the prefix may contain objects of a thread that was created during this wait.
    await removeLeftovers(ports.store, leftovers)
    await checkpoint('deletion.late', ctx)
    for (const { id } of leftovers) sql.exec('DELETE FROM objects WHERE id = ?', id)
    if (!isMarkedDeleted(sql)) return null
  }
  const keysUntil = mark.at + IDEMPOTENCY_RETENTION_MS
  const keys = sql.exec('SELECT 1 FROM idempotency LIMIT 1').toArray()
  // The `min` is for a clock that has been set back since the deletion.
  if (keys.length > 0 && now < keysUntil) return Math.min(keysUntil, now + IDEMPOTENCY_RETENTION_MS)
  await storage.deleteAlarm()
  await storage.deleteAll()
  return null
}
