// The settings of a workspace for whoever needs them often: heard from the Workspace object, believed for a short while.
// Never changes any.

import { objects, config, type Env } from '../env/env.ts'
import type { Clock } from '../lib/clock.ts'
import { Recent } from '../lib/recent.ts'
import { redact } from '../lib/redact.ts'
import { fail, ok, type Result } from '../lib/result.ts'
import { within } from '../lib/within.ts'
import { SETTINGS_CACHE_ENTRIES, SETTINGS_CACHE_MS, SETTINGS_RETRY_MS, SETTINGS_WAIT_MS } from './limits.ts'
import { withDefaults, type StoredSettings, type WorkspaceSettings } from './settings.ts'

interface Known {
  readonly stored: StoredSettings
  /** When it was asked for: it may have changed since. */
  readonly asOf: number
  /** When the workspace was last asked again in vain; null: it was not. */
  readonly triedAt: number | null
}

// By workspace. Kept for as long as there is room: what is too old to go by is still the last that was known.
const known = new Recent<Known>(SETTINGS_CACHE_ENTRIES, Number.POSITIVE_INFINITY)

/**
 * What holds in a workspace: at most SETTINGS_CACHE_MS old, at once where this isolate served the change.
 *
 * Where the Workspace object does not answer, the last that was known holds on, however old: who cannot ask it cannot
 * change it either, mostly. Where nothing is known it is failure `overloaded`, not the defaults: they would allow what an
 * admin has forbidden, just while nobody looks.
 */
export async function settingsOf(
  env: Env,
  workspace: string,
  now: Clock,
): Promise<Result<WorkspaceSettings>> {
  const { defaults } = config(env)
  const asOf = now()
  const last = known.get(workspace, asOf)
  if (last && holds(last, asOf)) return ok(withDefaults(defaults, last.stored.changed))
  const answer = await ask(env, workspace)
  if (answer) return ok(withDefaults(defaults, heard(workspace, answer, asOf).changed))
  const still = known.get(workspace, now())
  if (!still)
    return fail('overloaded', 'The settings of the workspace cannot be read just now. Try again.', {
      retryAfterS: SETTINGS_RETRY_MS / 1000,
    })
  known.set(workspace, { ...still, triedAt: now() }, now())
  return ok(withDefaults(defaults, still.stored.changed))
}

/**
 * What the Workspace object answered to a question of this time; by this a change is known here at once. Gives what holds
 * now: while a version is believed no older one takes its place, which was on its way when that came.
 */
export function heard(workspace: string, stored: StoredSettings, asOf: number): StoredSettings {
  const last = known.get(workspace, asOf)
  if (last && isYoung(last, asOf) && last.stored.version > stored.version) return last.stored
  known.set(workspace, { stored, asOf, triedAt: null }, asOf)
  return stored
}

/** Whichever way the clock was put meanwhile. */
function isYoung({ asOf }: Known, now: number): boolean {
  return Math.abs(now - asOf) < SETTINGS_CACHE_MS
}

function holds(last: Known, now: number): boolean {
  if (isYoung(last, now)) return true
  return last.triedAt !== null && Math.abs(now - last.triedAt) < SETTINGS_RETRY_MS
}

/** Null: it did not answer. */
async function ask(env: Env, workspace: string): Promise<StoredSettings | null> {
  try {
    const answer = await within(SETTINGS_WAIT_MS, objects(env).workspace(workspace).settings())
    if (answer?.ok) return answer.value
    warn(answer ? answer.error.detail : `no answer within ${SETTINGS_WAIT_MS} ms`)
  } catch (error) {
    warn(String(error))
  }
  return null
}

function warn(error: string): void {
  console.warn(JSON.stringify({ at: 'settings', error: redact(error) }))
}
