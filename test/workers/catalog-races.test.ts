// Guards promise 4 under concurrency: an answered change is in the catalog of every run that starts later, and of
// concurrent changes none is lost and none succeeds twice.

import { beforeAll, describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { failure, openWorkspace, value, patchSkill, restoreCatalog, rollBack } from './catalog-fixture.ts'
import { requested, chat, got, modelReplies, publish, send, serveSkills } from './api-fixture.ts'
import { seedBuild } from './seed-build.ts'

const ROUNDS = 25

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }]))

/** The system prompt of a run that begins now in a new thread. */
async function promptOfNextRun(): Promise<string> {
  modelReplies()
  const { last } = await chat({ message: 'Hello' })
  expect(last?.type).toBe('run.completed')
  return requested[0]?.system ?? ''
}

describe('a run that starts after the answer', () => {
  it(`sees each of ${ROUNDS} publishes and rollbacks`, async () => {
    let before: string | null = null
    for (let round = 0; round < ROUNDS; round++) {
      const description = `Description of round ${round}.`
      const { skill } = await publish({ name: 'moving', description })
      expect(await promptOfNextRun()).toContain(description)
      if (before !== null) {
        await got(send('POST /admin/skills/moving/rollback', { body: { to: -1 } }))
        const prompt = await promptOfNextRun()
        expect(prompt).toContain(before)
        expect(prompt).not.toContain(description)
        // Back to the newest version, so that the next round can roll back again.
        await got(send('PATCH /admin/skills/moving', { body: { digest: skill.digest } }))
      }
      before = description
    }
  }, 120_000)

  it(`sees each of ${ROUNDS} switches`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const enabled = round % 2 === 1
      await got(send('PATCH /admin/skills/alpha', { body: { enabled } }))
      expect((await promptOfNextRun()).includes('Built in.')).toBe(enabled)
    }
  }, 120_000)
})

describe('twenty concurrent publishes of one name', () => {
  it('are twenty versions in twenty catalogs, and the last of them is live', async () => {
    const { catalog, publish: put, skills } = openWorkspace('many-1')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const bodies = Array.from({ length: 20 }, (_, at) => `body ${at}`)
    const all = (await Promise.all(bodies.map((body) => put(build, { name: 'own', body })))).map(value)
    expect(new Set(all.map((one) => one.catalog_version)).size).toBe(20)
    expect(value(await catalog.versions('own'))).toHaveLength(20)
    const last = all.reduce((a, b) => (a.catalog_version > b.catalog_version ? a : b))
    const live = value(await catalog.live(build))
    expect(live.version).toBe(last.catalog_version)
    expect((await skills(live)).get('own')?.digest).toBe(last.skill.digest)
    const { items } = value(await catalog.history('own', 30, null))
    // Each change replaced the previous one: a chain without a gap.
    for (const [at, item] of items.entries()) expect(item.before).toBe(items[at + 1]?.after ?? null)
  })

  it('that expect one version are one success and nineteen refusals', async () => {
    const { catalog, publish: put } = openWorkspace('many-2')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const base = value(await put(build, { name: 'own' })).skill.digest
    const bodies = Array.from({ length: 20 }, (_, at) => `body ${at}`)
    const all = await Promise.all(bodies.map((body) => put(build, { name: 'own', body }, { expect: base })))
    const lost = all.filter((result) => !result.ok)
    expect(lost).toHaveLength(19)
    for (const result of lost) expect(failure(result).code).toBe('stale_version')
    expect(value(await catalog.versions('own'))).toHaveLength(2)
  })
})

describe('concurrent changes of every kind', () => {
  it('are applied one after the other: each is in the history, and the result matches it', async () => {
    const { catalog, publish: put, skills } = openWorkspace('many-3')
    const build = await seedBuild(env, [{ name: 'alpha' }])
    value(await put(build, { name: 'own', body: 'first' }))
    value(await put(build, { name: 'own', body: 'second' }))
    const start = value(await catalog.live(build)).version
    const done = await Promise.all([
      put(build, { name: 'own', body: 'third' }),
      rollBack(catalog, build, 'own', -1),
      patchSkill(catalog, build, 'alpha', { enabled: false, shareable: true }),
      put(build, { name: 'two' }),
      restoreCatalog(catalog, build, 2),
      patchSkill(catalog, build, 'own', { shareable: true }),
    ])
    const live = value(await catalog.live(build))
    const made = value(await catalog.catalogVersions(50, null)).filter((one) => one.version > start)
    // A change that had nothing to do made no version; no other version is missing.
    expect(made.length).toBeLessThanOrEqual(done.filter((result) => result.ok).length)
    expect(made.map((one) => one.version)).toEqual(
      Array.from({ length: live.version - start }, (_, at) => live.version - at),
    )
    const { items } = value(await catalog.history('own', 30, null))
    expect((await skills(live)).get('own')?.digest).toBe(items[0]?.after)
    for (const [at, item] of items.entries()) expect(item.before).toBe(items[at + 1]?.after ?? null)
  })
})
