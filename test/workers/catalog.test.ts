// Guards the catalog: a request that starts after a change was answered sees it, versions only grow, nothing published
// is lost, and an evicted object answers the same.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { failure, openWorkspace, value, patchSkill, unpublishSkill, rollBack } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const alpha = { name: 'alpha', files: { 'references/a.md': 'built-in reference' } }
const beta = { name: 'beta' }

describe('the live catalog', () => {
  it('is the build itself while a workspace has changed nothing, with nothing written', async () => {
    const { catalog } = openWorkspace('live-1')
    const build = await seedBuild(env, [alpha, beta])
    const before = (await env.RESOURCES.list()).objects.length
    const live = value(await catalog.live(build))
    expect(live).toEqual({ version: 1, index: build })
    expect(value(await catalog.live(build))).toEqual(live)
    expect((await env.RESOURCES.list()).objects.length).toBe(before)
  })

  it('has one version for each build, and returns the same one later', async () => {
    const { catalog, stub } = openWorkspace('live-2')
    const one = await seedBuild(env, [alpha])
    const two = await seedBuild(env, [alpha, beta])
    const versions = []
    for (const build of [one, two, one, two]) versions.push(value(await catalog.live(build)).version)
    expect(versions).toEqual([1, 2, 1, 2])
    await evictDurableObject(stub)
    expect(value(await catalog.live(one)).version).toBe(1)
    const { items } = value(await catalog.history(null, 9, null))
    expect(items.map((item) => [item.action, item.before, item.after])).toEqual([
      ['build', one, two],
      ['build', null, one],
    ])
  })

  it('carries custom skills and switches over to a new build', async () => {
    const { catalog, publish, skills } = openWorkspace('live-3')
    const one = await seedBuild(env, [alpha, beta])
    value(await publish(one, { name: 'own' }))
    value(await patchSkill(catalog, one, 'beta', { enabled: false }))
    const two = await seedBuild(env, [alpha, beta, { name: 'gamma' }])
    const seen = await skills(value(await catalog.live(two)))
    expect([...seen.keys()]).toEqual(['alpha', 'beta', 'gamma', 'own'])
    expect(seen.get('beta')?.enabled).toBe(false)
  })

  it('shows a change over one build to runs of another, earlier build', async () => {
    const { catalog, publish, skills } = openWorkspace('live-6')
    const one = await seedBuild(env, [alpha])
    const two = await seedBuild(env, [alpha, beta])
    const old = [value(await catalog.live(one)), value(await catalog.live(two))]
    const published = value(await publish(one, { name: 'own' }))
    const other = value(await catalog.live(two))
    expect((await skills(other)).get('own')?.digest).toBe(published.skill.digest)
    expect(other.version).toBeGreaterThan(published.catalog_version)
    expect(old.map((live) => live.version)).not.toContain(other.version)
    expect(value(await catalog.live(one)).version).toBe(published.catalog_version)
  })

  it('is not ready, rather than empty, when the build is missing, and stores nothing', async () => {
    const { catalog, stub, publish } = openWorkspace('live-4')
    const missing = 'a'.repeat(64)
    expect(failure(await catalog.live(missing)).code).toBe('not_ready')
    expect(failure(await catalog.live('')).code).toBe('not_ready')
    expect(failure(await publish(missing, { name: 'own' })).code).toBe('not_ready')
    const rows = await runInDurableObject(stub, (_, state) => [
      ...state.storage.sql.exec('SELECT version FROM catalog_versions'),
      ...state.storage.sql.exec('SELECT seq FROM history'),
    ])
    expect(rows).toEqual([])
  })

  it('creates its version once for many concurrent requests', async () => {
    const { catalog } = openWorkspace('live-5')
    const build = await seedBuild(env, [alpha])
    const all = await Promise.all(Array.from({ length: 12 }, () => catalog.live(build)))
    expect(new Set(all.map((live) => value(live).version))).toEqual(new Set([1]))
  })
})

