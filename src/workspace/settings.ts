// The settings that a workspace's admins changed, without values that this release does not know.

import { ok, type Result } from '../lib/result.ts'
import { validSettings, type SettingsPatch, type StoredSettings } from '../settings/settings.ts'
import type { SettingsChange, WorkspaceApi } from './api.ts'
import { addVersion, pageOfVersions, newestVersion } from './versions.ts'

export const NO_SETTINGS: StoredSettings = { version: 0, changed: {}, updated_at: null, updated_by: null }

function shown({ version, at, author, value }: ReturnType<typeof newestVersion>): StoredSettings {
  return { version, changed: validSettings(value), updated_at: at, updated_by: author }
}

export function storedSettings(sql: SqlStorage): StoredSettings {
  return shown(newestVersion(sql, 'settings'))
}

/** See WorkspaceApi.changeSettings. Must be called inside `transactionSync`. */
export function changeSettings(sql: SqlStorage, change: SettingsChange, at: string): Result<StoredSettings> {
  const newest = addVersion(sql, 'settings', change, at)
  return newest.ok ? ok(shown(newest.value)) : newest
}

export function settingsHistory(
  sql: SqlStorage,
  cursor: string | null,
  limit: number,
): Awaited<ReturnType<WorkspaceApi['settingsHistory']>> {
  return pageOfVersions<SettingsPatch>(sql, 'settings', cursor, limit)
}
