// The deletion of all data of a user: its row, its report, and the rows of the workspace that it changes. `background-work.ts`
// deletes the threads. Imported when it is needed.

import { sha256Hex } from '../lib/bytes.ts'
import { rfc3339 } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { removeUserCaps } from './cap-limits.ts'
import { RUNS_SCANNED_MAX, USER_DELETION_MIN_MS } from './limits.ts'
import { COUNTS, SUMMED, sumAll } from './usage-days.ts'
import type { RemovedData, UserDeletion } from './user-api.ts'
import { ownedThreads } from './user-data.ts'

export type OpenDeletion = {
  readonly id: string
  readonly user: string
  readonly requested_at: number
  readonly starters_done: number
  readonly rounds: number
  readonly position: string
}

type DeletionRow = {
  readonly id: string
  readonly user: string | null
  readonly requested_at: number
  readonly finished_at: number | null
  readonly removed: string
}

const NOTHING: RemovedData = {
  threads: 0,
  file_bytes: 0,
  texts: 0,
  approvals: 0,
  keys: 0,
  runs: 0,
  hooks: 0,
  schedules: 0,
}

function noData(user: string): ReturnType<typeof fail> {
  return fail(
    'not_found',
    `There is nothing of the user “${user}” here, and it was not deleted before. GET /admin/keys shows users.`,
  )
}

export function ownerOfUser(user: string): string {
  return `user:${user}`
}

/** Finds a deletion without storing the user's name. */
function userDigest(workspace: string, user: string): Promise<string> {
  return sha256Hex(`${workspace}\0${user}`)
}

function infoOf(
  sql: SqlStorage,
  { id, user, requested_at, finished_at, removed }: DeletionRow,
): UserDeletion {
  return {
    id,
    state: finished_at === null ? 'running' : 'done',
    requested_at: rfc3339(requested_at),
    finished_at: finished_at === null ? null : rfc3339(finished_at),
    threads_left: user === null ? 0 : countThreads(sql, user),
    // The cast is safe: only this file writes this column.
    removed: JSON.parse(removed) as RemovedData,
  }
}

function countThreads(sql: SqlStorage, user: string): number {
  const query = 'SELECT count(*) AS n FROM threads WHERE owner = ?'
  return sql.exec<{ n: number }>(query, ownerOfUser(user)).one().n
}

/** The newest deletion of a user, or null. */
function findDeletion(sql: SqlStorage, digest: string): UserDeletion | null {
  const query = 'SELECT * FROM user_deletions WHERE digest = ? ORDER BY requested_at DESC LIMIT 1'
  const [row] = sql.exec<DeletionRow>(query, digest).toArray()
  return row ? infoOf(sql, row) : null
}

/** Whether the workspace has a key, a thread or usage of this user. */
function hasData(sql: SqlStorage, user: string): boolean {
  const rows = sql.exec(
    `SELECT 1 FROM keys WHERE user = ?1 UNION ALL SELECT 1 FROM threads WHERE owner = ?2
     UNION ALL SELECT 1 FROM usage_days WHERE dimension = 'user' AND value = ?1 LIMIT 1`,
    user,
    ownerOfUser(user),
  )
  return rows.toArray().length > 0
}

/** Revokes the user's keys. Must be called inside `transactionSync`. */
function beginDeletion(sql: SqlStorage, id: string, digest: string, user: string, now: number): void {
  const revoked = sql.exec(
    'UPDATE keys SET revoked_at = coalesce(revoked_at, ?), note = NULL WHERE user = ? RETURNING id',
    rfc3339(now),
    user,
  )
  const removed = { ...NOTHING, keys: revoked.toArray().length }
  sql.exec(
    'INSERT INTO user_deletions (id, digest, user, requested_at, due_at, removed) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    digest,
    user,
    now,
    now,
    JSON.stringify(removed),
  )
}

/** See WorkspaceApi.deleteUser. */
export async function deleteUser(
  storage: DurableObjectStorage,
  workspace: string,
  user: string,
  now: number,
): Promise<Result<UserDeletion>> {
  const { sql } = storage
  const digest = await userDigest(workspace, user)
  const known = findDeletion(sql, digest)
  if (known?.state === 'running') return ok(known)
  if (!hasData(sql, user)) return known ? ok(known) : noData(user)
  storage.transactionSync(() => beginDeletion(sql, newId('del'), digest, user, now))
  return showDeletion(sql, workspace, user)
}

export async function showDeletion(
  sql: SqlStorage,
  workspace: string,
  user: string,
): Promise<Result<UserDeletion>> {
  const found = findDeletion(sql, await userDigest(workspace, user))
  return found ? ok(found) : noData(user)
}