describe('a switch', () => {
  it('disables a public skill and enables it again, each time in the very next catalog', async () => {
    const { catalog, skills } = openWorkspace('switch-1')
    const build = await seedBuild(env, [alpha, beta])
    const off = value(await patchSkill(catalog, build, 'alpha', { enabled: false }))
    expect(value(await catalog.live(build))).toEqual(off)
    expect((await skills(off)).get('alpha')?.enabled).toBe(false)
    const on = value(await patchSkill(catalog, build, 'alpha', { enabled: true }))
    expect(on.version).toBe(off.version + 1)
    expect((await skills(on)).get('alpha')?.enabled).toBe(true)
  })

  it('creates no version when nothing changes', async () => {
    const { catalog } = openWorkspace('switch-2')
    const build = await seedBuild(env, [alpha])
    const live = value(await catalog.live(build))
    expect(value(await patchSkill(catalog, build, 'alpha', { enabled: true }))).toEqual(live)
  })

  it('keeps a skill enabled that somebody enabled and the build disables', async () => {
    const { catalog, skills } = openWorkspace('switch-3')
    const build = await seedBuild(env, [{ ...alpha, enabled: false }])
    expect((await skills(value(await catalog.live(build)))).get('alpha')?.enabled).toBe(false)
    const on = value(await patchSkill(catalog, build, 'alpha', { enabled: true }))
    expect((await skills(on)).get('alpha')?.enabled).toBe(true)
  })

  it('keeps a disabled custom skill disabled when a new version is published', async () => {
    const { catalog, publish, skills } = openWorkspace('switch-4')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'own' }))
    value(await patchSkill(catalog, build, 'own', { enabled: false }))
    value(await publish(build, { name: 'own', body: 'second' }))
    expect((await skills(value(await catalog.live(build)))).get('own')?.enabled).toBe(false)
  })

  it('suggests similar skills for one that does not exist', async () => {
    const { catalog } = openWorkspace('switch-5')
    const build = await seedBuild(env, [{ name: 'incident-report' }])
    const error = failure(await patchSkill(catalog, build, 'incident-reprot', { enabled: false }))
    expect(error).toMatchObject({ code: 'not_found' })
    expect(error.detail).toContain('incident-report')
  })

  it('refuses to pin, roll back or unpublish built-in skills, and says what to do instead', async () => {
    const { catalog } = openWorkspace('switch-6')
    const build = await seedBuild(env, [alpha])
    for (const result of [
      await patchSkill(catalog, build, 'alpha', { digest: 'a'.repeat(64) }),
      await rollBack(catalog, build, 'alpha', -1),
      await unpublishSkill(catalog, build, 'alpha'),
    ]) {
      expect(failure(result).code).toBe('invalid_request')
      expect(failure(result).detail).toContain('publish a custom skill of the same name')
    }
  })
})

describe('versions', () => {
  it('can be published twice, rolled back, pinned, unpublished and restored', async () => {
    const { catalog, publish, skills } = openWorkspace('versions-1')
    const build = await seedBuild(env, [alpha])
    const first = value(await publish(build, { name: 'own', body: 'first' })).skill.digest
    const second = value(await publish(build, { name: 'own', body: 'second' })).skill.digest
    const digest = async (): Promise<string | undefined> =>
      (await skills(value(await catalog.live(build)))).get('own')?.digest
    value(await rollBack(catalog, build, 'own', -1))
    expect(await digest()).toBe(first)
    value(await patchSkill(catalog, build, 'own', { digest: second }))
    expect(await digest()).toBe(second)
    value(await rollBack(catalog, build, 'own', first))
    expect(await digest()).toBe(first)
    value(await unpublishSkill(catalog, build, 'own'))
    expect(await digest()).toBeUndefined()
    expect(value(await catalog.versions('own')).map((version) => [version.digest, version.live])).toEqual([
      [second, false],
      [first, false],
    ])
    value(await rollBack(catalog, build, 'own', -1))
    expect(await digest()).toBe(first)
    const { items } = value(await catalog.history('own', 20, null))
    expect(items.map((item) => item.action)).toEqual([
      'rollback',
      'unpublish',
      'rollback',
      'pin',
      'rollback',
      'publish',
      'publish',
    ])
    expect(items.at(-1)).toMatchObject({ author: 'ann', before: null, after: first })
  })

  it('roll back by live versions, not by switches', async () => {
    const { catalog, publish, skills } = openWorkspace('versions-2')
    const build = await seedBuild(env, [alpha])
    const digests: string[] = []
    for (const body of ['one', 'two', 'three'])
      digests.push(value(await publish(build, { name: 'own', body })).skill.digest)
    value(await patchSkill(catalog, build, 'own', { enabled: false }))
    value(await patchSkill(catalog, build, 'own', { enabled: true }))
    const live = value(await rollBack(catalog, build, 'own', -2))
    expect((await skills(live)).get('own')?.digest).toBe(digests[0])
  })

  it('roll back step by step, never forward to a rolled-back version, and a publish continues from there', async () => {
    const { catalog, publish, skills } = openWorkspace('lineage-1')
    const build = await seedBuild(env, [alpha])
    const put = async (body: string): Promise<string> =>
      value(await publish(build, { name: 'own', body })).skill.digest
    const back = async (to: number | string): Promise<string | undefined> =>
      (await skills(value(await rollBack(catalog, build, 'own', to)))).get('own')?.digest
    const tooFar = async (to: number): Promise<string> =>
      failure(await rollBack(catalog, build, 'own', to)).detail
    const [one, two, three] = [await put('one'), await put('two'), await put('three')]
    expect(await back(-1)).toBe(two)
    expect(await tooFar(-2)).toContain('cannot go back by 2: there is only 1 earlier version')
    expect(await back(-1)).toBe(one)
    expect(await tooFar(-1)).toContain('there are no earlier versions')
    // Every version can still be found by its digest, and counts as any other when it goes live.
    expect(await back(three)).toBe(three)
    expect(await back(-1)).toBe(one)
    const four = await put('four')
    expect(await tooFar(-2)).toContain('there is only 1 earlier version')
    expect(await back(-1)).toBe(one)
    value(await patchSkill(catalog, build, 'own', { digest: four }))
    value(await patchSkill(catalog, build, 'own', { digest: one }))
    // The live version is also among the earlier ones, and does not count as a step.
    expect(await tooFar(-2)).toContain('there is only 1 earlier version')
    expect(await back(-1)).toBe(four)
    expect(await back(-1)).toBe(one)
    expect(await tooFar(-1)).toContain('there are no earlier versions')
    value(await unpublishSkill(catalog, build, 'own'))
    expect(await back(-1)).toBe(one)
  })

  it('are not created when the target of a rollback is live', async () => {
    const { catalog, publish } = openWorkspace('lineage-2')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'own', body: 'one' }))
    const two = value(await publish(build, { name: 'own', body: 'two' }))
    const same = value(await rollBack(catalog, build, 'own', two.skill.digest))
    expect(same.version).toBe(two.catalog_version)
    expect(value(await catalog.history('own', 9, null)).items).toHaveLength(2)
    expect(value(await catalog.catalogVersions(1, null))[0]?.version).toBe(two.catalog_version)
  })

  it('cannot be rolled back further than they go, or to an unknown version', async () => {
    const { catalog, publish } = openWorkspace('versions-3')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'own' }))
    for (const to of [-1, 0, 1, -1.5, Number.NaN])
      expect(failure(await rollBack(catalog, build, 'own', to)).code).toBe('invalid_request')
    for (const to of ['latest', '', 'a'.repeat(64)])
      expect(failure(await rollBack(catalog, build, 'own', to)).code).toBe('not_found')
    expect(failure(await patchSkill(catalog, build, 'nothing', { digest: 'a'.repeat(64) })).code).toBe(
      'not_found',
    )
    expect(failure(await catalog.versions('nothing')).code).toBe('not_found')
  })

  it('shadow a public skill and restore it when the custom one is unpublished', async () => {
    const { catalog, publish, skills } = openWorkspace('versions-4')
    const build = await seedBuild(env, [alpha, beta])
    value(await publish(build, { name: 'alpha', body: 'ours' }))
    const shadowing = await skills(value(await catalog.live(build)))
    expect(shadowing.size).toBe(2)
    expect(shadowing.get('alpha')).toMatchObject({ category: 'custom', shadows: true })
    const live = value(await unpublishSkill(catalog, build, 'alpha'))
    expect((await skills(live)).get('alpha')).toMatchObject({ category: 'public', shadows: false })
    // The overlay is empty again, so the merged index is the build's own.
    expect(live.index).toBe(build)
  })

  it('are listed in pages, newest first', async () => {
    const { catalog, publish } = openWorkspace('versions-5')
    const build = await seedBuild(env, [alpha])
    for (const body of ['1', '2', '3', '4', '5'])
      value(await publish(build, { name: 'own', body }, { note: body }))
    const notes: (string | null)[] = []
    let before: number | null = null
    do {
      const page: { items: readonly { note: string | null }[]; next: number | null } = value(
        await catalog.history('own', 2, before),
      )
      notes.push(...page.items.map((item) => item.note))
      before = page.next
    } while (before !== null)
    expect(notes).toEqual(['5', '4', '3', '2', '1'])
  })
})

