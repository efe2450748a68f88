// The space for files of threads in the store, counted for each key and for the workspace. Threads request it
// before they write. Each request contains the total, so that a late or repeated request counts once. Never calls a
// thread.

import { rfc3339 } from '../lib/clock.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { STAGED_FILE_RETENTION_MS } from '../limits/files.ts'
import { FILELESS_THREAD_RETENTION_MS, FILES_STORED_EXTRA_BYTES } from './limits.ts'
import type { FileSettings } from '../settings/settings.ts'
import type { FileSpace } from './api.ts'

type Limits = Pick<FileSettings, 'max_key_bytes' | 'max_workspace_bytes'>

interface Bytes {
  readonly kept: number
  readonly stored: number
}

type SpaceRow = { key: string; made_at: number; change: number; kept: number; stored: number }

const NO_BYTES: Bytes = { kept: 0, stored: 0 }

/**
 * Fails with `storage_full`, or with `not_found` if the thread was deleted. Must be called inside
 * `transactionSync`.
 */
export function setFileSpace(sql: SqlStorage, space: FileSpace, limits: Limits, now: number): Result<null> {
  const { thread, key, made_at, change, kept, stored } = space
  const deleted = sql.exec('SELECT 1 FROM forgotten WHERE id = ? AND at >= ?', thread, rfc3339(made_at))
  if (deleted.toArray().length > 0) return fail('not_found', `There is no thread ${thread}.`)
  const before = spaceOf(sql, thread)
  if (before && (before.made_at > made_at || (before.made_at === made_at && before.change > change)))
    return ok(null)
  const granted = before ?? NO_BYTES
  const refused = refusal(sql, key, { kept: kept - granted.kept, stored: stored - granted.stored }, limits)
  if (refused) return refused
  if (before) addToSums(sql, before.key, { kept: -before.kept, stored: -before.stored })
  addToSums(sql, key, space)
  sql.exec(
    'INSERT OR REPLACE INTO file_room (thread, key, made_at, change, kept, stored, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    thread,
    key,
    made_at,
    change,
    kept,
    stored,
    now,
  )
  sql.exec('DELETE FROM file_room WHERE stored = 0 AND at < ?', now - FILELESS_THREAD_RETENTION_MS)
  return ok(null)
}

/** Subtracts a thread's space from the sums. Must be called before the thread's row is removed. */
export function uncountFileSpace(sql: SqlStorage, thread: string): void {
  const before = spaceOf(sql, thread)
  if (before) addToSums(sql, before.key, { kept: -before.kept, stored: -before.stored })
}

function spaceOf(sql: SqlStorage, thread: string): SpaceRow | null {
  const [row] = sql
    .exec<SpaceRow>('SELECT key, made_at, change, kept, stored FROM file_room WHERE thread = ?', thread)
    .toArray()
  return row ?? null
}

function addToSums(sql: SqlStorage, key: string, { kept, stored }: Bytes): void {
  sql.exec(
    `INSERT INTO key_files (key, kept, stored) VALUES (?1, ?2, ?3)
     ON CONFLICT (key) DO UPDATE SET kept = kept + ?2, stored = stored + ?3`,
    key,
    kept,
    stored,
  )
  sql.exec('DELETE FROM key_files WHERE key = ? AND kept = 0 AND stored = 0', key)
}

function refusal(
  sql: SqlStorage,
  key: string,
  increase: Bytes,
  { max_key_bytes, max_workspace_bytes }: Limits,
): ReturnType<typeof fail> | null {
  if (increase.kept <= 0 && increase.stored <= 0) return null
  const sums = sql
    .exec<{ kept: number; stored: number; allKept: number; allStored: number }>(
      `SELECT coalesce(sum(CASE WHEN key = ?1 THEN kept END), 0) AS kept,
         coalesce(sum(CASE WHEN key = ?1 THEN stored END), 0) AS stored,
         coalesce(sum(kept), 0) AS allKept, coalesce(sum(stored), 0) AS allStored
       FROM key_files`,
      key,
    )
    .one()
  return (
    limitProblem(
      'The files of all threads of this key',
      sums,
      increase,
      max_key_bytes,
      'files.max_key_bytes',
    ) ??
    limitProblem(
      'The files of this workspace',
      { kept: sums.allKept, stored: sums.allStored },
      increase,
      max_workspace_bytes,
      'files.max_workspace_bytes',
    )
  )
}

function limitProblem(
  what: string,
  { kept, stored }: Bytes,
  increase: Bytes,
  max: number,
  setting: string,
): ReturnType<typeof fail> | null {
  if (increase.kept > 0 && kept + increase.kept > max)
    return fail(
      'storage_full',
      `${what} may total ${max} bytes; with this change they would total ${kept + increase.kept}. Delete files or threads, or let an admin raise ${setting}.`,
    )
  if (increase.stored > 0 && stored + increase.stored > 2 * max + FILES_STORED_EXTRA_BYTES)
    return fail(
      'storage_full',
      `${what} were replaced or deleted so often within the past hour that too many bytes are still waiting to be deleted. Try again later, or let an admin raise ${setting}.`,
      { retryAfterS: STAGED_FILE_RETENTION_MS / 1000 },
    )
  return null
}
