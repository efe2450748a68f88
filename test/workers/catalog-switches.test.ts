// Guards changes of the catalog: one request makes one catalog version whatever it changes, the history lists all of
// it, and an earlier catalog can be restored whole as a new version.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CATALOG_RESPONSE_MAX_CHARS } from '../../src/skills/catalog/limits.ts'
import type { Changed, Expect, Operation } from '../../src/skills/catalog/api.ts'
import {
  AUTHOR,
  failure,
  openWorkspace,
  value,
  patchSkill,
  restoreCatalog,
  unpublishSkill,
  rollBack,
} from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const alpha = { name: 'alpha' }
const beta = { name: 'beta' }

/** What a reader of the catalog sees, without times. */
async function seen({ catalog, skills }: TestWorkspace, build: string): Promise<readonly unknown[]> {
  const all = await skills(value(await catalog.live(build)))
  return Array.from(all.values(), ({ name, digest, category, enabled, shareable, shadows }) => [
    name,
    digest,
    category,
    enabled,
    shareable,
    shadows,
  ])
}

describe('a patch', () => {
  it('of several fields is one catalog version and one line of history that names them all', async () => {
    const { catalog, publish, skills } = openWorkspace('patch-1')
    const build = await seedBuild(env, [alpha])
    const first = value(await publish(build, { name: 'own', body: 'first' }))
    const second = value(await publish(build, { name: 'own', body: 'second' }))
    const patch = { digest: first.skill.digest, enabled: false, shareable: true }
    const live = value(await patchSkill(catalog, build, 'own', patch))
    expect(live.version).toBe(second.catalog_version + 1)
    expect((await skills(live)).get('own')).toMatchObject(patch)
    const { items } = value(await catalog.history('own', 9, null))
    expect(items).toHaveLength(3)
    expect(items[0]).toMatchObject({
      action: 'pin',
      also: ['disable', 'share'],
      before: second.skill.digest,
      after: first.skill.digest,
      catalog_version: live.version,
    })
    expect(value(await patchSkill(catalog, build, 'own', patch))).toEqual(live)
  })

  it('shares a public skill over builds and evictions, and leaves its switch to the build', async () => {
    const { catalog, skills, stub } = openWorkspace('patch-2')
    const build = await seedBuild(env, [alpha, beta])
    const shared = value(await patchSkill(catalog, build, 'alpha', { shareable: true }))
    expect((await skills(shared)).get('alpha')).toMatchObject({ enabled: true, shareable: true })
    await evictDurableObject(stub)
    const off = await seedBuild(env, [{ ...alpha, enabled: false }, beta])
    expect((await skills(value(await catalog.live(off)))).get('alpha')).toMatchObject({
      enabled: false,
      shareable: true,
    })
    const unshared = value(await patchSkill(catalog, build, 'alpha', { shareable: false }))
    expect(unshared.index).toBe(build)
    const { items } = value(await catalog.history('alpha', 9, null))
    expect(items.map((item) => item.action)).toEqual(['unshare', 'share'])
  })

  it('keeps a shared skill shared when a new version is published', async () => {
    const { catalog, publish, skills } = openWorkspace('patch-3')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'own' }))
    value(await patchSkill(catalog, build, 'own', { shareable: true }))
    const again = value(await publish(build, { name: 'own', body: 'second' }))
    expect(again.skill.shareable).toBe(true)
    expect((await skills(value(await catalog.live(build)))).get('own')?.shareable).toBe(true)
  })

  it('changes nothing if one of its parts is invalid', async () => {
    const { catalog, publish } = openWorkspace('patch-4')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'own' }))
    const before = value(await catalog.live(build))
    const patch = { digest: 'a'.repeat(64), enabled: false }
    expect(failure(await patchSkill(catalog, build, 'own', patch)).code).toBe('not_found')
    expect(failure(await patchSkill(catalog, build, 'alpha', patch)).code).toBe('invalid_request')
    expect(value(await catalog.live(build))).toEqual(before)
  })
})

describe('a dry run', () => {
  it('of any change is the same call with the same answer over the live version, and changes nothing', async () => {
    const { catalog, publish } = openWorkspace('dry-1')
    const build = await seedBuild(env, [alpha])
    const { catalog_version: version } = value(await publish(build, { name: 'own', body: 'first' }))
    value(await publish(build, { name: 'own', body: 'second' }))
    const wishes: readonly Operation[] = [
      { kind: 'patch', skill: 'own', patch: { enabled: false, shareable: true } },
      { kind: 'rollback', skill: 'own', to: -1 },
      { kind: 'unpublish', skill: 'own' },
      { kind: 'restore', version, note: null, tools: true },
      { kind: 'commit', batch: { skills: [], unpublish: [{ name: 'own' }], note: null } },
    ]
    for (const operation of wishes) {
      const before = value(await catalog.live(build))
      const requested = async (dryRun: boolean): Promise<Changed> =>
        value(await catalog.change({ author: AUTHOR, build, dryRun, operation }))
      const tried = await requested(true)
      expect(tried).toMatchObject(before)
      expect(value(await catalog.live(build))).toEqual(before)
      const done = await requested(false)
      expect(done.version).toBe(before.version + 1)
      expect(done.changes).toEqual(tried.changes)
      const at = done.skill?.updated_at
      expect(done.skill).toEqual(tried.skill && { ...tried.skill, updated_at: at })
    }
  })
})

