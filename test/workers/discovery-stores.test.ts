// Guards shared skills during failures and races: an unavailable store is not reported as a missing skill, lost bytes
// hide no other skill, and a skill unshared meanwhile gets no URL.

import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { CONTENT_CACHE_ITEM_MAX_BYTES } from '../../src/skills/store/limits.ts'
import { sharedList, type Shared, type ShareDeps } from '../../src/skills/share/shared.ts'
import { startPace } from '../../src/lib/steps.ts'
import { UnpackableVersions } from '../../src/skills/share/unpackable.ts'
import { blobKey } from '../../src/skills/store/keys.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import type { SkillIndex } from '../../src/skills/skill.ts'
import { failure, openWorkspace, value, type TestWorkspace, patchSkill } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const SKILL = { name: 'shared', files: { 'a.md': 'A', 'b.md': 'B' } }
let build = ''
let count = 0

beforeAll(async () => {
  build = await seedBuild(env, [{ name: 'alpha' }])
})

interface Opened {
  readonly workspace: TestWorkspace
  readonly index: SkillIndex
  readonly deps: ShareDeps
}

/** A separate workspace in which SKILL is shared, together with a single-file skill. */
async function opened(): Promise<Opened> {
  const name = `stores-${++count}`
  const workspace = openWorkspace(name)
  const { catalog, content } = workspace
  for (const skill of [SKILL, { name: 'single' }]) {
    value(await workspace.publish(build, skill))
    value(await patchSkill(catalog, build, skill.name, { shareable: true }))
  }
  const index = value(await content.index(value(await catalog.live(build)).index))
  const deps = {
    workspace: name,
    build,
    stores: skillStores(env),
    content,
    catalog,
    unpackable: new UnpackableVersions(systemClock),
    pace: startPace(async () => {}),
  }
  return { workspace, index, deps }
}

async function list(index: SkillIndex, deps: ShareDeps): Promise<readonly Shared[]> {
  const made = value(await sharedList(index, deps))
  if (made === null) throw new Error('nothing changed meanwhile')
  return made
}

async function names({ index }: Opened, deps: ShareDeps): Promise<readonly string[]> {
  return (await list(index, deps)).map(({ entry }) => entry.name)
}

it('a skill unshared before the catalog is notified gets no row, even when it is shared again', async () => {
  const made = await opened()
  const { catalog } = made.workspace
  const entry = made.index.skills.find(({ name }) => name === 'shared')
  if (!entry) throw new Error('it is live')
  const late = (meanwhile: () => Promise<void>): ShareDeps['catalog'] => ({
    stage: (blobs, maxBytes) => catalog.stage(blobs, maxBytes),
    sharedVersions: (versions) => catalog.sharedVersions(versions),
    async keepShared(of, versions) {
      await meanwhile()
      return catalog.keepShared(of, versions)
    },
  })
  const switched = async (shareable: boolean): Promise<void> =>
    void value(await patchSkill(catalog, build, 'shared', { shareable }))
  const unshared = late(() => switched(false))
  expect(value(await sharedList(made.index, { ...made.deps, catalog: unshared }))).toBeNull()
  expect(value(await catalog.sharedVersions([entry]))).toEqual([])
  const repaired = late(async () => {
    value(await made.workspace.publish(build, { ...SKILL, body: 'Without the secret.' }))
    await switched(false)
    await switched(true)
  })
  await switched(true)
  expect(value(await sharedList(made.index, { ...made.deps, catalog: repaired }))).toBeNull()
  expect(value(await catalog.sharedVersions([entry]))).toEqual([])
  const now = value(await made.workspace.content.index(value(await catalog.live(build)).index))
  expect(await names({ ...made, index: now }, made.deps)).toEqual(['shared', 'single'])
})

it('a version keeps the bytes that it was first listed with, whoever packs it again', async () => {
  const made = await opened()
  const [first] = await list(made.index, made.deps)
  const other = { ...first?.as, sha256: 'f'.repeat(64) } as NonNullable<typeof first>['as'] // the cast is safe: the skill is listed
  expect(value(await made.workspace.catalog.keepShared(build, [other]))).toEqual([first?.as])
})

