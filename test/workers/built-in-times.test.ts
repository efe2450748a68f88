// Guards since when built-in skills are as they are: by what each build changed, whatever a build's own clock; kept over
// builds that leave them alone, anew when they come back; in stores that kept no such times, too, and never for a run.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { fail } from '../../src/lib/result.ts'
import { BUILDS_COMPARED_AT_ONCE } from '../../src/limits.ts'
import { BuiltInTimes } from '../../src/skills/catalog/built-in-times.ts'
import { CATALOG_MIGRATIONS } from '../../src/skills/catalog/schema.ts'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import type { ContentReader } from '../../src/skills/store/content-reader.ts'
import { blobKey, indexKey } from '../../src/skills/store/keys.ts'
import { ACTOR, openWorkspace, value } from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { got, publish, send, serveSkills } from './door-fixture.ts'
import { manyEntries } from './many-skills.ts'
import { seedBuild } from './seed-build.ts'

type Skills = Readonly<Record<string, string>>

/** Builds with these skills by name and body, met one after the other, each an hour after the one before. */
async function meet(workspace: TestWorkspace, from: number, ...builds: readonly Skills[]): Promise<string[]> {
  const addresses: string[] = []
  for (const [at, skills] of builds.entries()) {
    const seeds = Object.entries(skills).map(([name, body]) => ({ name, body }))
    const build = await seedBuild(env, seeds)
    value(await workspace.catalog.live(build))
    await runInDurableObject(workspace.stub, (_, { storage }) => {
      storage.sql.exec('UPDATE history SET at = ? WHERE after_digest = ?', hour(from + at), build)
    })
    addresses.push(build)
  }
  return addresses
}

function hour(at: number): string {
  return `2030-01-01T${String(at).padStart(2, '0')}:00:00.000Z`
}

async function since(
  { catalog }: TestWorkspace,
  build: string | undefined,
  ...names: string[]
): Promise<unknown> {
  return value(await catalog.since(build ?? '', names))
}

function rowCount({ stub }: TestWorkspace): Promise<number> {
  return runInDurableObject(
    stub,
    (_, { storage }) => storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM built_in').one().n,
  )
}

describe('the time of a built-in skill', () => {
  it('is that of the build which brought it as it is, over ten builds that leave it alone', async () => {
    const workspace = openWorkspace('times-1')
    const builds = Array.from({ length: 10 }, (_, at) => ({ still: 'S', moving: `${at}` }))
    const met = await meet(workspace, 1, ...builds)
    expect(await since(workspace, met[9], 'still', 'moving')).toEqual([hour(1), hour(10)])
    // Rows for what changed alone, and once.
    expect(await rowCount(workspace)).toBe(9)
    // Two builds at the same time, as while a deploy is rolled out, have each their own.
    expect(await since(workspace, met[3], 'still', 'moving')).toEqual([hour(1), hour(4)])
    const [entry] = value(await workspace.catalog.standing(met[9] ?? '', ['moving'])).skills
    expect(entry?.updated_at).toBe(hour(10))
  })

  it('is new when the skill comes back to what it was, or comes back at all', async () => {
    const workspace = openWorkspace('times-2')
    const met = await meet(
      workspace,
      1,
      { a: 'one', b: 'B', c: 'C' },
      { a: 'two', c: 'C' },
      { a: 'one', b: 'B', c: 'C', d: 'D' },
    )
    expect(await since(workspace, met[2], 'a', 'b', 'c', 'd')).toEqual([hour(3), hour(3), hour(1), hour(3)])
  })

  it('does not move with switches and custom skills, and is back when a shadow goes', async () => {
    const workspace = openWorkspace('times-3')
    const { catalog } = workspace
    const [build = ''] = await meet(workspace, 1, { a: 'A' })
    value(await catalog.patch(build, 'a', { enabled: false }, ACTOR))
    value(await workspace.publish(build, { name: 'a', body: 'Ours.' }))
    expect(value(await catalog.standing(build, ['a'])).skills[0]?.updated_at).not.toBe(hour(1))
    const wish = { kind: 'retire', skill: 'a' } as const
    expect(value(await catalog.trial(build, wish)).skill?.updated_at).toBe(hour(1))
    value(await catalog.retire(build, 'a', ACTOR))
    expect(value(await catalog.standing(build, ['a'])).skills[0]?.updated_at).toBe(hour(1))
  })

  it('is found in a store of the release before, from the builds that it met', async () => {
    const workspace = openWorkspace('times-4')
    const met = await meet(workspace, 1, { a: 'one', b: 'B' }, { a: 'two', b: 'B' })
    await runInDurableObject(workspace.stub, (_, { storage }) => {
      for (const [, table] of CATALOG_MIGRATIONS.slice(4)
        .join('')
        .matchAll(/CREATE TABLE (\w+)/g))
        storage.sql.exec(`DROP TABLE ${table}`)
      storage.sql.exec('DELETE FROM migrations WHERE version > 4')
    })
    await evictDurableObject(workspace.stub)
    expect(await since(workspace, met[1], 'a', 'b')).toEqual([hour(2), hour(1)])
    const [next] = await meet(workspace, 3, { a: 'two', b: 'New.' })
    expect(await since(workspace, next, 'a', 'b')).toEqual([hour(2), hour(3)])
  })

  it('of a store that met many builds before begins with the last few', async () => {
    const workspace = openWorkspace('times-5')
    const builds = Array.from({ length: BUILDS_COMPARED_AT_ONCE + 4 }, (_, at) => ({ a: 'A', b: `${at}` }))
    const met = await meet(workspace, 1, ...builds)
    expect(await since(workspace, met.at(-1), 'a', 'b')).toEqual([hour(5), hour(20)])
    expect(await since(workspace, met[1], 'a')).toEqual([hour(2)])
  })

  it('begins anew behind an index that is lost, and waits for stores that are silent', async () => {
    const workspace = openWorkspace('times-6')
    const met = await meet(workspace, 1, { a: 'lost', b: 'times-6' }, { a: 'A', b: 'B' })
    await env.SKILLS.delete(indexKey(met[0] ?? ''))
    await env.RESOURCES.delete(blobKey('build', met[0] ?? ''))
    expect(await since(workspace, met[1], 'a', 'b')).toEqual([hour(2), hour(2)])
    const [next = ''] = await meet(workspace, 3, { a: 'A', b: 'Newer.' })
    let down = true
    const content: Pick<ContentReader, 'index'> = {
      index: async (sha256) =>
        down
          ? fail('catalog_broken', 'The store did not answer.', { retryAfterS: 2 })
          : workspace.content.index(sha256),
    }
    const found = await runInDurableObject(workspace.stub, async (_, { storage }) => {
      const times = new BuiltInTimes(storage, content)
      const silent = await times.since(next, ['a', 'b'])
      down = false
      return [silent, await times.since(next, ['a', 'b'])].map((map) => [...map.values()])
    })
    expect(found).toEqual([
      [hour(3), hour(3)],
      [hour(2), hour(3)],
    ])
  })

  it('costs one comparison and the rows that changed, with ten thousand skills', async () => {
    const workspace = openWorkspace('times-7')
    const many = manyEntries(10_000)
    const builds = [await seedBuild(env, [{ name: 'a', body: 'one' }], many)]
    builds.push(await seedBuild(env, [{ name: 'a', body: 'two' }], many))
    for (const build of builds) value(await workspace.catalog.live(build))
    const { name = '' } = many[5_000] ?? {}
    const [still, moved] = value(await workspace.catalog.since(builds[1] ?? '', [name, 'a']))
    const [second, first] = value(await workspace.catalog.catalogVersions(2, null))
    expect([still, moved]).toEqual([first?.at, second?.at])
    expect(await rowCount(workspace)).toBe(1)
  })
})

