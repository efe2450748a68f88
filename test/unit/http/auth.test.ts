// Guards the bound on revocation: a key is believed for a fixed time after it was looked up, never longer, and what was
// refused is never believed.

import { beforeEach, describe, expect, it } from 'vitest'
import type { Env } from '../../../src/env.ts'
import { authenticate, forgetKeys } from '../../../src/http/auth.ts'
import { KEY_CACHE_ENTRIES, KEY_CACHE_MS } from '../../../src/limits.ts'

/** A Workspace object that knows every key until it is told otherwise. */
function world(): { readonly env: Env; readonly looked: string[]; revoked: boolean } {
  const looked: string[] = []
  const state = {
    looked,
    revoked: false,
    env: {
      WORKSPACES: {
        getByName: (workspace: string) => ({
          verifyKey: async (keyId: string) => {
            looked.push(`${workspace}/${keyId}`)
            return state.revoked
              ? { ok: false, error: { code: 'unauthenticated', detail: 'Revoked.' } }
              : { ok: true, value: { role: 'chat', user: null } }
          },
        }),
      },
    } as unknown as Env, // only what authenticate() uses
  }
  return state
}

function bearer(id: string): string {
  return `Bearer sk_default_${id}_${'s'.repeat(40)}`
}

beforeEach(() => forgetKeys())

describe('a key', () => {
  it('is looked up once, then believed until its time is over, then looked up again', async () => {
    const state = world()
    const at = (now: number): Promise<boolean> =>
      authenticate(state.env, bearer('k1'), () => now).then((caller) => caller.ok)
    expect(await at(0)).toBe(true)
    state.revoked = true
    expect(await at(KEY_CACHE_MS - 1)).toBe(true)
    expect(state.looked).toEqual(['default/k1'])
    expect(await at(KEY_CACHE_MS)).toBe(false)
    expect(await at(KEY_CACHE_MS)).toBe(false)
    expect(state.looked).toHaveLength(3)
  })

  it('does not live longer because it is used', async () => {
    const state = world()
    for (let now = 0; now < KEY_CACHE_MS; now += KEY_CACHE_MS / 4)
      await authenticate(state.env, bearer('k1'), () => now)
    state.revoked = true
    expect((await authenticate(state.env, bearer('k1'), () => KEY_CACHE_MS)).ok).toBe(false)
  })

  it('makes way for others: what is remembered is bounded', async () => {
    const state = world()
    for (let id = 0; id <= KEY_CACHE_ENTRIES; id++) await authenticate(state.env, bearer(`k${id}`), () => 0)
    expect(state.looked).toHaveLength(KEY_CACHE_ENTRIES + 1)
    await authenticate(state.env, bearer(`k${KEY_CACHE_ENTRIES}`), () => 1)
    expect(state.looked).toHaveLength(KEY_CACHE_ENTRIES + 1)
    await authenticate(state.env, bearer('k0'), () => 1)
    expect(state.looked).toHaveLength(KEY_CACHE_ENTRIES + 2)
  })

  it('asks no object when it cannot be one of ours', async () => {
    const state = world()
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
      `${bearer('k1')}\n`,
    ]
    for (const header of none) expect((await authenticate(state.env, header, () => 0)).ok).toBe(false)
    expect(state.looked).toEqual([])
  })
})
