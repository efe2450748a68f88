// Restores a workspace, which is marked and closed for everybody until the restore is complete. Imported when it is
// needed.

import type { RestoredPage } from '../backup/api.ts'
import { OCCUPIED, restorePage } from '../backup/restore.ts'
import { isRestoring, markRestoring, restoredArchive, unmarkRestoring } from '../backup/restoring.ts'
import { storedTable } from '../backup/tables.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { statements } from '../lib/tables.ts'
import { toIndexedText } from '../thread-search/terms.ts'
import { AUDIT_TABLES } from './audit-schema.ts'
import { ALL_TABLES, backupContents } from './backup.ts'
import { RESTORE_MISSING_SHOWN } from './limits.ts'
import { WORKSPACE_MIGRATIONS } from './schema.ts'
import { forget } from './threads.ts'

/** Rows that show that a deployment is in use. */
const USED = [
  'keys',
  'threads',
  'file_room',
  'forgotten',
  'run_rows',
  'usage_days',
  'user_deletions',
  'hooks',
  'endpoints',
  'schedules',
  'settings',
  'limits',
  'secrets',
]

export const NOT_BEGUN = fail(
  'not_empty',
  'No restore is in progress here. It begins with POST /admin/restore, in a new deployment only.',
)
const OTHER_ARCHIVE = fail(
  'not_empty',
  'Another archive is being restored here. Continue with that one, or delete this deployment and create a new one.',
)

/** Whether the workspace has no data of its own, or this archive is already being restored. */
export function mayRestore(sql: SqlStorage, archive: string): Result<null> {
  if (isRestoring(sql)) return restoredArchive(sql) === archive ? ok(null) : OTHER_ARCHIVE
  const isUsed = USED.some((table) => sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length > 0)
  return isUsed ? OCCUPIED : ok(null)
}

export function closeWorkspace(sql: SqlStorage, archive: string): void {
  markRestoring(sql, archive)
  sql.exec('CREATE TABLE IF NOT EXISTS restored (object TEXT PRIMARY KEY) WITHOUT ROWID')
}

export function isRestored(sql: SqlStorage, object: string): Result<boolean> {
  return ok(sql.exec('SELECT 1 FROM restored WHERE object = ?', object).toArray().length > 0)
}

export function markRestored(sql: SqlStorage, object: string): Result<null> {
  sql.exec('INSERT OR IGNORE INTO restored VALUES (?)', object)
  return ok(null)
}

export function restoreWorkspace(storage: DurableObjectStorage, page: RestoredPage): Result<null> {
  return restorePage(
    {
      storage,
      tables: ALL_TABLES,
      migrations: WORKSPACE_MIGRATIONS,
      name: 'The workspace',
      mark: setAside,
      written: indexTexts,
      complete: (sql) => {
        sql.exec(
          `INSERT INTO audit (${AUDIT_COLUMNS}) SELECT ${AUDIT_COLUMNS} FROM own_audit
            WHERE request_id NOT IN (SELECT request_id FROM audit) ORDER BY id`,
        )
        sql.exec('UPDATE audit SET unannounced = 0 WHERE unannounced = 1')
        sql.exec('DROP TABLE own_audit')
      },
    },
    page,
  )
}

const AUDIT_COLUMNS =
  'at, request_id, key, user, role, network, action, target, status, before, after, unannounced'

/** Sets aside what the audit has recorded here, because the rows of the backup have the same numbers. */
function setAside(sql: SqlStorage): void {
  if (storedTable(sql, 'audit').columns.length === 0) sql.exec(statements(AUDIT_TABLES))
  sql.exec('CREATE TABLE IF NOT EXISTS own_audit AS SELECT * FROM audit')
  sql.exec(
    "INSERT INTO own_audit SELECT * FROM audit WHERE action LIKE 'restore.%' AND request_id NOT IN (SELECT request_id FROM own_audit)",
  )
  sql.exec("INSERT INTO words (words) VALUES ('delete-all')")
}

/** The search index is built again from the texts, in the order of their IDs. */
function indexTexts(sql: SqlStorage): void {
  const texts = sql
    .exec<{ id: number; owner: string; text: string }>(
      `SELECT texts.id, owner, text FROM texts JOIN threads ON threads.id = thread
        WHERE texts.id > coalesce((SELECT rowid FROM words ORDER BY rowid DESC LIMIT 1), 0) ORDER BY texts.id`,
    )
    .toArray()
  for (const { id, owner, text } of texts)
    sql.exec('INSERT INTO words (rowid, text) VALUES (?, ?)', id, toIndexedText(owner, text).terms)
}

const STARTERS = ['hooks', 'endpoints', 'schedules']

/** Fails with `invalid_archive` unless every listed object is restored, or in `missing`. */
export function checkRestored(sql: SqlStorage, missing: readonly string[]): Result<null> {
  const listed = Object.entries(backupContents(sql)).flatMap(([kind, ids]) =>
    ids.map((id: string) => `${kind}/${id}`),
  )
  const restored = new Set(
    sql
      .exec<{ object: string }>('SELECT object FROM restored')
      .toArray()
      .map(({ object }) => object),
  )
  const gone = new Set(missing)
  const left = ['workspace', 'catalog', ...listed].filter(
    (object) => !restored.has(object) && !gone.has(object),
  )
  if (left.length === 0) return ok(null)
  const shown = left.slice(0, RESTORE_MISSING_SHOWN).join(', ')
  return fail('invalid_archive', `${left.length} objects are not restored yet: ${shown}. Restore them first.`)
}

export function openWorkspace(
  storage: DurableObjectStorage,
  missing: readonly string[],
  now: number,
  keepAfter: number,
): void {
  const { sql } = storage
  storage.transactionSync(() => {
    for (const object of missing) {
      const [kind = '', id = ''] = object.split('/')
      if (kind === 'threads') forget(sql, id, { runs: [], ids: [] }, now, keepAfter)
      else if (STARTERS.includes(kind)) sql.exec(`DELETE FROM ${kind} WHERE id = ?`, id)
    }
    sql.exec('DROP TABLE restored')
    unmarkRestoring(sql)
  })
}
