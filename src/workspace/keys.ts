// The keys of a workspace. Only hashes of their secrets are stored. Unknown keys, revoked keys and wrong
// secrets get the same response.

import { equalInConstantTime, isSha256 } from '../lib/bytes.ts'
import type { KeyTools } from '../lib/caller.ts'
import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { KeyInfo, WorkspaceApi } from './api.ts'

type NewKey = Parameters<WorkspaceApi['createKey']>[0]

/** A row that createKey wrote. `tools` is JSON. */
type KeyRow = Omit<KeyInfo, 'tools'> & { readonly tools: string | null }

const COLUMNS = 'id, role, user, note, tools, created_at, revoked_at'

/** The cast is safe: only createKey writes this column. */
function toolsOf(stored: string | null): KeyTools | null {
  return stored === null ? null : (JSON.parse(stored) as KeyTools)
}

function infoOf({ id, role, user, note, tools, created_at, revoked_at }: KeyRow): KeyInfo {
  return { id, role, user, note, tools: toolsOf(tools), created_at, revoked_at }
}

/** Compared if the ID is unknown, so that the check takes as long as for a wrong secret. */
const UNKNOWN_KEY_HASH = '0'.repeat(64)

export const UNKNOWN_KEY = fail(
  'unauthenticated',
  'The key is unknown or has been revoked. Ask an admin of the workspace for a new one.',
)

export function verifyKey(
  sql: SqlStorage,
  keyId: string,
  secretHash: string,
): Result<Pick<KeyInfo, 'role' | 'user' | 'tools'>> {
  const [row] = sql
    .exec<Pick<KeyRow, 'role' | 'user' | 'tools' | 'revoked_at'> & { readonly secret_hash: string }>(
      'SELECT secret_hash, role, user, tools, revoked_at FROM keys WHERE id = ?',
      keyId,
    )
    .toArray()
  const isSame = equalInConstantTime(row?.secret_hash ?? UNKNOWN_KEY_HASH, secretHash)
  return row && isSame && row.revoked_at === null
    ? ok({ role: row.role, user: row.user, tools: toolsOf(row.tools) })
    : UNKNOWN_KEY
}

export function createKey(sql: SqlStorage, key: NewKey, at: string): Result<KeyInfo> {
  if (!isSha256(key.secretHash))
    return fail(
      'invalid_request',
      'secretHash must be the SHA-256 of the secret in hex, not the secret itself.',
    )
  const [row] = sql
    .exec<KeyRow>(
      `INSERT INTO keys (id, secret_hash, role, user, note, tools, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
      key.id,
      key.secretHash,
      key.role,
      key.user,
      key.note,
      key.tools ? JSON.stringify(key.tools) : null,
      at,
    )
    .toArray()
  return row ? ok(infoOf(row)) : fail('name_taken', `A key with the ID ${key.id} already exists.`)
}

/** Finds a key by its ID. The caller must have verified it. */
export function readKey(sql: SqlStorage, keyId: string): Result<KeyInfo> {
  const [row] = sql.exec<KeyRow>(`SELECT ${COLUMNS} FROM keys WHERE id = ?`, keyId).toArray()
  return row ? ok(infoOf(row)) : UNKNOWN_KEY
}

/** Lists keys, newest first. */
export function listKeys(sql: SqlStorage, cursor: string | null, limit: number): Result<Page<KeyInfo>> {
  const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!before) return err(BAD_CURSOR)
  const rows = sql
    .exec<KeyRow & { seq: number }>(
      `SELECT seq, ${COLUMNS} FROM keys WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
      before[0],
      limit + 1,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ seq }) => seq)
  return ok({
    data: data.map(infoOf),
    next_cursor,
  })
}

/** Idempotent: the time of the first revocation is kept. */
export function revokeKey(sql: SqlStorage, keyId: string, at: string): Result<KeyInfo> {
  const [row] = sql
    .exec<KeyRow>(
      `UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING ${COLUMNS}`,
      at,
      keyId,
    )
    .toArray()
  return row
    ? ok(infoOf(row))
    : fail('not_found', `There is no key ${keyId} in this workspace. List its keys with GET /admin/keys.`)
}

/**
 * Deletes revoked keys, which are then unknown: those revoked before `until` (unless it is null), and all but
 * the newest `max`.
 */
export function sweepRevoked(sql: SqlStorage, until: string | null, max: number): void {
  sql.exec(
    `DELETE FROM keys WHERE revoked_at < ?1 OR seq IN (
       SELECT seq FROM keys WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC, seq DESC LIMIT -1 OFFSET ?2)`,
    until,
    max,
  )
}