it('many skills of many files are sent to the catalog in calls within the size limit', async () => {
  const { deps, index } = await opened()
  const calls: number[] = []
  const catalog: ShareDeps['catalog'] = {
    ...deps.catalog,
    keepShared: async () => ({ ok: true, value: [] }),
    sharedVersions: async (versions) => {
      calls.push(versions.length)
      return { ok: true, value: versions.map((one) => ({ ...one, sha256: 'f'.repeat(64), files: [] })) }
    },
  }
  const [first] = index.skills.filter(({ name }) => name === 'shared')
  if (!first) throw new Error('it is live')
  const skills = Array.from({ length: 100 }, (_, i) => ({ ...first, name: `many-${i}`, files: 1_000 }))
  expect(await list({ format: 1, skills }, { ...deps, catalog })).toHaveLength(100)
  expect(calls).toEqual([20, 20, 20, 20, 20])
})

it('a store that rejects an archive or returns no file is a temporary failure, not a shorter list', async () => {
  const made = await opened()
  const { stores, content } = made.deps
  const down = async (): Promise<never> => Promise.reject(new Error('down'))
  const full = { blobs: { ...stores.blobs, put: down } }
  expect(failure(await sharedList(made.index, { ...made.deps, stores: full }))).toMatchObject({
    code: 'overloaded',
    retryAfterS: 2,
  })
  const silent: ShareDeps['content'] = {
    manifest: (version) => content.manifest(version),
    file: async () => ({ ok: false, error: { code: 'catalog_broken', detail: 'Silent.', retryAfterS: 2 } }),
  }
  expect(failure(await sharedList(made.index, { ...made.deps, content: silent }))).toMatchObject({
    code: 'catalog_broken',
    retryAfterS: 2,
  })
  expect(await names(made, made.deps)).toEqual(['shared', 'single'])
})

it('a lost file hides its skill, even if it is not the first file, and no other', async () => {
  for (const lost of ['SKILL.md', 'b.md']) {
    const made = await opened()
    const entry = made.index.skills.find(({ name }) => name === 'shared')
    if (!entry) throw new Error('it is live')
    const files = value(await made.workspace.content.manifest(entry))
    const sha256 = files.find(({ path }) => path === lost)?.sha256 ?? ''
    await env.RESOURCES.delete(blobKey({ workspace: made.deps.workspace }, sha256))
    expect(await names(made, made.deps), lost).toEqual(['single'])
    expect(made.deps.unpackable.has(entry)).toBe(true)
  }
})

it('a lost archive is reported as broken; sharing it again packs it again', async () => {
  const made = await opened()
  const { catalog, content } = made.workspace
  const archive = async (): Promise<string> => {
    const live = value(await catalog.live(build))
    const shared = await list(value(await content.index(live.index)), made.deps)
    return shared.find(({ entry }) => entry.name === 'shared')?.as.sha256 ?? ''
  }
  const sha256 = await archive()
  await env.RESOURCES.delete(blobKey({ workspace: made.deps.workspace }, sha256))
  expect(failure(await content.openArtifact(sha256)).code).toBe('catalog_broken')
  for (const shareable of [false, true]) value(await patchSkill(catalog, build, 'shared', { shareable }))
  expect(await archive()).toBe(sha256)
  value(await content.openArtifact(sha256))
})

it('a large file is streamed, so that many simultaneous downloads do not exhaust the memory', async () => {
  const made = await opened()
  const { catalog, content, publish } = made.workspace
  const skill = { name: 'large', files: { 'a.txt': noise(2 * CONTENT_CACHE_ITEM_MAX_BYTES) } }
  value(await publish(build, skill))
  value(await patchSkill(catalog, build, 'large', { shareable: true }))
  const index = value(await content.index(value(await catalog.live(build)).index))
  const large = (await list(index, made.deps)).find(({ entry }) => entry.name === 'large')
  if (!large) throw new Error('it is shared')
  const archive = value(await content.openArtifact(large.as.sha256))
  expect(archive).toBeInstanceOf(ReadableStream)
  expect(await sha256Hex(new Uint8Array(await new Response(archive).arrayBuffer()))).toBe(large.as.sha256)
  const text = value(await content.openFile(large.entry, await sha256Hex(skill.files['a.txt'])))
  expect(text).toBeInstanceOf(ReadableStream)
  expect(await new Response(text).text()).toBe(skill.files['a.txt'])
})

/** Hardly compressible text, the same in each run. */
function noise(chars: number): string {
  let state = 1
  return Array.from({ length: chars }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(35 + (state % 90))
  }).join('')
}
