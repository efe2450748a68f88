// Reads the rows of a workspace for a backup, and lists its objects. Imported when it is needed.

import type { RowsPage } from '../backup/api.ts'
import { readRows } from '../backup/read.ts'
import type { Result } from '../lib/result.ts'
import type { SqlTables } from '../lib/tables.ts'
import { AUDIT_TABLES } from './audit-schema.ts'
import type { BackupContents } from './restore-api.ts'
import { WORKSPACE_TABLES } from './schema.ts'

export const ALL_TABLES: SqlTables = { ...WORKSPACE_TABLES, ...AUDIT_TABLES }

export function readWorkspace(sql: SqlStorage, cursor: string | null): Result<RowsPage> {
  return readRows(sql, ALL_TABLES, cursor)
}

export function backupContents(sql: SqlStorage): BackupContents {
  const ids = (query: string): readonly string[] =>
    sql
      .exec<{ id: string }>(query)
      .toArray()
      .map(({ id }) => id)
  return {
    threads: ids('SELECT id FROM threads UNION SELECT thread FROM file_room WHERE stored > 0 ORDER BY id'),
    hooks: ids('SELECT id FROM hooks ORDER BY id'),
    endpoints: ids('SELECT id FROM endpoints ORDER BY id'),
    schedules: ids('SELECT id FROM schedules ORDER BY id'),
  }
}
