// Guards search by meaning where it is bound: a skill has its vector once it is live, under its owner's name, and a model
// that fails stops no publish.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { Catalog } from '../../src/skills/catalog/catalog.ts'
import type { EmbeddingModel, VectorStore } from '../../src/skills/search/cloudflare.ts'
import { openWorkspace, value } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

/** For a busy machine; the vectors are written behind the answer. */
const PATIENCE = { timeout: 20_000 } as const

/** Workers AI and Vectorize by their shapes: one vector a text, and the ids that were written. */
function bindings(fails = false): {
  readonly AI: EmbeddingModel
  readonly VECTORS: VectorStore
  readonly ids: string[]
} {
  const ids: string[] = []
  return {
    ids,
    AI: {
      run: (_, { text }) =>
        fails
          ? Promise.reject(new Error('no capacity'))
          : Promise.resolve({ data: text.map(() => Array(1_024).fill(0.5)) }),
    },
    VECTORS: {
      query: () => Promise.resolve({ matches: [] }),
      upsert: (vectors) => Promise.resolve(ids.push(...vectors.map(({ id }) => id))),
    },
  }
}

it('a build that is met and each version that goes live get their vectors, once', async () => {
  const { stub, publish } = openWorkspace('meaning-1')
  const build = await seedBuild(env, [{ name: 'alpha' }, { name: 'beta' }])
  const { ids, ...bound } = bindings()
  await runInDurableObject(stub, async (_, state) => {
    const met = new Catalog(state, { ...env, ...bound })
    expect((await met.live(build)).ok).toBe(true)
    expect((await met.live(build)).ok).toBe(true)
  })
  await vi.waitFor(() => expect(ids).toHaveLength(2), PATIENCE)
  expect(ids.every((id) => /^build:[0-9a-f]{20}$/.test(id))).toBe(true)

  const published = value(await publish(build, { name: 'gamma', body: 'One.' }))
  value(await publish(build, { name: 'gamma', body: 'Two.' }))
  await runInDurableObject(stub, async (_, state) => {
    const back = new Catalog(state, { ...env, ...bound })
    expect((await back.rollback(build, 'gamma', -1, { keyId: 'k1', user: 'ann' })).ok).toBe(true)
    expect((await back.patch(build, 'gamma', { enabled: false }, { keyId: 'k1', user: 'ann' })).ok).toBe(true)
  })
  await vi.waitFor(() => expect(ids).toHaveLength(3), PATIENCE)
  expect(ids[2]).toBe(`ws.meaning-1:${published.skill.digest.slice(0, 20)}`)
})

it('a model that fails is no reason to refuse a change', async () => {
  const { stub } = openWorkspace('meaning-2')
  const build = await seedBuild(env, [{ name: 'alpha' }])
  const { ids, ...bound } = bindings(true)
  await runInDurableObject(stub, async (_, state) => {
    const catalog = new Catalog(state, { ...env, ...bound })
    expect((await catalog.live(build)).ok).toBe(true)
  })
  expect(ids).toEqual([])
})
