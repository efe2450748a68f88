// The keys of a workspace. Only hashes of their secrets are stored. Unknown keys, expired and revoked keys and wrong
// secrets get the same response.

import { equalInConstantTime, isSha256 } from '../lib/bytes.ts'
import { rfc3339 } from '../lib/clock.ts'
import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import type { Page } from '../thread/api.ts'
import type { WorkspaceApi } from './api.ts'
import { maxBudgetOf, storedLimits } from './cap-limits.ts'
import type { KeyChange, KeyInfo, KeyState, VerifiedKey } from './key-api.ts'

type NewKey = Parameters<WorkspaceApi['createKey']>[0]

const JSON_COLUMNS = ['tools', 'models', 'caps', 'max_budget'] as const

/** A row that this file wrote. */
type KeyRow = Omit<KeyInfo, (typeof JSON_COLUMNS)[number] | 'previous_secret_until'> & {
  readonly [C in (typeof JSON_COLUMNS)[number]]: string | null
} & {
  readonly previous_until: string | null
}

/** ?1 is the present, a time like those of the columns. */
const STATE = `CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= ?1 THEN 'expired' ELSE 'active' END`

/** ?1 as in STATE. */
const COLUMNS = `id, role, user, note, ${JSON_COLUMNS.join(', ')}, ${STATE} AS state, created_at, expires_at, last_used_at, rotated_at,
  previous_until, revoked_at`

/** The cast is safe: only this file writes these columns, and each caller reads the type that it wrote. */
function parsed<T>(stored: string | null): T | null {
  return stored === null ? null : (JSON.parse(stored) as T)
}

function json(value: object | null | undefined): string | null {
  return value ? JSON.stringify(value) : null
}

function infoOf(row: KeyRow, now: string): KeyInfo {
  const { id, role, user, note, state, created_at, expires_at, last_used_at, rotated_at, previous_until } =
    row
  return {
    id,
    role,
    user,
    note,
    tools: parsed(row.tools),
    models: parsed(row.models),
    caps: parsed(row.caps),
    max_budget: parsed(row.max_budget),
    state,
    created_at,
    expires_at,
    last_used_at,
    rotated_at,
    previous_secret_until: previous_until !== null && previous_until > now ? previous_until : null,
    revoked_at: row.revoked_at,
  }
}

/** Compared if the ID is unknown, so that the check takes as long as for a wrong secret. */
const UNKNOWN_KEY_HASH = '0'.repeat(64)

export const UNKNOWN_KEY = fail(
  'unauthenticated',
  'The key is unknown, has expired or has been revoked. Ask an admin of the workspace for a new one.',
)

export function verifyKey(
  sql: SqlStorage,
  keyId: string,
  secretHash: string,
  at: number,
): Result<VerifiedKey> {
  type Row = KeyRow & { readonly secret_hash: string; readonly previous_hash: string | null }
  const now = rfc3339(at)
  const [row] = sql
    .exec<Row>(`SELECT secret_hash, previous_hash, ${COLUMNS} FROM keys WHERE id = ?2`, now, keyId)
    .toArray()
  const isNewest = equalInConstantTime(row?.secret_hash ?? UNKNOWN_KEY_HASH, secretHash)
  const isPrevious = equalInConstantTime(row?.previous_hash ?? UNKNOWN_KEY_HASH, secretHash)
  const isOverlapping = isPrevious && row?.previous_until != null && row.previous_until > now
  if (!row || !(isNewest || isOverlapping) || row.state !== 'active') return UNKNOWN_KEY
  recordUse(sql, row, now)
  const ends = [row.expires_at, isNewest ? null : row.previous_until].filter((end) => end !== null)
  return ok({
    role: row.role,
    user: row.user,
    tools: parsed(row.tools),
    models: parsed(row.models),
    max_budget: maxBudgetOf(storedLimits(sql), infoOf(row, now)),
    until: ends.length === 0 ? null : Math.min(...ends.map((end) => Date.parse(end))),
  })
}

/** Writes at most one row an hour. */
function recordUse(sql: SqlStorage, { id, last_used_at }: KeyRow, now: string): void {
  const hour = `${now.slice(0, 13)}:00:00.000Z`
  if (last_used_at !== hour) sql.exec('UPDATE keys SET last_used_at = ? WHERE id = ?', hour, id)
}

