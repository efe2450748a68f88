// The secrets of a workspace as rows. They arrive encrypted, and are never decrypted here. When a secret is changed or
// deleted, the access tokens that were obtained with it are deleted, too.

import { fail, ok, type Result } from '../lib/result.ts'
import { SECRETS_MAX } from './limits.ts'
import type { SealedSecret } from '../secrets/stored.ts'
import type { StoredSecret } from './api.ts'

const COLUMNS = 'name, host, sealed, created_at, updated_at, by AS updated_by'

/** A row that putSecret wrote. */
type Row = Pick<StoredSecret, keyof StoredSecret>

export function noSecret(name: string): ReturnType<typeof fail> {
  return fail('not_found', `There is no secret ${name}. List the secrets with GET /admin/secrets.`)
}

export function listSecrets(sql: SqlStorage): readonly StoredSecret[] {
  return sql.exec<Row>(`SELECT ${COLUMNS} FROM secrets ORDER BY name`).toArray()
}

export function storedSecret(sql: SqlStorage, name: string): Result<StoredSecret> {
  const [row] = sql.exec<Row>(`SELECT ${COLUMNS} FROM secrets WHERE name = ?`, name).toArray()
  return row ? ok(row) : noSecret(name)
}

export function sealedSecrets(sql: SqlStorage, names: readonly string[]): readonly SealedSecret[] {
  return sql
    .exec<Pick<SealedSecret, keyof SealedSecret>>(
      'SELECT name, host, sealed FROM secrets WHERE name IN (SELECT value FROM json_each(?))',
      JSON.stringify(names),
    )
    .toArray()
}

export function putSecret(
  sql: SqlStorage,
  { name, host, sealed }: SealedSecret,
  author: string,
  at: string,
): Result<StoredSecret> {
  const { others } = sql
    .exec<{ others: number }>('SELECT count(*) AS others FROM secrets WHERE name <> ?', name)
    .one()
  if (others >= SECRETS_MAX)
    return fail(
      'storage_full',
      `A workspace stores at most ${SECRETS_MAX} secrets. Delete one that is no longer used.`,
    )
  sql.exec(
    `INSERT INTO secrets (name, host, sealed, created_at, updated_at, by) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET host = excluded.host, sealed = excluded.sealed, updated_at = excluded.updated_at,
       by = excluded.by`,
    name,
    host,
    sealed,
    at,
    at,
    author,
  )
  forgetTokens(sql, name)
  return storedSecret(sql, name)
}

export function resealSecret(sql: SqlStorage, from: SealedSecret, sealed: string): void {
  sql.exec('UPDATE secrets SET sealed = ? WHERE name = ? AND sealed = ?', sealed, from.name, from.sealed)
}

export function deleteSecret(sql: SqlStorage, name: string): Result<null> {
  const deleted = sql.exec('DELETE FROM secrets WHERE name = ? RETURNING name', name).toArray()
  forgetTokens(sql, name)
  return deleted.length > 0 ? ok(null) : noSecret(name)
}

function forgetTokens(sql: SqlStorage, secret: string): void {
  sql.exec('DELETE FROM tokens WHERE secret = ?', secret)
}
