// Guards how long an isolate caches settings: 30 seconds, or not at all where they were changed. An unavailable
// workspace never widens what an admin has restricted.

import { describe, expect, it, vi } from 'vitest'
import type { Env } from '../../../src/env/env.ts'
import {
  SETTINGS_CACHE_ENTRIES_MAX,
  SETTINGS_CACHE_MAX_AGE_MS,
  SETTINGS_RETRY_PAUSE_MS,
  SETTINGS_TIMEOUT_MS,
} from '../../../src/settings/limits.ts'
import { cacheSettings, settingsOf } from '../../../src/settings/settings-cache.ts'
import type { StoredSettings } from '../../../src/settings/settings.ts'

function stored(version: number, max_files: number): StoredSettings {
  return { version, changed: { files: { max_files } }, updated_at: 'then', updated_by: 'admin' }
}

interface World {
  readonly env: Env
  /** Names of the workspaces that were asked. */
  readonly requests: string[]
  answer: () => Promise<unknown>
}

function world(variables: object = {}): World {
  const requested: string[] = []
  const state: World = {
    requests: requested,
    answer: async () => ({ ok: true, value: stored(1, 10) }),
    env: {
      ...variables,
      WORKSPACES: {
        getByName: (workspace: string) => ({
          settings: async () => {
            requested.push(workspace)
            return state.answer()
          },
        }),
      },
    } as unknown as Env, // the cast is safe: settingsOf() uses only these bindings
  }
  return state
}

let names = 0
/** The name of a workspace that the module has not seen. */
function newName(): string {
  names += 1
  return `remembered-${names}`
}

const away = async (): Promise<never> => {
  throw new Error('The object is away.')
}

async function filesAt({ env }: World, workspace: string, now: number): Promise<number | string> {
  const result = await settingsOf(env, workspace, () => now)
  return result.ok ? result.value.files.max_files : result.error.code
}

describe('settings', () => {
  it('are requested once, then cached until their time is over, then requested again', async () => {
    const [state, name] = [world(), newName()]
    expect(await filesAt(state, name, 0)).toBe(10)
    state.answer = async () => ({ ok: true, value: stored(2, 20) })
    expect(await filesAt(state, name, SETTINGS_CACHE_MAX_AGE_MS - 1)).toBe(10)
    expect(state.requests).toEqual([name])
    expect(await filesAt(state, name, SETTINGS_CACHE_MAX_AGE_MS)).toBe(20)
    expect(state.requests).toEqual([name, name])
  })

  it('are those of their workspace', async () => {
    const [state, one, two] = [world(), newName(), newName()]
    expect(await filesAt(state, one, 0)).toBe(10)
    state.answer = async () => ({ ok: true, value: stored(1, 20) })
    expect(await filesAt(state, two, 0)).toBe(20)
    expect(await filesAt(state, one, 0)).toBe(10)
  })

  it('are the variables where nobody set anything', async () => {
    const state = world({ FILES_MAX: '77' })
    state.answer = async () => ({
      ok: true,
      value: { version: 0, changed: {}, updated_at: null, updated_by: null },
    })
    const result = await settingsOf(state.env, newName(), () => 0)
    expect(result).toEqual({
      ok: true,
      value: {
        files: {
          max_files: 77,
          max_file_bytes: 33_554_432,
          max_thread_bytes: 1_073_741_824,
          max_key_bytes: 21_474_836_480,
          max_workspace_bytes: 107_374_182_400,
        },
        threads: {
          max_threads: 100_000,
          max_key_threads: 20_000,
          max_thread_search_bytes: 1_048_576,
          max_search_bytes: 1_073_741_824,
          compact_percent: 80,
        },
        skills: { max_bytes: 107_374_182_400 },
        tools: {
          allow: null,
          deny: [],
          untrusted_then_act: 'ask',
          link_bits: 40,
          calls_per_tool: 50,
          guardrail_url: null,
          guardrail_failure: 'deny',
        },
        web: { allow_hosts: [], deny_hosts: [], server_search: false },
        runs: { lease_wait_s: 5 },
        retention: { run_days: 90, audit_days: 365, thread_days: null },
      },
    })
  })

  it('changed here apply at once, even over a response in transit', async () => {
    const [state, name] = [world(), newName()]
    let arrive: (answer: unknown) => void = () => {}
    state.answer = async () => new Promise((resolve) => (arrive = resolve))
    const slow = filesAt(state, name, 1)
    cacheSettings(name, stored(2, 20), 0)
    arrive({ ok: true, value: stored(1, 10) })
    expect(await slow).toBe(20)
    expect(await filesAt(state, name, 2)).toBe(20)
  })

  it('follow the workspace, even if its version went back and the newer one is old', async () => {
    const [state, name] = [world(), newName()]
    cacheSettings(name, stored(9, 90), 0)
    expect(await filesAt(state, name, SETTINGS_CACHE_MAX_AGE_MS)).toBe(10)
  })

  it('of more workspaces than an isolate caches are requested again, the oldest first', async () => {
    const [state, first, second] = [world(), newName(), newName()]
    await filesAt(state, first, 0)
    await filesAt(state, second, 0)
    for (let at = 0; at < SETTINGS_CACHE_ENTRIES_MAX - 1; at++) cacheSettings(newName(), stored(1, 1), 0)
    await filesAt(state, second, 0)
    expect(state.requests).toEqual([first, second])
    await filesAt(state, first, 0)
    expect(state.requests).toEqual([first, second, first])
  })
})

describe('while the workspace is unavailable', () => {
  it('the last known settings apply, and it is not asked again at once', async () => {
    const [state, name] = [world(), newName()]
    await filesAt(state, name, 0)
    state.answer = away
    const late = 100 * SETTINGS_CACHE_MAX_AGE_MS
    expect(await filesAt(state, name, late)).toBe(10)
    expect(await filesAt(state, name, late + SETTINGS_RETRY_PAUSE_MS - 1)).toBe(10)
    expect(state.requests).toHaveLength(2)
    expect(await filesAt(state, name, late + SETTINGS_RETRY_PAUSE_MS)).toBe(10)
    expect(state.requests).toHaveLength(3)
    state.answer = async () => ({ ok: true, value: stored(2, 20) })
    expect(await filesAt(state, name, late + 2 * SETTINGS_RETRY_PAUSE_MS)).toBe(20)
  })

  it('unknown settings are not assumed', async () => {
    const [state, name] = [world(), newName()]
    state.answer = away
    expect(await settingsOf(state.env, name, () => 0)).toMatchObject({
      ok: false,
      error: { code: 'overloaded', retryAfterS: 5 },
    })
    state.answer = async () => ({ ok: true, value: stored(1, 10) })
    expect(await filesAt(state, name, 1)).toBe(10)
  })

  it('a request that never ends is not waited for', async () => {
    const [state, name] = [world(), newName()]
    state.answer = async () => new Promise(() => {})
    vi.useFakeTimers()
    try {
      const answer = filesAt(state, name, 0)
      await vi.advanceTimersByTimeAsync(SETTINGS_TIMEOUT_MS)
      expect(await answer).toBe('overloaded')
    } finally {
      vi.useRealTimers()
    }
  })
})