/** The deletion that is due first; null if none is in progress. */
export function nextDeletion(sql: SqlStorage): (OpenDeletion & { readonly due_at: number }) | null {
  const query = 'SELECT * FROM user_deletions WHERE finished_at IS NULL ORDER BY due_at LIMIT 1'
  type Row = OpenDeletion & { readonly due_at: number }
  return sql.exec<Row>(query).toArray()[0] ?? null
}

export function setProgress(
  sql: SqlStorage,
  id: string,
  change: Readonly<Partial<Record<'due_at' | 'starters_done' | 'rounds' | 'position', string | number>>>,
): void {
  const assignments = Object.keys(change).map((column) => `${column} = ?`)
  sql.exec(`UPDATE user_deletions SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(change), id)
}

export function countRemoved(sql: SqlStorage, id: string, more: Partial<RemovedData>): void {
  for (const [name, count] of Object.entries(more))
    sql.exec(
      `UPDATE user_deletions SET removed = json_set(removed, '$.${name}', removed ->> '$.${name}' + ?) WHERE id = ?`,
      count,
      id,
    )
}

/** Counts a thread that is about to be forgotten, if all data of its owner is being deleted. In the same transaction. */
export function countForgotten(sql: SqlStorage, thread: string): void {
  const [found] = sql
    .exec<{ id: string; file_bytes: number; texts: number; approvals: number }>(
      `SELECT user_deletions.id, coalesce((SELECT kept FROM file_room WHERE thread = ?1), 0) AS file_bytes,
         (SELECT count(*) FROM texts WHERE thread = ?1) AS texts,
         (SELECT count(*) FROM approvals WHERE thread = ?1) AS approvals
       FROM threads JOIN user_deletions ON 'user:' || user = threads.owner WHERE threads.id = ?1 AND finished_at IS NULL`,
      thread,
    )
    .toArray()
  if (!found) return
  const { id, ...counts } = found
  countRemoved(sql, id, { threads: 1, ...counts })
}

/**
 * Removes the user from rows of runs whose threads were deleted in other ways. Reads some rows at a time. Returns where to continue, or
 * null if all were read.
 */
export function removeUserFromRuns(sql: SqlStorage, user: string, from: number): number | null {
  const [last] = sql
    .exec<{ ended_at: number }>(
      `SELECT ended_at FROM run_rows WHERE ended_at >= ? ORDER BY ended_at LIMIT 1 OFFSET ${RUNS_SCANNED_MAX}`,
      from,
    )
    .toArray()
  sql.exec(
    "UPDATE run_rows SET thread = NULL, user = NULL, skills = '[]' WHERE user = ? AND ended_at >= ? AND ended_at <= ?",
    user,
    from,
    last?.ended_at ?? Number.MAX_SAFE_INTEGER,
  )
  return last && last.ended_at > from ? last.ended_at : null
}

/**
 * Completes a deletion when nothing is left and no key can add something. Sums of the user's usage move to the empty name, which no
 * user can have. Returns false if it is too early. Must be called inside `transactionSync`.
 */
export function finishDeletion(
  sql: SqlStorage,
  { id, user, requested_at }: OpenDeletion,
  keepAfter: number,
  now: number,
): boolean {
  if (now < requested_at + USER_DELETION_MIN_MS) return false
  if (ownedThreads(sql, ownerOfUser(user), '', 1).length > 0) return false
  sumAll(sql, keepAfter)
  sql.exec(
    "UPDATE run_rows SET thread = NULL, user = NULL, skills = '[]' WHERE ended_at >= ? AND user = ?",
    requested_at,
    user,
  )
  const { runs } = sql
    .exec<{ runs: number }>(
      "SELECT coalesce(sum(runs), 0) AS runs FROM usage_days WHERE dimension = 'user' AND value = ?",
      user,
    )
    .one()
  sql.exec(MOVE_SUMS, user)
  sql.exec("DELETE FROM usage_days WHERE dimension = 'user' AND value = ?", user)
  sql.exec('UPDATE keys SET user = NULL WHERE user = ?', user)
  removeUserCaps(sql, user)
  sql.exec('UPDATE leases SET user = NULL WHERE user = ?', user)
  sql.exec('DELETE FROM cap_sums WHERE scope = ?', `user:${user}`)
  countRemoved(sql, id, { runs })
  sql.exec('UPDATE user_deletions SET user = NULL, finished_at = ? WHERE id = ?', now, id)
  return true
}

/** A sum of the cost stays null until the price of a run is known. */
const MOVE_SUMS = `INSERT INTO usage_days (dimension, day, value, ${SUMMED.join(', ')})
  SELECT dimension, day, '', ${SUMMED.join(', ')} FROM usage_days WHERE dimension = 'user' AND value = ?
  ON CONFLICT DO UPDATE SET ${COUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
    cost_micro = CASE WHEN excluded.cost_micro IS NULL THEN cost_micro ELSE coalesce(cost_micro, 0) + excluded.cost_micro END,
    estimated = max(estimated, excluded.estimated)`
