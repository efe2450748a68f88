// The versions of a workspace's settings. Stores only what the workspace's admins changed, and does not
// validate values.

import { BAD_CURSOR, cutPage, decodeCursor } from '../lib/cursor.ts'
import { err, fail, ok, type Result } from '../lib/result.ts'
import { SETTINGS_VERSIONS_MAX } from './limits.ts'
import {
  validSettings,
  applyPatch,
  type Sections,
  type SettingsPatch,
  type SettingsVersion,
  type StoredSettings,
} from '../settings/settings.ts'
import type { Page } from '../thread/api.ts'
import type { SettingsChange } from './api.ts'

export const NO_SETTINGS: StoredSettings = { version: 0, changed: {}, updated_at: null, updated_by: null }

interface NewestVersion {
  readonly stored: StoredSettings
  /** The stored JSON, including settings that only another release knows. */
  readonly value: Sections
}

function newestVersion(sql: SqlStorage): NewestVersion {
  type Row = { version: number; at: string; author: string; value: string }
  const [row] = sql
    .exec<Row>('SELECT version, at, author, value FROM settings ORDER BY version DESC LIMIT 1')
    .toArray()
  if (!row) return { stored: NO_SETTINGS, value: {} }
  // The cast is safe: only changeSettings() writes this column.
  const value = JSON.parse(row.value) as Sections
  const { version, at, author } = row
  return { stored: { version, changed: validSettings(value), updated_at: at, updated_by: author }, value }
}

export function storedSettings(sql: SqlStorage): StoredSettings {
  return newestVersion(sql).stored
}

/** See WorkspaceApi.changeSettings. Must be called inside `transactionSync`. */
export function changeSettings(
  sql: SqlStorage,
  { author, patch, expectedVersion }: SettingsChange,
  at: string,
): Result<StoredSettings> {
  const { stored, value } = newestVersion(sql)
  const next = applyPatch(value, patch)
  // Nothing changes, for example because the change is repeated after its response was lost.
  if (!next) return ok(stored)
  if (expectedVersion !== undefined && expectedVersion !== stored.version)
    return fail(
      'stale_version',
      `The settings are at version ${stored.version}, not ${expectedVersion}. Read them again with GET /admin/settings, then send the change with the new ETag.`,
    )
  const version = stored.version + 1
  sql.exec(
    'INSERT INTO settings (version, at, author, change, value) VALUES (?, ?, ?, ?, ?)',
    version,
    at,
    author,
    JSON.stringify(next.change),
    JSON.stringify(next.value),
  )
  sql.exec('DELETE FROM settings WHERE version <= ?', version - SETTINGS_VERSIONS_MAX)
  return ok({ version, changed: validSettings(next.value), updated_at: at, updated_by: author })
}

/** Lists versions, newest first. */
export function settingsHistory(
  sql: SqlStorage,
  cursor: string | null,
  limit: number,
): Result<Page<SettingsVersion>> {
  const before = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, ['number'])
  if (!before) return err(BAD_CURSOR)
  type Row = { version: number; at: string; author: string; change: string }
  const rows = sql
    .exec<Row>(
      'SELECT version, at, author, change FROM settings WHERE version < ? ORDER BY version DESC LIMIT ?',
      before[0],
      limit + 1,
    )
    .toArray()
  const { data, next_cursor } = cutPage(rows, limit, ({ version }) => version)
  // The cast is safe: only changeSettings() writes this column.
  return ok({
    data: data.map((row) => ({ ...row, change: JSON.parse(row.change) as SettingsPatch })),
    next_cursor,
  })
}
