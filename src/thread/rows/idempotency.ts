// Stores requests by their Idempotency-Key, so that a retry finds the run of the first request, or gets
// `gone` if its thread was deleted.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../limits/requests.ts'
import type { StartInput } from '../api.ts'

type KeyedRequest = Pick<StartInput, 'create' | 'idempotency'>

function scopedKey(caller: Caller, key: string): string {
  return `${caller.keyId}\n${key}`
}

/**
 * Returns the run of an earlier request with this key, or null if there was none. Fails with
 * `idempotency_mismatch` if the requests differ, or with `gone` if the thread was deleted. `threadExists` is false
 * if the thread was deleted.
 */
export function findEarlierRun(
  sql: SqlStorage,
  caller: Caller,
  { create, idempotency }: KeyedRequest,
  threadExists: boolean,
  now: number,
): Result<string | null> {
  if (!idempotency) return ok(null)
  const row = sql
    .exec<{ digest: string; run_id: string; at: number; run_exists: number }>(
      `SELECT digest, run_id, at, EXISTS (SELECT 1 FROM runs WHERE runs.id = run_id) AS run_exists
       FROM idempotency WHERE key = ?`,
      scopedKey(caller, idempotency.key),
    )
    .toArray()[0]
  if (!row) return ok(null)
  const isExpired = now - row.at > IDEMPOTENCY_RETENTION_MS
  const runExists = threadExists && row.run_exists === 1
  if (!runExists)
    return isExpired
      ? ok(null)
      : fail(
          'gone',
          'The thread that this Idempotency-Key created was deleted. Send a new key to create another thread.',
        )
  // The thread's ID is derived from the key that created it, so that key stays valid as long as the thread
  // exists.
  if (isExpired && !create) return ok(null)
  if (row.digest !== idempotency.digest)
    return fail(
      'idempotency_mismatch',
      'This Idempotency-Key was already used with a different request. Send a new key for a new request.',
    )
  return ok(row.run_id)
}

/** Stores the request's key. Must be called in the block that accepts the request. */
export function storeRequestKey(
  sql: SqlStorage,
  caller: Caller,
  { idempotency }: KeyedRequest,
  runId: string,
  now: number,
): void {
  if (!idempotency) return
  deleteExpiredKeys(sql, now)
  storeKey(sql, caller, idempotency.key, { digest: idempotency.digest, runId, usedAt: now })
}

/** What is stored for a key. `runId` is empty if its request created no run. */
interface StoredKey {
  readonly digest: string
  readonly runId: string
  readonly usedAt: number
}

export function storeKey(
  sql: SqlStorage,
  caller: Caller,
  key: string,
  { digest, runId, usedAt }: StoredKey,
): void {
  sql.exec(
    'INSERT OR REPLACE INTO idempotency (key, digest, run_id, at) VALUES (?, ?, ?, ?)',
    scopedKey(caller, key),
    digest,
    runId,
    usedAt,
  )
}

/** When a key was used or its thread was deleted (epoch milliseconds), or null if the key is unknown. */
export function keyUsedAt(sql: SqlStorage, caller: Caller, key: string): number | null {
  const [row] = sql
    .exec<{ at: number }>('SELECT at FROM idempotency WHERE key = ?', scopedKey(caller, key))
    .toArray()
  return row?.at ?? null
}

/**
 * Deletes expired keys. The key that created the thread, with or without a run, is kept as long as the thread
 * exists.
 */
export function deleteExpiredKeys(sql: SqlStorage, now: number): void {
  sql.exec(
    `DELETE FROM idempotency
     WHERE at < ? AND run_id NOT IN ('', coalesce((SELECT id FROM runs ORDER BY ord LIMIT 1), ''))`,
    now - IDEMPOTENCY_RETENTION_MS,
  )
}
