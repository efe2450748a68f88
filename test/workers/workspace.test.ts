// Guards the Workspace object: it stores only hashes of keys; unknown, wrong and revoked keys look alike; a run's
// usage counts once; lists have no gaps between pages and show users only their own data.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import type { ThreadInfo } from '../../src/thread/api.ts'
import type { WorkspaceApi } from '../../src/workspace/api.ts'
import type { Workspace } from '../../src/workspace/workspace.ts'
import { ALL_USAGE, runRecord } from './run-record.ts'

function workspace(of: string): { api: WorkspaceApi; stub: DurableObjectStub<Workspace> } {
  // The cast is safe: the namespace in Env is untyped, and this is its class.
  const stub = env.WORKSPACES.getByName(of) as DurableObjectStub<Workspace>
  return { api: stub as unknown as WorkspaceApi, stub }
}

function value<T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

const key = async (id: string, secret: string, user: string | null = null) =>
  ({ id, secretHash: await sha256Hex(secret), role: 'chat', user, note: null }) as const

const thread = (id: string, owner: string, minute: number, change: Partial<ThreadInfo> = {}) => ({
  owner,
  made_by: owner,
  info: {
    id,
    title: `Title of ${id}`,
    user: null,
    status: 'idle',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`,
    model: 'm',
    catalog_version: 1,
    usage: usage(0, null),
    charged: { tokens: 0, usd: 0, estimated: false },
    metadata: { team: 'x' },
    context_tokens: 0,
    root: id,
    forked_from: null,
    branches: [],
    ...change,
  } satisfies ThreadInfo,
})

const usage = (tokens: number, cost: number | null) => ({
  input_tokens: tokens,
  output_tokens: 1,
  cache_creation_input_tokens: 2,
  cache_read_input_tokens: 3,
  cost_usd: cost,
})

const charged = (tokens: number, usd: number, estimated = false) => ({ tokens, usd, estimated })

describe('the store of keys', () => {
  it('verifies a key by the hash of its secret and returns its role and user', async () => {
    const { api } = workspace('keys-1')
    value(await api.createKey({ ...(await key('k1', 'right')), role: 'publisher', user: 'ann' }))
    const seen = await api.verifyKey('k1', await sha256Hex('right'))
    expect(seen).toEqual({
      ok: true,
      value: {
        role: 'publisher',
        user: 'ann',
        tools: null,
        models: null,
        max_budget: null,
        until: null,
      },
    })
  })

  it('answers unknown, wrong and revoked keys with the same text', async () => {
    const { api } = workspace('keys-2')
    const secret = await sha256Hex('right')
    value(await api.createKey(await key('k1', 'right')))
    value(await api.createKey(await key('k2', 'right')))
    value(await api.revokeKey('k2'))
    const refusals = [
      await api.verifyKey('k1', await sha256Hex('wrong')),
      await api.verifyKey('nobody', secret),
      await api.verifyKey('k2', secret),
      await workspace('never-made').api.verifyKey('k1', secret),
    ]
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0])
    expect(refusals[0]).toMatchObject({ ok: false, error: { code: 'unauthenticated' } })
  })

  it('never accepts an empty hash for a key that does not exist', async () => {
    const { api } = workspace('keys-3')
    value(await api.createKey(await key('k1', 'right')))
    expect((await api.verifyKey('nobody', '0'.repeat(64))).ok).toBe(false)
  })

  it('writes nothing into an object whose name was only guessed', async () => {
    const { api, stub } = workspace('guessed')
    await api.verifyKey('k1', await sha256Hex('x'))
    const tables = await runInDurableObject(stub, (_, state) =>
      state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'keys'").toArray(),
    )
    expect(tables).toEqual([])
  })

  it('stores no secret, refuses an invalid hash, and refuses a duplicate ID', async () => {
    const { api, stub } = workspace('keys-4')
    expect(await api.createKey({ ...(await key('k1', 's')), secretHash: 'the secret itself' })).toMatchObject(
      {
        error: { code: 'invalid_request' },
      },
    )
    value(await api.createKey(await key('k1', 'the-secret')))
    expect(await api.createKey(await key('k1', 'other'))).toMatchObject({ error: { code: 'name_taken' } })
    const rows = await runInDurableObject(stub, (_, state) =>
      JSON.stringify(state.storage.sql.exec('SELECT * FROM keys').toArray()),
    )
    expect(rows).not.toContain('the-secret')
    expect(rows).toContain(await sha256Hex('the-secret'))
  })

  it('revokes once: the first time stays, an unknown key is not found', async () => {
    const { api } = workspace('keys-5')
    value(await api.createKey(await key('k1', 's')))
    const first = value(await api.revokeKey('k1'))
    expect(first.revoked_at).not.toBeNull()
    expect(value(await api.revokeKey('k1'))).toEqual(first)
    expect(await api.revokeKey('k9')).toMatchObject({ error: { code: 'not_found' } })
  })

  it('lists keys newest first, page by page, without their hashes, even after an eviction', async () => {
    const { api, stub } = workspace('keys-6')
    for (const id of ['a', 'b', 'c', 'd', 'e']) value(await api.createKey(await key(id, `s-${id}`)))
    await evictDurableObject(stub)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<WorkspaceApi['listKeys']>> = await api.listKeys(null, cursor, 2)
      expect(JSON.stringify(page)).not.toContain(await sha256Hex('s-a'))
      seen.push(...value(page).data.map((info) => info.id))
      cursor = value(page).next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'])
  })
})

describe('the store of threads and usage', () => {
  it('lists newest first and only those of the owner who asks', async () => {
    const { api } = workspace('threads-1')
    for (const [id, owner, minute] of [
      ['t1', 'user:ann', 1],
      ['t2', 'user:bob', 2],
      ['t3', 'user:ann', 3],
      ['t4', 'key:ann', 4],
    ] as const)
      value(await api.record(thread(id, owner, minute), null))
    const ids = async (owner: string | null): Promise<string[]> =>
      value(await api.listThreads(owner, null, 10)).data.map((row) => row.id)
    expect(await ids('user:ann')).toEqual(['t3', 't1'])
    expect(await ids('key:ann')).toEqual(['t4'])
    expect(await ids(null)).toEqual(['t4', 't3', 't2', 't1'])
    expect(await ids('user:an')).toEqual([])
  })

  it('pages through threads of the same time without gaps or repeats', async () => {
    const { api } = workspace('threads-2')
    for (const id of ['a', 'b', 'c', 'd', 'e']) value(await api.record(thread(id, 'key:k', 7), null))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<WorkspaceApi['listThreads']>> = await api.listThreads(null, cursor, 2)
      seen.push(...value(page).data.map((row) => row.id))
      cursor = value(page).next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  it('folds the threads of a root into its newest, pages through them, and unfolds one', async () => {
    const { api } = workspace('threads-6')
    const branchOf = (
      id: string,
      root: string,
      minute: number,
      owner = 'user:ann',
      status = 'idle' as const,
    ) => thread(id, owner, minute, { root, title: `Title of ${id}`, status })
    for (const one of [
      branchOf('a', 'a', 1),
      branchOf('a2', 'a', 6),
      branchOf('a3', 'a', 4),
      branchOf('b', 'b', 5),
      branchOf('c2', 'c', 2),
      branchOf('other', 'other', 9, 'user:bob'),
    ])
      value(await api.record(one, null))
    const first = value(await api.listTrees('user:ann', null, 2))
    expect(first.data).toEqual([
      {
        ...branchOf('a2', 'a', 6).info,
        tree: {
          title: 'Title of a',
          count: 3,
          threads: ['a2', 'a3', 'a'].map((thread_id) => ({ thread_id, status: 'idle' })),
        },
      },
      {
        ...branchOf('b', 'b', 5).info,
        tree: { title: 'Title of b', count: 1, threads: [{ thread_id: 'b', status: 'idle' }] },
      },
    ])
    // The root of the last one was deleted, so it has the title of what is left.
    const second = value(await api.listTrees('user:ann', first.next_cursor, 2))
    expect(second).toMatchObject({ data: [{ id: 'c2', tree: { title: 'Title of c2' } }], next_cursor: null })
    expect(value(await api.listTrees(null, null, 9)).data.map(({ id }) => id)).toEqual([
      'other',
      'a2',
      'b',
      'c2',
    ])
    const branches = value(await api.listThreads('user:ann', null, 9, 'a'))
    expect(branches.data.map(({ id }) => id)).toEqual(['a2', 'a3', 'a'])
    expect(value(await api.listThreads('user:bob', null, 9, 'a')).data).toEqual([])
    value(await api.forget('a2', { runs: [], ids: [] }))
    expect(value(await api.listTrees('user:ann', null, 1)).data).toMatchObject([{ id: 'b' }])
  })

  it('refuses cursors of other lists', async () => {
    const { api } = workspace('threads-3')
    for (const cursor of ['x', '', '%00', btoa('[1]'), btoa('["a"]'), btoa('{"0":"a"}'), 'A'.repeat(9_000)])
      expect(await api.listThreads(null, cursor, 2)).toMatchObject({ error: { code: 'bad_cursor' } })
    expect(await api.listKeys(null, btoa('["1"]'), 2)).toMatchObject({ error: { code: 'bad_cursor' } })
  })

  it('counts the usage of a run once, however often and in whatever order it is reported', async () => {
    const { api } = workspace('usage-1')
    const reported = runRecord('run_1', { usage: usage(10, 0.5), charged: charged(16, 0.5) })
    value(await api.record(thread('t1', 'key:k', 1), reported))
    value(
      await api.record(
        thread('t1', 'key:k', 2),
        runRecord('run_2', { usage: usage(100, null), charged: charged(900, 0.125, true) }),
      ),
    )
    value(await api.record(thread('t1', 'key:k', 1), reported))
    value(
      await api.record(thread('t2', 'key:k', 1), {
        ...reported,
        id: 'run_3',
        usage: usage(1_000, 0.25),
        charged: charged(1_006, 0.25),
      }),
    )
    expect(value(await api.usage(ALL_USAGE))).toMatchObject({
      runs: 3,
      usage: {
        input_tokens: 1_110,
        output_tokens: 3,
        cache_creation_input_tokens: 6,
        cache_read_input_tokens: 9,
        cost_usd: 0.75,
      },
      charged: { tokens: 1_922, usd: 0.875, estimated: true },
    })
  })

  it('has no cost before some run had a price', async () => {
    const { api } = workspace('usage-2')
    value(await api.record(thread('t1', 'key:k', 1), runRecord('run_1')))
    expect(value(await api.usage(ALL_USAGE)).usage.cost_usd).toBeNull()
  })

  it('never lets an older report overwrite a newer title', async () => {
    const { api } = workspace('threads-4')
    value(await api.record(thread('t1', 'key:k', 5, { title: 'new' }), null))
    value(await api.record(thread('t1', 'key:k', 4, { title: 'old' }), null))
    expect(value(await api.listThreads(null, null, 9)).data[0]).toMatchObject({ title: 'new' })
  })

  it('keeps a deleted thread deleted after a late report, but not after a new thread', async () => {
    const { api } = workspace('threads-5')
    value(await api.record(thread('t1', 'key:k', 1), null))
    value(await api.forget('t1', { runs: [], ids: [] }))
    value(await api.record(thread('t1', 'key:k', 2), runRecord('run_1')))
    expect(value(await api.listThreads(null, null, 9)).data).toEqual([])
    expect(value(await api.usage(ALL_USAGE)).runs).toBe(1)
    const again = thread('t1', 'key:k', 1, { created_at: '2100-01-01T00:00:00.000Z' })
    value(await api.record(again, null))
    expect(value(await api.listThreads(null, null, 9)).data).toEqual([again.info])
  })

  it('keeps the list of hooks', async () => {
    const { api } = workspace('hooks-1')
    const hook = { id: 'hk_1', name: 'tickets', created_at: '2026-01-01T00:00:00.000Z' }
    value(await api.addHook(hook))
    value(await api.addHook(hook))
    expect(value(await api.listHooks())).toEqual([hook])
    value(await api.removeHook('hk_1'))
    value(await api.removeHook('hk_1'))
    expect(value(await api.listHooks())).toEqual([])
  })
})