describe('an evicted object', () => {
  it('answers the same from its rows', async () => {
    const { catalog, stub, publish } = openWorkspace('evicted-1')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'own', body: 'first' }))
    value(await publish(build, { name: 'own', body: 'second' }))
    const before = [
      await catalog.live(build),
      await catalog.versions('own'),
      await catalog.history(null, 9, null),
    ]
    await evictDurableObject(stub)
    const after = [
      await catalog.live(build),
      await catalog.versions('own'),
      await catalog.history(null, 9, null),
    ]
    expect(after).toEqual(before)
  })
})

describe('a change', () => {
  it("parses no other skill's row again: the live catalog stays in memory, and is read again after an eviction", async () => {
    const { catalog, stub, publish, skills } = openWorkspace('memory-1')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'other' }))
    const put = (entry: string | null): Promise<string> =>
      runInDurableObject(stub, (_, { storage: { sql } }) => {
        const row = sql.exec<{ entry: string }>("SELECT entry FROM versions WHERE name = 'other'").one()
        if (entry !== null) sql.exec("UPDATE versions SET entry = ? WHERE name = 'other'", entry)
        return row.entry
      })
    const entry = await put('"not an entry, so not readable"')
    value(await publish(build, { name: 'own' }))
    const live = value(await patchSkill(catalog, build, 'own', { enabled: false }))
    expect([...(await skills(live)).keys()]).toEqual(['alpha', 'other', 'own'])
    await evictDurableObject(stub)
    const refused = await patchSkill(catalog, build, 'own', { enabled: true }).catch(String)
    expect(refused).toContain('readable')
    await put(entry)
    const on = value(await patchSkill(catalog, build, 'own', { enabled: true }))
    expect((await skills(on)).get('other')).toEqual((await skills(live)).get('other'))
  })
})
