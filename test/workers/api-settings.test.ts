// Guards the settings of a workspace: shown with their defaults and changed by its admins only. Each change is a
// version with its author, never overwrites an unseen version, and affects no other workspace.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { SETTINGS_VERSIONS_MAX } from '../../src/workspace/limits.ts'
import { settingsOf } from '../../src/settings/settings-cache.ts'
import type { SettingsVersion, StoredSettings, WorkspaceSettings } from '../../src/settings/settings.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { changeSettings } from '../../src/workspace/settings.ts'
import { foreignKey, got, makeKey, refused, send, serveSkills, type Ask } from './api-fixture.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))

type Shown = StoredSettings & { readonly settings: WorkspaceSettings; readonly defaults: WorkspaceSettings }

const WEB = { allow_hosts: [], deny_hosts: [], server_search: false }
const TOOLS = {
  allow: null,
  deny: [],
  untrusted_then_act: 'ask',
  link_bits: 40,
  calls_per_tool: 50,
  guardrail_url: null,
  guardrail_failure: 'deny',
}
const DEFAULTS = {
  files: {
    max_files: 2_000,
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
  tools: TOOLS,
  web: WEB,
  runs: { lease_wait_s: 5 },
  retention: { run_days: 90, audit_days: 365, thread_days: null },
}
const NOTHING = {
  version: 0,
  settings: DEFAULTS,
  defaults: DEFAULTS,
  changed: {},
  updated_at: null,
  updated_by: null,
}

let workspaces = 0
/** An admin of a separate workspace, so that each test starts with nothing set. */
async function admin(): Promise<{ readonly workspace: string; readonly key: string }> {
  workspaces += 1
  const workspace = `settings-${workspaces}`
  return { workspace, key: await foreignKey(workspace, 'admin', 'ann') }
}

async function show(key: string): Promise<Shown> {
  return got<Shown>(send('GET /admin/settings', { key }))
}

async function patch(key: string, body: unknown, match?: string, ask: Ask = {}): Promise<Response> {
  const headers = match === undefined ? {} : { 'If-Match': match }
  return send('PATCH /admin/settings', { ...ask, key, body, headers })
}

async function history(key: string, query = ''): Promise<readonly SettingsVersion[]> {
  return (await got<{ data: SettingsVersion[] }>(send(`GET /admin/settings/history${query}`, { key }))).data
}

describe('settings', () => {
  it('are the defaults at version 0 where nobody set anything, and reading stores nothing', async () => {
    const { workspace, key } = await admin()
    const answer = await send('GET /admin/settings', { key })
    expect(answer.headers.get('ETag')).toBe('"0"')
    expect(await got(Promise.resolve(answer))).toEqual(NOTHING)
    expect(await history(key)).toEqual([])
    const untouched = env.WORKSPACES.getByName(`${workspace}-untouched`) as DurableObjectStub<Workspace>
    expect(await untouched.settings()).toMatchObject({ ok: true, value: { version: 0, changed: {} } })
    const tables = await runInDurableObject(untouched, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'settings'").toArray(),
    )
    expect(tables).toEqual([])
  })

  it('have the variables of the Worker as defaults, which do not change an explicit value', async () => {
    const { key } = await admin()
    const variables = { FILES_MAX: '50', FILE_MAX_BYTES: '1000', THREAD_FILES_MAX_BYTES: '9000' }
    const defaults = { files: { max_files: 50, max_file_bytes: 1_000, max_thread_bytes: 9_000 } }
    const made = await got<Shown>(patch(key, { files: { max_files: 50 } }, undefined, { env: variables }))
    expect(made).toMatchObject({
      version: 1,
      settings: defaults,
      defaults,
      changed: { files: { max_files: 50 } },
    })
    expect((await show(key)).settings.files).toEqual({ ...DEFAULTS.files, max_files: 50 })
  })

  it('are set, reset and left alone by a merge patch, and survive a restart', async () => {
    const { workspace, key } = await admin()
    const answer = await patch(key, { files: { max_files: 500, max_file_bytes: 1_000 } })
    expect(answer.headers.get('ETag')).toBe('"1"')
    const first = await got<Shown>(Promise.resolve(answer))
    expect(first).toEqual({
      ...NOTHING,
      version: 1,
      settings: {
        ...DEFAULTS,
        files: { ...DEFAULTS.files, max_files: 500, max_file_bytes: 1_000 },
      },
      changed: { files: { max_files: 500, max_file_bytes: 1_000 } },
      updated_at: expect.stringMatching(/Z$/),
      updated_by: 'ann',
    })
    await evictDurableObject(env.WORKSPACES.getByName(workspace))
    expect(await show(key)).toEqual(first)
    const second = await got<Shown>(patch(key, { files: { max_files: null, max_thread_bytes: 77 } }))
    expect(second).toMatchObject({
      version: 2,
      changed: { files: { max_file_bytes: 1_000, max_thread_bytes: 77 } },
    })
    expect(second.settings.files).toEqual({ ...DEFAULTS.files, max_file_bytes: 1_000, max_thread_bytes: 77 })
    const third = await got<Shown>(patch(key, { files: null }))
    expect(third).toMatchObject({ version: 3, settings: DEFAULTS, changed: {} })
  })

  it('with one invalid field change no other', async () => {
    const { key } = await admin()
    const body = { files: { max_files: 5, max_file_bytes: 100_000_001, max_filez: 1 }, other: {} }
    const problem = await refused(patch(key, body), 422, 'invalid_request')
    expect(problem.errors).toEqual([
      {
        path: 'files.max_file_bytes',
        message: 'must be a whole number from 1 to 100000000, or null for the default',
      },
      { path: 'files.max_filez', message: 'is not a field of this request' },
      { path: 'other', message: 'is not a field of this request' },
    ])
    expect(await show(key)).toEqual(NOTHING)
  })

  it('are visible to no other role and no other workspace', async () => {
    const [one, two] = [await admin(), await admin()]
    await got(patch(one.key, { files: { max_files: 5 } }))
    expect(await show(two.key)).toEqual(NOTHING)
    expect(await history(two.key)).toEqual([])
    for (const role of ['chat', 'publisher'] as const) {
      const { key } = await makeKey(role)
      await refused(send('GET /admin/settings', { key }), 403, 'forbidden')
      await refused(patch(key, { files: { max_files: 5 } }), 403, 'forbidden')
      await refused(send('GET /admin/settings/history', { key }), 403, 'forbidden')
    }
    expect(await show((await makeKey('admin')).key)).toEqual(NOTHING)
  })

  it('take effect at once where they were changed', async () => {
    const { workspace, key } = await admin()
    const filesNow = async (): Promise<unknown> => {
      const known = await settingsOf(env, workspace, systemClock)
      return known.ok ? known.value.files.max_files : known.error
    }
    expect(await filesNow()).toBe(2_000)
    await got(patch(key, { files: { max_files: 5 } }))
    expect(await filesNow()).toBe(5)
    await got(patch(key, { files: null }))
    expect(await filesNow()).toBe(2_000)
  })
})

describe('a change', () => {
  it('applies only to the version that its sender names', async () => {
    const { key } = await admin()
    await got(patch(key, { files: { max_files: 5 } }, '"0"'))
    const problem = await refused(patch(key, { files: { max_files: 6 } }, '"0"'), 412, 'stale_version')
    expect(problem.detail).toContain('at version 1, not 0')
    await refused(patch(key, { files: { max_files: 6 } }, '"2"'), 412, 'stale_version')
    expect(await show(key)).toMatchObject({ version: 1, changed: { files: { max_files: 5 } } })
    await got(patch(key, { files: { max_files: 6 } }, 'W/"1"'))
    await got(patch(key, { files: { max_files: 7 } }, '*'))
    expect(await show(key)).toMatchObject({ version: 3, changed: { files: { max_files: 7 } } })
  })

  it('is made once when several concurrent ones name one version', async () => {
    const { key } = await admin()
    const sizes = Array.from({ length: 10 }, (_, at) => at + 1)
    const answers = await Promise.all(
      sizes.map(async (max_files) => patch(key, { files: { max_files } }, '"0"')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9)
    expect((await show(key)).version).toBe(1)
  })

  it.each(['0', 'x', '""', '"1", "2"', '"-1"'])(
    'with If-Match: %s is understood or refused',
    async (match) => {
      const { key } = await admin()
      const answer = patch(key, { files: { max_files: 5 } }, match)
      if (match === '0') expect(await got<Shown>(answer)).toMatchObject({ version: 1 })
      else expect((await refused(answer, 422, 'invalid_request')).errors?.[0]?.path).toBe('If-Match')
    },
  )

  it('with an unsupported condition is refused', async () => {
    const { key } = await admin()
    const headers = { 'If-None-Match': '*' }
    await refused(send('PATCH /admin/settings', { key, body: {}, headers }), 422, 'invalid_request')
  })

  it('that changes nothing creates no version, whatever it expected', async () => {
    const { key } = await admin()
    expect(await got(patch(key, {}))).toEqual(NOTHING)
    expect(await got(patch(key, { files: { max_files: null } }))).toEqual(NOTHING)
    const made = await got(patch(key, { files: { max_files: 5 } }, '"0"'))
    expect(await got(patch(key, { files: { max_files: 5 } }, '"0"'))).toEqual(made)
    expect(await history(key)).toHaveLength(1)
  })
})

describe('the history', () => {
  it('shows who changed what and when, newest first, page by page', async () => {
    const { workspace, key } = await admin()
    const ben = await foreignKey(workspace, 'admin', 'ben')
    await got(patch(key, { files: { max_files: 5, max_file_bytes: 7 } }))
    await got(patch(ben, { files: { max_files: 5, max_file_bytes: null } }))
    await got(patch(key, { files: null }))
    const all = await history(key)
    const at = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(all).toEqual([
      { version: 3, at, author: 'ann', change: { files: { max_files: null } } },
      { version: 2, at, author: 'ben', change: { files: { max_file_bytes: null } } },
      { version: 1, at, author: 'ann', change: { files: { max_files: 5, max_file_bytes: 7 } } },
    ])
    const seen: SettingsVersion[] = []
    for (let query = '?limit=1'; query !== '';) {
      const page = await got<{ data: SettingsVersion[]; next_cursor: string | null }>(
        send(`GET /admin/settings/history${query}`, { key }),
      )
      seen.push(...page.data)
      query = page.next_cursor === null ? '' : `?limit=1&cursor=${page.next_cursor}`
    }
    expect(seen).toEqual(all)
  })

  it('keeps the newest versions only, and the current one', async () => {
    const { workspace, key } = await admin()
    const stub = env.WORKSPACES.getByName(workspace) as DurableObjectStub<Workspace>
    const last = SETTINGS_VERSIONS_MAX + 3
    const kept = await runInDurableObject(stub, (_, { storage }) => {
      for (let at = 1; at <= last; at++)
        changeSettings(
          storage.sql,
          { author: 'script', patch: { files: { max_files: at } }, expectedVersion: at - 1 },
          `2026-01-01T00:00:00.${at}Z`,
        )
      return storage.sql.exec('SELECT count(*) AS n, min(version) AS oldest FROM settings').one()
    })
    expect(kept).toEqual({ n: SETTINGS_VERSIONS_MAX, oldest: 4 })
    expect(await show(key)).toMatchObject({ version: last, changed: { files: { max_files: last } } })
  })
})
