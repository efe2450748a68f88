// A short-lived cache of workspace settings, which are read from the Workspace object.

import { objects, config, type Env } from '../env/env.ts'
import type { Clock } from '../lib/clock.ts'
import { ExpiringCache } from '../lib/expiring-cache.ts'
import { logText } from '../lib/redact.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import {
  SETTINGS_CACHE_ENTRIES_MAX,
  SETTINGS_CACHE_MAX_AGE_MS,
  SETTINGS_RETRY_PAUSE_MS,
  SETTINGS_TIMEOUT_MS,
} from './limits.ts'
import { withDefaults, type StoredSettings, type WorkspaceSettings } from './settings.ts'

interface CachedSettings {
  readonly stored: StoredSettings
  /** When these settings were requested. They may have changed since. */
  readonly requestedAt: number
  /** When reading the settings again last failed, or null if it has not failed. */
  readonly lastFailureAt: number | null
}

// By workspace. Entries do not expire, because stale settings are still the last known ones.
const cache = new ExpiringCache<CachedSettings>(SETTINGS_CACHE_ENTRIES_MAX, Number.POSITIVE_INFINITY)

/**
 * The settings of a workspace, at most SETTINGS_CACHE_MAX_AGE_MS old; a change made through this isolate applies immediately.
 * If the Workspace object does not respond, the last known settings apply, however old. Without any, fails with
 * `overloaded`, because the defaults could allow what an admin has forbidden.
 */
export async function settingsOf(
  env: Env,
  workspace: string,
  now: Clock,
): Promise<Result<WorkspaceSettings>> {
  const { defaults } = config(env)
  const requestedAt = now()
  const cached = cache.get(workspace, requestedAt)
  if (cached && isUsable(cached, requestedAt)) return ok(withDefaults(defaults, cached.stored.changed))
  const response = await readSettings(env, workspace)
  if (response) return ok(withDefaults(defaults, cacheSettings(workspace, response, requestedAt).changed))
  const stale = cache.get(workspace, now())
  if (!stale)
    return fail(
      'overloaded',
      'The settings of the workspace cannot be read at the moment. Try again in a few seconds.',
      {
        retryAfterS: SETTINGS_RETRY_PAUSE_MS / 1000,
      },
    )
  cache.set(workspace, { ...stale, lastFailureAt: now() }, now())
  return ok(withDefaults(defaults, stale.stored.changed))
}

/**
 * Caches settings that the Workspace object returned for a request made at `requestedAt`. Returns the current settings: a
 * newer version in the cache is not replaced by an older one that arrives late.
 */
export function cacheSettings(
  workspace: string,
  stored: StoredSettings,
  requestedAt: number,
): StoredSettings {
  const cached = cache.get(workspace, requestedAt)
  if (cached && isRecent(cached, requestedAt) && cached.stored.version > stored.version) return cached.stored
  cache.set(workspace, { stored, requestedAt, lastFailureAt: null }, requestedAt)
  return stored
}

/** Whether settings are recent enough to be used, even if the clock was set back. */
function isRecent({ requestedAt }: CachedSettings, now: number): boolean {
  return Math.abs(now - requestedAt) < SETTINGS_CACHE_MAX_AGE_MS
}

function isUsable(cached: CachedSettings, now: number): boolean {
  if (isRecent(cached, now)) return true
  return cached.lastFailureAt !== null && Math.abs(now - cached.lastFailureAt) < SETTINGS_RETRY_PAUSE_MS
}

/** The stored settings, or null if the Workspace object did not respond. */
async function readSettings(env: Env, workspace: string): Promise<StoredSettings | null> {
  try {
    const response = await withTimeout(SETTINGS_TIMEOUT_MS, objects(env).workspace(workspace).settings())
    if (response?.ok) return response.value
    warn(response ? response.error.detail : `no response within ${SETTINGS_TIMEOUT_MS} ms`)
  } catch (error) {
    warn(String(error))
  }
  return null
}

function warn(error: string): void {
  console.warn(JSON.stringify({ at: 'settings', error: logText(error) }))
}
