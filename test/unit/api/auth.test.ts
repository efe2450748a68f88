// Guards the delay of revocation: a verified key is accepted for a fixed time after it was looked up, never longer, and
// a refused key is never accepted from memory.

import { beforeEach, describe, expect, it } from 'vitest'
import type { Env } from '../../../src/env/env.ts'
import { authenticate, forgetKeys } from '../../../src/api/auth/auth.ts'
import { newSignedPart } from '../../../src/lib/signed-id.ts'
import { KEY_CACHE_ENTRIES_MAX, KEY_CACHE_MAX_AGE_MS } from '../../../src/api/auth/limits.ts'

const ID_SECRET = 'the-secret-of-ids-in-this-test-file'

/** A Workspace object that accepts every key until it is revoked. */
function world(): { readonly env: Env; readonly looked: string[]; revoked: boolean } {
  const looked: string[] = []
  const state = {
    looked,
    revoked: false,
    env: {
      ID_SECRET,
      WORKSPACES: {
        getByName: (workspace: string) => ({
          verifyKey: async (keyId: string) => {
            looked.push(`${workspace}/${keyId}`)
            return state.revoked
              ? { ok: false, error: { code: 'unauthenticated', detail: 'Revoked.' } }
              : { ok: true, value: { role: 'chat', user: null, tools: null, models: null, until: null } }
          },
        }),
      },
    } as unknown as Env, // the cast is safe: authenticate() uses only these bindings
  }
  return state
}

async function newBearer(workspace = 'default', secret = ID_SECRET): Promise<string> {
  return `Bearer sk_${workspace}_${await newSignedPart(secret, 'key', workspace, 12)}_${'s'.repeat(40)}`
}

function idOf(bearer: string): string {
  return bearer.split('_')[2] ?? ''
}

beforeEach(() => forgetKeys())

describe('a key', () => {
  it('is looked up once, then cached for a fixed time, then looked up again', async () => {
    const state = world()
    const bearer = await newBearer()
    const at = (now: number): Promise<boolean> =>
      authenticate(state.env, bearer, () => now).then((caller) => caller.ok)
    expect(await at(0)).toBe(true)
    state.revoked = true
    expect(await at(KEY_CACHE_MAX_AGE_MS - 1)).toBe(true)
    expect(state.looked).toEqual([`default/${idOf(bearer)}`])
    expect(await at(KEY_CACHE_MAX_AGE_MS)).toBe(false)
    expect(await at(KEY_CACHE_MAX_AGE_MS)).toBe(false)
    expect(state.looked).toHaveLength(3)
  })

  it('is not cached longer because it is used', async () => {
    const state = world()
    const bearer = await newBearer()
    for (let now = 0; now < KEY_CACHE_MAX_AGE_MS; now += KEY_CACHE_MAX_AGE_MS / 4)
      await authenticate(state.env, bearer, () => now)
    state.revoked = true
    expect((await authenticate(state.env, bearer, () => KEY_CACHE_MAX_AGE_MS)).ok).toBe(false)
  })

  it('is evicted for others: the cache is bounded', async () => {
    const state = world()
    const bearers = await Promise.all(Array.from({ length: KEY_CACHE_ENTRIES_MAX + 1 }, () => newBearer()))
    for (const bearer of bearers) await authenticate(state.env, bearer, () => 0)
    expect(state.looked).toHaveLength(KEY_CACHE_ENTRIES_MAX + 1)
    await authenticate(state.env, bearers.at(-1) ?? '', () => 1)
    expect(state.looked).toHaveLength(KEY_CACHE_ENTRIES_MAX + 1)
    await authenticate(state.env, bearers[0] ?? '', () => 1)
    expect(state.looked).toHaveLength(KEY_CACHE_ENTRIES_MAX + 2)
  })

  it('asks no object when it cannot be genuine', async () => {
    const state = world()
    const real = await newBearer()
    const none = [
      null,
      '',
      'Bearer',
      'Bearer x',
      `Bearer sk_A_b_${'s'.repeat(40)}`,
      `Bearer sk_a/b_k_${'s'.repeat(40)}`,
      `Bearer sk_-a_k_${'s'.repeat(40)}`,
      `Bearer sk_${'a'.repeat(41)}_k_${'s'.repeat(40)}`,
      `Bearer sk_default_k_short`,
      `Bearer sk_default_k_${'s'.repeat(600)}`,
      `${real}\n`,
      // Invented, moved to another workspace, signed with another secret, or a hook's.
      `Bearer sk_default_${'k'.repeat(24)}_${'s'.repeat(40)}`,
      real.replace('sk_default_', 'sk_other_'),
      await newBearer('default', 'another-secret-of-32-characters-or-so'),
      `Bearer sk_default_${await newSignedPart(ID_SECRET, 'hook', 'default', 12)}_${'s'.repeat(40)}`,
    ]
    for (const header of none) expect((await authenticate(state.env, header, () => 0)).ok).toBe(false)
    expect(state.looked).toEqual([])
  })

  it('made under the previous secret is known while both are set', async () => {
    const state = world()
    const bearer = await newBearer()
    const changed = {
      ...state.env,
      ID_SECRET: 'a-new-secret-of-32-characters-or-so',
      ID_SECRET_PREVIOUS: ID_SECRET,
    }
    expect((await authenticate(changed, bearer, () => 0)).ok).toBe(true)
    forgetKeys()
    expect((await authenticate({ ...changed, ID_SECRET_PREVIOUS: '' }, bearer, () => 0)).ok).toBe(false)
  })

  it('is refused with a message for the operator if no ID_SECRET is set', async () => {
    const state = world()
    const none = { ...state.env, ID_SECRET: '' }
    expect(await authenticate(none, await newBearer(), () => 0)).toMatchObject({
      error: { code: 'not_configured', detail: expect.stringContaining('wrangler secret put ID_SECRET') },
    })
    expect(state.looked).toEqual([])
  })
})