describe('the expected live version', () => {
  it('is checked before any change: patch, rollback and unpublish', async () => {
    const { catalog, publish } = openWorkspace('expect-1')
    const build = await seedBuild(env, [alpha])
    const one = value(await publish(build, { name: 'own', body: '1' })).skill.digest
    const two = value(await publish(build, { name: 'own', body: '2' })).skill.digest
    const before = value(await catalog.live(build))
    for (const expected of [one, null, 'f'.repeat(64)] as readonly Expect[])
      for (const result of [
        await patchSkill(catalog, build, 'own', { enabled: false }, expected),
        await rollBack(catalog, build, 'own', -1, expected),
        await unpublishSkill(catalog, build, 'own', expected),
      ])
        expect(failure(result)).toMatchObject({ code: 'stale_version', detail: expect.stringContaining(two) })
    expect(value(await catalog.live(build))).toEqual(before)
    value(await patchSkill(catalog, build, 'own', { enabled: false }, two))
    value(await rollBack(catalog, build, 'own', -1, two))
    value(await unpublishSkill(catalog, build, 'own', one))
    value(await rollBack(catalog, build, 'own', two, null))
  })

  it('can be none: the first publish wins, also over a built-in skill', async () => {
    const { publish } = openWorkspace('expect-2')
    const build = await seedBuild(env, [alpha])
    const all = await Promise.all(
      ['x', 'y', 'z'].map((body) => publish(build, { name: 'own', body }, { expect: null })),
    )
    expect(all.filter((result) => result.ok)).toHaveLength(1)
    expect(failure(await publish(build, { name: 'alpha', body: 'ours' }, { expect: null })).code).toBe(
      'stale_version',
    )
    const dry = await publish(build, { name: 'own', body: 'w' }, { expect: null, dryRun: true })
    expect(failure(dry).code).toBe('stale_version')
  })
})

