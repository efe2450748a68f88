// Requests by their Idempotency-Key: a retry finds the run of the first, and of a deleted thread that it is gone.

import type { Caller } from '../../lib/caller.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../limits/requests.ts'
import type { StartInput } from '../api.ts'

type Request = Pick<StartInput, 'create' | 'idempotency'>

function scoped(caller: Caller, key: string): string {
  return `${caller.keyId}\n${key}`
}

/**
 * The run that an earlier request with this key made; null: there was none. Fails with `idempotency_mismatch` when that
 * was another request, with `gone` when its thread was deleted. `lives`: the thread is there.
 */
export function earlierRun(
  sql: SqlStorage,
  caller: Caller,
  { create, idempotency }: Request,
  lives: boolean,
  now: number,
): Result<string | null> {
  if (!idempotency) return ok(null)
  const row = sql
    .exec<{ digest: string; run_id: string; at: number; known: number }>(
      `SELECT digest, run_id, at, EXISTS (SELECT 1 FROM runs WHERE runs.id = run_id) AS known
       FROM idempotency WHERE key = ?`,
      scoped(caller, idempotency.key),
    )
    .toArray()[0]
  if (!row) return ok(null)
  const old = now - row.at > IDEMPOTENCY_RETENTION_MS
  const runLives = lives && row.known === 1
  if (!runLives)
    return old
      ? ok(null)
      : fail(
          'gone',
          'The thread that this Idempotency-Key began was deleted. Send a new key to begin another.',
        )
  // A key that made the thread leads to it for as long as it lives: its id was derived from the key.
  if (old && !create) return ok(null)
  if (row.digest !== idempotency.digest)
    return fail(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another request. Send a new key for a new request.',
    )
  return ok(row.run_id)
}

/** In the block that accepts the request. */
export function rememberRequest(
  sql: SqlStorage,
  caller: Caller,
  { idempotency }: Request,
  runId: string,
  now: number,
): void {
  if (!idempotency) return
  forgetOldRequests(sql, now)
  rememberKey(sql, caller, idempotency.key, { digest: idempotency.digest, runId, at: now })
}

/** What a key stands for. `runId`: empty where it made no run. */
interface Known {
  readonly digest: string
  readonly runId: string
  readonly at: number
}

export function rememberKey(
  sql: SqlStorage,
  caller: Caller,
  key: string,
  { digest, runId, at }: Known,
): void {
  sql.exec(
    'INSERT OR REPLACE INTO idempotency (key, digest, run_id, at) VALUES (?, ?, ?, ?)',
    scoped(caller, key),
    digest,
    runId,
    at,
  )
}

/** When a key was used, or its thread deleted (epoch ms); null: neither. */
export function keyUsed(sql: SqlStorage, caller: Caller, key: string): number | null {
  const [row] = sql
    .exec<{ at: number }>('SELECT at FROM idempotency WHERE key = ?', scoped(caller, key))
    .toArray()
  return row?.at ?? null
}

/** Those that no longer count. The one that made the thread, by its first run or by none, stays as long as the thread does. */
export function forgetOldRequests(sql: SqlStorage, now: number): void {
  sql.exec(
    `DELETE FROM idempotency
     WHERE at < ? AND run_id NOT IN ('', coalesce((SELECT id FROM runs ORDER BY ord LIMIT 1), ''))`,
    now - IDEMPOTENCY_RETENTION_MS,
  )
}