describe('over the door', () => {
  it('lists, details, matches and history show it, for built-in skills as for custom ones', async () => {
    await serveSkills([{ name: 'alpha', body: 'One.' }, { name: 'beta' }])
    await publish({ name: 'own' })
    await serveSkills([
      { name: 'alpha', body: 'Two.', description: 'For alpha particles.' },
      { name: 'beta' },
    ])
    const list = await got<{ data: SkillInfo[] }>(send('GET /admin/skills'))
    const versions = await got<{ data: { at: string; action: string; version: number }[] }>(
      send('GET /admin/catalog/versions'),
    )
    const builds = versions.data.filter(({ action }) => action === 'build')
    const times = Object.fromEntries(list.data.map((one) => [one.name, one.updated_at]))
    expect(times).toMatchObject({ alpha: builds[0]?.at, beta: builds[1]?.at })
    for (const path of ['/v1/skills', '/v1/skills?for=person'])
      expect((await got<{ data: SkillInfo[] }>(send(`GET ${path}`))).data).toEqual(
        expect.arrayContaining(
          ['alpha', 'beta', 'own'].map((name) => expect.objectContaining({ name, updated_at: times[name] })),
        ),
      )
    for (const path of ['/admin/skills/beta', '/v1/skills/beta'])
      expect(await got(send(`GET ${path}`))).toMatchObject({ updated_at: times['beta'] })
    const match = await got<{ data: { skill: SkillInfo }[] }>(
      send('POST /v1/skills/match', { body: { text: 'alpha particles' } }),
    )
    expect(match.data[0]?.skill).toMatchObject({ name: 'alpha', updated_at: times['alpha'] })
    const patched = send('PATCH /admin/skills/beta', { body: { enabled: false } })
    expect(await got(patched)).toMatchObject({ skill: { updated_at: times['beta'] } })
  })

  it('the history of a built-in skill begins with its first build and goes on page by page', async () => {
    const { data } = await got<{ data: { action: string; at: string; files: object[] | null }[] }>(
      send('GET /admin/skills/alpha/history'),
    )
    const detail = await got<SkillInfo>(send('GET /admin/skills/alpha'))
    expect(data.map(({ action }) => action)).toEqual(['build', 'build'])
    expect(data[0]).toMatchObject({ at: detail.updated_at, author: 'build', after: detail.digest })
    expect(data[0]?.files).toEqual([expect.objectContaining({ path: 'SKILL.md', change: 'changed' })])
    expect(data[1]).toMatchObject({ before: null, files: [expect.objectContaining({ change: 'added' })] })
    const beta = await got<{ data: { action: string }[] }>(send('GET /admin/skills/beta/history'))
    expect(beta.data.map(({ action }) => action)).toEqual(['disable', 'build'])
    const paged: object[] = []
    let cursor = ''
    for (let page = 0; page < 2; page++) {
      const one = await got<{ data: object[]; next_cursor: string | null }>(
        send(`GET /admin/skills/alpha/history?limit=1${cursor}`),
      )
      paged.push(...one.data)
      cursor = `&cursor=${one.next_cursor}`
    }
    expect(paged).toEqual(data)
  })
})