export function createKey(sql: SqlStorage, key: NewKey, at: string): Result<KeyInfo> {
  if (!isSha256(key.secretHash)) return NOT_A_HASH
  const [row] = sql
    .exec<KeyRow>(
      `INSERT INTO keys (created_at, id, secret_hash, role, user, note, tools, models, expires_at, caps, max_budget)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
      at,
      key.id,
      key.secretHash,
      key.role,
      key.user,
      key.note,
      json(key.tools),
      json(key.models),
      key.expires_at ?? null,
      json(key.caps),
      json(key.max_budget),
    )
    .toArray()
  return row ? ok(infoOf(row, at)) : fail('name_taken', `A key with the ID ${key.id} already exists.`)
}

const NOT_A_HASH = fail(
  'invalid_request',
  'secretHash must be the SHA-256 of the secret in hex, not the secret itself.',
)

/** Finds a key by its ID. The caller must have verified it. */
export function readKey(sql: SqlStorage, keyId: string, now: string): Result<KeyInfo> {
  const [row] = sql.exec<KeyRow>(`SELECT ${COLUMNS} FROM keys WHERE id = ?2`, now, keyId).toArray()
  return row ? ok(infoOf(row, now)) : UNKNOWN_KEY
}

/** Lists keys, newest first: those in a state, or all if it is null. */
export function listKeys(
  sql: SqlStorage,
  state: KeyState | null,
  cursor: string | null,
  limit: number,
  now: string,
): Result<Page<KeyInfo>> {
  const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!before) return err(BAD_CURSOR)
  const rows = sql
    .exec<KeyRow & { seq: number }>(
      `SELECT seq, ${COLUMNS} FROM keys WHERE seq < ?2 AND (?3 IS NULL OR ${STATE} = ?3)
       ORDER BY seq DESC LIMIT ?4`,
      now,
      before[0],
      state,
      limit + 1,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ seq }) => seq)
  return ok({ data: data.map((row) => infoOf(row, now)), next_cursor })
}

function noKey(keyId: string): ReturnType<typeof fail> {
  return fail('not_found', `There is no key ${keyId} in this workspace. List its keys with GET /admin/keys.`)
}

export function changeKey(
  sql: SqlStorage,
  keyId: string,
  { note, tools, models, caps, max_budget, expires_at }: KeyChange,
  now: string,
): Result<KeyInfo> {
  const before = tools ? readKey(sql, keyId, now) : null
  const { allow = null, deny = [] } = (before?.ok ? before.value.tools : null) ?? {}
  const changed = {
    ...(note === undefined ? {} : { note }),
    ...(tools === undefined ? {} : { tools: tools && JSON.stringify({ allow, deny, ...tools }) }),
    ...(models === undefined ? {} : { models: json(models) }),
    ...(caps === undefined ? {} : { caps: json(caps) }),
    ...(max_budget === undefined ? {} : { max_budget: json(max_budget) }),
    ...(expires_at === undefined ? {} : { expires_at }),
  }
  const assignments = Object.keys(changed).map((column) => `${column} = ?`)
  if (assignments.length > 0)
    sql.exec(`UPDATE keys SET ${assignments.join(', ')} WHERE id = ?`, ...Object.values(changed), keyId)
  const key = readKey(sql, keyId, now)
  return key.ok ? key : noKey(keyId)
}

/** `until` is when the old secret stops being valid. */
export function rotateKey(
  sql: SqlStorage,
  keyId: string,
  secretHash: string,
  until: string,
  now: string,
): Result<KeyInfo> {
  if (!isSha256(secretHash)) return NOT_A_HASH
  const key = readKey(sql, keyId, now)
  if (!key.ok) return noKey(keyId)
  if (key.value.state === 'revoked')
    return fail('gone', `The key ${keyId} was revoked. Create a new key with POST /admin/keys.`)
  if (key.value.state === 'expired')
    return fail(
      'gone',
      `The key ${keyId} has expired. First set another expires_at (or null) with PATCH /admin/keys/${keyId}, then rotate it.`,
    )
  sql.exec(
    `UPDATE keys SET previous_hash = secret_hash, previous_until = ?, secret_hash = ?, rotated_at = ? WHERE id = ?`,
    until,
    secretHash,
    now,
    keyId,
  )
  return readKey(sql, keyId, now)
}

/** Idempotent: the time of the first revocation is kept. */
export function revokeKey(sql: SqlStorage, keyId: string, at: string): Result<KeyInfo> {
  const [row] = sql
    .exec<KeyRow>(
      `UPDATE keys SET revoked_at = coalesce(revoked_at, ?1) WHERE id = ?2 RETURNING ${COLUMNS}`,
      at,
      keyId,
    )
    .toArray()
  return row ? ok(infoOf(row, at)) : noKey(keyId)
}

/**
 * Deletes keys that were revoked or have expired, which are then unknown: those that ended before `until` (unless it is
 * null), and all but the newest `max`. `until` is not later than `now`.
 */
export function sweepEnded(sql: SqlStorage, until: string | null, max: number, now: string): void {
  sql.exec(
    `DELETE FROM keys WHERE coalesce(revoked_at, expires_at) < ?1 OR seq IN (
       SELECT seq FROM keys WHERE coalesce(revoked_at, expires_at) <= ?3
       ORDER BY coalesce(revoked_at, expires_at) DESC, seq DESC LIMIT -1 OFFSET ?2)`,
    until,
    max,
    now,
  )
}