describe('restoring a catalog', () => {
  it('restores skills, switches and shares as one version, and a repetition changes nothing', async () => {
    const workspace = openWorkspace('restore-1')
    const { catalog, publish, stub } = workspace
    const build = await seedBuild(env, [alpha, beta])
    value(await publish(build, { name: 'kept' }))
    value(await publish(build, { name: 'changed', body: 'first' }))
    value(await publish(build, { name: 'unpublished' }))
    value(await patchSkill(catalog, build, 'unpublished', { shareable: true }))
    value(await publish(build, { name: 'beta', body: 'ours' }))
    const target = value(await patchSkill(catalog, build, 'alpha', { enabled: false }))
    const before = await seen(workspace, build)

    value(await publish(build, { name: 'changed', body: 'second' }))
    value(await patchSkill(catalog, build, 'changed', { enabled: false }))
    value(await unpublishSkill(catalog, build, 'unpublished'))
    value(await unpublishSkill(catalog, build, 'beta'))
    value(await publish(build, { name: 'newer' }))
    const last = value(await patchSkill(catalog, build, 'alpha', { enabled: true, shareable: true }))
    await evictDurableObject(stub)

    const live = value(await restoreCatalog(catalog, build, target.version, 'as on Monday'))
    expect(live.version).toBe(last.version + 1)
    expect(await seen(workspace, build)).toEqual(before)
    const { items } = value(await catalog.history(null, 5, null))
    const did = Object.fromEntries(items.map((item) => [item.name, item.also]))
    expect(did).toEqual({
      alpha: ['disable', 'unshare'],
      beta: [],
      changed: ['enable'],
      newer: ['unpublish'],
      unpublished: [],
    })
    for (const item of items)
      expect(item).toMatchObject({
        action: 'restore',
        author: 'ann',
        note: 'as on Monday',
        catalog_version: live.version,
      })
    expect(live.changes).toEqual({
      added: ['beta', 'unpublished'],
      changed: ['changed'],
      removed: ['newer'],
      switched: ['alpha'],
      shared: ['unpublished'],
      unshared: ['alpha'],
    })
    const nothing = { added: [], changed: [], removed: [], switched: [], shared: [], unshared: [] }
    for (const { version } of [target, live])
      expect(value(await restoreCatalog(catalog, build, version))).toEqual({ ...live, changes: nothing })
  })

  it('keeps the public skills of a newer build', async () => {
    const { catalog, publish, skills } = openWorkspace('restore-2')
    const old = await seedBuild(env, [alpha, beta])
    const target = value(await publish(old, { name: 'own' })).catalog_version
    value(await unpublishSkill(catalog, old, 'own'))
    const gamma = { name: 'gamma', enabled: false }
    const newer = await seedBuild(env, [{ ...alpha, body: 'better' }, gamma])
    const live = value(await restoreCatalog(catalog, newer, target))
    const all = await skills(live)
    expect([...all.keys()]).toEqual(['alpha', 'gamma', 'own'])
    expect(all.get('gamma')?.enabled).toBe(false)
    const fresh = await skills(value(await openWorkspace('restore-3').catalog.live(newer)))
    expect(all.get('alpha')).toEqual(fresh.get('alpha'))
  })

  it('without changes gives the build its own index again', async () => {
    const { catalog, publish } = openWorkspace('restore-4')
    const build = await seedBuild(env, [alpha])
    const empty = value(await catalog.live(build))
    value(await publish(build, { name: 'own' }))
    value(await patchSkill(catalog, build, 'alpha', { enabled: false }))
    const live = value(await restoreCatalog(catalog, build, empty.version))
    expect(live.index).toBe(build)
  })

  it('of switches of a built-in skill creates no version that a custom skill could roll back to', async () => {
    const { catalog, publish } = openWorkspace('restore-6')
    const build = await seedBuild(env, [alpha])
    const first = value(await catalog.live(build))
    value(await patchSkill(catalog, build, 'alpha', { enabled: false }))
    value(await restoreCatalog(catalog, build, first.version))
    value(await publish(build, { name: 'alpha', body: 'ours' }))
    expect(value(await catalog.earlier('alpha'))).toEqual([])
    const back = failure(await rollBack(catalog, build, 'alpha', -1))
    expect(back.detail).toContain('cannot go back by 1: there are no earlier versions')
  })

  it('refuses a version that never existed', async () => {
    const { catalog } = openWorkspace('restore-5')
    const build = await seedBuild(env, [alpha])
    value(await catalog.live(build))
    for (const version of [0, -1, 2, 1.5, 1e9])
      expect(failure(await restoreCatalog(catalog, build, version)).code).toBe('not_found')
  })
})

describe('catalog versions', () => {
  it('show when, by whom and what changed, newest first, page by page', async () => {
    const { catalog, publish } = openWorkspace('list-1')
    const build = await seedBuild(env, [alpha])
    value(await publish(build, { name: 'one' }, { note: 'the first' }))
    value(await publish(build, { name: 'two' }))
    value(await patchSkill(catalog, build, 'alpha', { enabled: false }))
    const all = value(await catalog.catalogVersions(9, null))
    expect(
      all.map(({ version, action, author, changed, note }) => [version, action, author, changed.names, note]),
    ).toEqual([
      [4, 'disable', 'ann', ['alpha'], null],
      [3, 'publish', 'ann', ['two'], null],
      [2, 'publish', 'ann', ['one'], 'the first'],
      [1, 'build', 'build', [], null],
    ])
    expect(all.every((version) => version.build === build)).toBe(true)
    const pages = [await catalog.catalogVersions(3, null), await catalog.catalogVersions(3, 2)]
    expect(pages.flatMap((page) => value(page))).toEqual(all)
  })
})

describe('versions with very many findings', () => {
  it('are listed as far as one answer can carry them, and the history continues on the next page', async () => {
    const { catalog, publish, stub } = openWorkspace('findings-1')
    const build = await seedBuild(env, [alpha])
    for (const body of ['1', '2', '3', '4', '5']) value(await publish(build, { name: 'own', body }))
    const long = { rule: 'r', severity: 'warning', file: 'a.sh', line: 1, message: 'ß'.repeat(600), fix: '' }
    await runInDurableObject(stub, (_, state) => {
      const findings = JSON.stringify(Array.from({ length: 400 }, () => long))
      state.storage.sql.exec('UPDATE versions SET findings = ?', findings)
    })
    const listed = await catalog.versions('own')
    expect(JSON.stringify(listed).length).toBeLessThan(CATALOG_RESPONSE_MAX_CHARS)
    expect(value(listed).length).toBeGreaterThan(1)
    const numbers: number[] = []
    let before: number | null = null
    do {
      const page = await catalog.history('own', 5, before)
      expect(JSON.stringify(page).length).toBeLessThan(CATALOG_RESPONSE_MAX_CHARS)
      numbers.push(...value(page).items.map((item) => item.catalog_version))
      before = value(page).next
    } while (before !== null)
    expect(numbers).toEqual([6, 5, 4, 3, 2])
  })
})
