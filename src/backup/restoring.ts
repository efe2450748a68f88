// Marks an object while its rows are being restored and may be incomplete. Until then, it serves no requests.

import { fail } from '../lib/result.ts'
import { RESTORING_RETRY_S } from './limits.ts'

export const RESTORING =
  'This deployment is being restored from a backup and is not complete. To continue, run npm run restore with the same archive again.'

export const NOT_COMPLETE = fail('not_ready', RESTORING, { retryAfterS: RESTORING_RETRY_S })

const TABLE = 'restoring'

/** Costs one read. */
export function isRestoring(sql: SqlStorage): boolean {
  return sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', TABLE).toArray().length > 0
}

/** `archive` identifies the archive. */
export function markRestoring(sql: SqlStorage, archive = ''): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS ${TABLE} (k INTEGER PRIMARY KEY CHECK (k = 1), archive TEXT NOT NULL)`)
  sql.exec(`INSERT OR REPLACE INTO ${TABLE} VALUES (1, ?)`, archive)
}

export function restoredArchive(sql: SqlStorage): string {
  return sql.exec<{ archive: string }>(`SELECT archive FROM ${TABLE}`).one().archive
}

export function unmarkRestoring(sql: SqlStorage): void {
  sql.exec(`DROP TABLE ${TABLE}`)
}
