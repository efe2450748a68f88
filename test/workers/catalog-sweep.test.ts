// Guards the sweep of unreferenced bytes: they are deleted after a day, and bytes that a version refers to never are,
// whatever is published, swept or lost at the same time.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { SWEEP_AFTER_MS } from '../../src/skills/catalog/limits.ts'
import type { Batch, SharedVersion } from '../../src/skills/catalog/api.ts'
import { putBlob } from '../../src/skills/publish/blobs.ts'
import { CatalogCore } from '../../src/skills/catalog/core.ts'
import { planCommit } from '../../src/skills/catalog/plan-many.ts'
import { publishFiles } from '../../src/skills/publish/publish.ts'
import { sharedList } from '../../src/skills/share/shared.ts'
import type { BlobDeleter } from '../../src/skills/catalog/staging.ts'
import { startPace } from '../../src/lib/steps.ts'
import { UnpackableVersions } from '../../src/skills/share/unpackable.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { blobKey, bodyKey } from '../../src/skills/store/keys.ts'
import type { SkillStores } from '../../src/skills/store/store.ts'
import {
  AUTHOR,
  changedBy,
  failure,
  openWorkspace,
  patchSkill,
  rollBack,
  unbounded,
  unlimited,
  unpaced,
  unpublishSkill,
  value,
} from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { seedBuild, skillFiles } from './seed-build.ts'

const builtIn = { name: 'alpha' }
const own = { name: 'own', files: { 'references/a.md': 'the reference' } }

const deleter: BlobDeleter = {
  blobs: (keys) => env.RESOURCES.delete([...keys]),
  text: (key) => env.SKILLS.delete(key),
}

/** A catalog over this workspace's rows, at another time, with stores that a test may watch. */
function coreAt(
  name: string,
  state: DurableObjectState,
  clock: () => number,
  other: BlobDeleter = deleter,
): CatalogCore {
  const stores = skillStores(env)
  const content = contentReader(stores, name, isolateCache())
  return new CatalogCore({
    workspace: name,
    storage: state.storage,
    stores,
    content,
    deleter: other,
    clock,
  })
}

/** A day later, when everything unreferenced is swept. */
function aDayLater(name: string, { stub }: TestWorkspace, other: BlobDeleter = deleter): Promise<void> {
  return runInDurableObject(stub, (_, state) =>
    coreAt(name, state, () => Date.now() + SWEEP_AFTER_MS + 1, other).sweep(),
  )
}

async function put(name: string, { catalog }: TestWorkspace, text: string): Promise<string> {
  const sha256 = await sha256Hex(text)
  value(
    await putBlob(sha256, utf8(text), {
      workspace: name,
      stores: skillStores(env),
      catalog,
      maxBytes: unbounded,
    }),
  )
  return sha256
}

async function there(name: string, sha256: string): Promise<boolean> {
  return (await env.RESOURCES.head(blobKey({ workspace: name }, sha256))) !== null
}

async function everythingReads({ catalog, skills, content }: TestWorkspace, build: string): Promise<void> {
  for (const entry of (await skills(value(await catalog.live(build)))).values()) {
    value(await content.body(entry))
    for (const file of value(await content.manifest(entry))) value(await content.file(entry, file.sha256))
  }
}

describe('the sweep', () => {
  it('deletes bytes that were uploaded and never used after a day, no sooner, and nothing else', async () => {
    const name = 'sweep-1'
    const workspace = openWorkspace(name)
    const build = await seedBuild(env, [builtIn])
    value(await workspace.publish(build, own))
    value(await workspace.publish(build, { ...own, body: 'second' }))
    value(await unpublishSkill(workspace.catalog, build, 'own'))
    const loose = await put(name, workspace, 'never used')
    await runInDurableObject(workspace.stub, (_, state) => coreAt(name, state, Date.now).sweep())
    expect(await there(name, loose)).toBe(true)
    const before = (await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects.length
    await aDayLater(name, workspace)
    expect(await there(name, loose)).toBe(false)
    expect((await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects.length).toBe(before - 1)
    // Unpublished bytes are not unused: both versions can come back.
    value(await rollBack(workspace.catalog, build, 'own', -1))
    await everythingReads(openWorkspace(name), build)
    value(await rollBack(workspace.catalog, build, 'own', -1))
    await everythingReads(openWorkspace(name), build)
  })

  it('finds nothing to delete after a publish that is refused from the start', async () => {
    const workspace = openWorkspace('sweep-9')
    const build = await seedBuild(env, [builtIn])
    const stale = await workspace.publish(build, own, { expect: 'f'.repeat(64) })
    expect(failure(stale).code).toBe('stale_version')
    expect((await env.RESOURCES.list({ prefix: 'ws/sweep-9/' })).objects).toEqual([])
  })

  it('deletes the text of a publish that is refused in the end from KV, too', async () => {
    const name = 'sweep-2'
    const workspace = openWorkspace(name)
    const build = await seedBuild(env, [builtIn])
    const { catalog, content } = workspace
    // Another publish was faster while the bytes were written.
    const moved = changedBy(catalog, (request) =>
      catalog.change(request.dryRun ? request : { ...request, over: 99 }),
    )
    const stale = await publishFiles(
      { files: skillFiles(own), note: null, author: AUTHOR, build, dryRun: false },
      {
        workspace: name,
        stores: skillStores(env),
        content,
        catalog: moved,
        pace: unpaced(),
        ...unlimited,
      },
    )
    expect(failure(stale).code).toBe('stale_version')
    const body = await sha256Hex(skillFiles(own).get('SKILL.md') ?? '')
    expect(await env.SKILLS.get(bodyKey({ workspace: name }, body))).not.toBeNull()
    await aDayLater(name, workspace)
    expect(await there(name, body)).toBe(false)
    expect(await env.SKILLS.get(bodyKey({ workspace: name }, body))).toBeNull()
    expect((await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects).toEqual([])
  })

  it('runs by an alarm, which is set while bytes are unreferenced and after an eviction', async () => {
    const name = 'sweep-3'
    const workspace = openWorkspace(name)
    await put(name, workspace, 'never used')
    const alarm = (): Promise<number | null> =>
      runInDurableObject(workspace.stub, (_, state) => state.storage.getAlarm())
    const due = (await alarm()) ?? 0
    expect(due - Date.now()).toBeGreaterThan(SWEEP_AFTER_MS - 60_000)
    await evictDurableObject(workspace.stub)
    expect(await alarm()).toBe(due)
    // Too early: nothing is swept, and the alarm is set again.
    expect(await runDurableObjectAlarm(workspace.stub)).toBe(true)
    expect(await there(name, await sha256Hex('never used'))).toBe(true)
    expect(await alarm()).toBeGreaterThan(Date.now())
    await aDayLater(name, workspace)
    await runInDurableObject(workspace.stub, (_, state) => state.storage.deleteAlarm())
    await runInDurableObject(workspace.stub, (object) => object.alarm())
    expect(await alarm()).toBeNull()
  })

  it('keeps bytes that were requested again meanwhile', async () => {
    const name = 'sweep-4'
    const workspace = openWorkspace(name)
    const sha256 = await put(name, workspace, 'planned')
    await runInDurableObject(workspace.stub, (_, state) => {
      state.storage.sql.exec('UPDATE blobs SET staged_at = 1')
    })
    expect(value(await workspace.catalog.known([sha256, 'f'.repeat(64)]))).toEqual({
      kept: [],
      staged: [sha256],
    })
    await runInDurableObject(workspace.stub, (object) => object.alarm())
    expect(await there(name, sha256)).toBe(true)
  })

  it('loses nothing when a store fails, and runs again', async () => {
    const name = 'sweep-5'
    const workspace = openWorkspace(name)
    const sha256 = await put(name, workspace, 'never used')
    const down: BlobDeleter = { ...deleter, blobs: () => Promise.reject(new Error('the store is down')) }
    await aDayLater(name, workspace, down)
    expect(await there(name, sha256)).toBe(true)
    const alarm = await runInDurableObject(workspace.stub, (_, state) => state.storage.getAlarm())
    expect(alarm).not.toBeNull()
    await aDayLater(name, workspace)
    expect(await there(name, sha256)).toBe(false)
  })

  it('deletes the archive of a skill that is no longer shared after a day, and no listed one', async () => {
    const name = 'sweep-8'
    const workspace = openWorkspace(name)
    const { catalog, content } = workspace
    const build = await seedBuild(env, [builtIn])
    value(await workspace.publish(build, own))
    value(await patchSkill(catalog, build, 'own', { shareable: true }))
    const unpackable = new UnpackableVersions(Date.now)
    const deps = {
      workspace: name,
      build,
      stores: skillStores(env),
      content,
      catalog,
      unpackable,
      pace: startPace(async () => {}),
    }
    const { index } = value(await catalog.live(build))
    const [shared] = value(await sharedList(value(await content.index(index)), deps)) ?? []
    const archive = shared?.as.sha256 ?? ''
    await aDayLater(name, workspace)
    expect(await there(name, archive)).toBe(true)
    value(await patchSkill(catalog, build, 'own', { shareable: false }))
    await aDayLater(name, workspace)
    expect(await there(name, archive)).toBe(false)
    await everythingReads(openWorkspace(name), build)
  })

  it('deletes the index of a change that was never made, from KV too', async () => {
    const name = 'sweep-6'
    const workspace = openWorkspace(name)
    const build = await seedBuild(env, [builtIn])
    value(await workspace.publish(build, own))
    const files = (await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects.length
    const written: string[] = []
    await runInDurableObject(workspace.stub, async (_, state) => {
      const stores = skillStores(env)
      const content = contentReader(stores, name, isolateCache())
      const bodies: SkillStores['bodies'] = {
        ...stores.bodies,
        async put(key, bytes) {
          await stores.bodies.put(key, bytes)
          written.push(key)
          throw new Error('the store is down')
        },
      }
      const broken = { ...stores, bodies }
      const deps = {
        workspace: name,
        storage: state.storage,
        stores: broken,
        content,
        deleter: deleter,
        clock: Date.now,
      }
      const batch: Batch = { skills: [], unpublish: [{ name: 'own' }], note: null }
      // Unpublished beside a changed switch of a built-in skill: an index that no other version has.
      state.storage.sql.exec("INSERT INTO flags VALUES ('alpha', 0, null)")
      const result = await new CatalogCore(deps).change(
        { author: AUTHOR, build, dryRun: false },
        planCommit(batch),
      )
      expect(failure(result).code).toBe('overloaded')
      state.storage.sql.exec('DELETE FROM flags')
    })
    expect((await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects.length).toBe(files + 1)
    await aDayLater(name, workspace)
    expect((await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects.length).toBe(files)
    expect(written).toEqual([expect.stringMatching(/^index\//)])
    expect(await env.SKILLS.get(written[0] ?? '')).toBeNull()
    await everythingReads(openWorkspace(name), build)
  })
})

describe('concurrent listing and sweep of an archive', () => {
  it('are ordered: what was swept is not listed, what is listed exists', async () => {
    const name = 'race-share'
    const workspace = openWorkspace(name)
    const { catalog } = workspace
    const build = await seedBuild(env, [builtIn])
    const { digest } = value(await workspace.publish(build, own)).skill
    value(await patchSkill(catalog, build, 'own', { shareable: true }))
    const sha256 = await put(name, workspace, 'an archive')
    const files = ['SKILL.md', 'references/a.md']
    const shared: SharedVersion = { name: 'own', category: 'custom', digest, sha256, files }
    const listed = await runInDurableObject(workspace.stub, async (object, state) => {
      state.storage.sql.exec('UPDATE blobs SET staged_at = 1 WHERE sha256 = ?', sha256)
      const [, kept] = await Promise.all([object.alarm(), object.keepShared(build, [shared])])
      return value(kept)
    })
    expect(await there(name, sha256)).toBe(false)
    expect(listed).toEqual([])
    expect(value(await catalog.sharedVersions([shared]))).toEqual([])
    await put(name, workspace, 'an archive')
    expect(value(await catalog.keepShared(build, [shared]))).toEqual([shared])
    await aDayLater(name, workspace)
    expect(await there(name, sha256)).toBe(true)
  })
})

describe('a concurrent publish and sweep', () => {
  it('are ordered: an upload request during a deletion is answered after it', async () => {
    const name = 'race-sweep-1'
    const workspace = openWorkspace(name)
    const sha256 = await put(name, workspace, 'never used')
    const order = await runInDurableObject(workspace.stub, async (_, state) => {
      const output: string[] = []
      let promise: Promise<unknown> = Promise.resolve()
      const core = coreAt(name, state, () => Date.now() + SWEEP_AFTER_MS + 1, {
        ...deleter,
        async blobs(keys) {
          promise = core.staging
            .stage([{ sha256, kind: 'file', bytes: 1 }], null)
            .then(() => output.push('promised'))
          // A publisher answered now would find the bytes, and not write them again.
          await env.RESOURCES.head('nothing')
          await deleter.blobs(keys)
          output.push('gone')
        },
      })
      await core.sweep()
      await promise
      const known = await core.staging.known([sha256])
      return [...output, ...known.staged]
    })
    expect(order).toEqual(['gone', 'promised', sha256])
  })

  it('write the files again if they were swept between the upload and the change of the catalog', async () => {
    const name = 'race-sweep-2'
    const workspace = openWorkspace(name)
    const build = await seedBuild(env, [builtIn])
    let commits = 0
    const { catalog, content } = workspace
    const late = changedBy(catalog, async (request) => {
      // A publisher that waited for more than a day after it was promised the bytes.
      if (!request.dryRun && ++commits === 1) await aDayLater(name, workspace)
      return catalog.change(request)
    })
    const published = await publishFiles(
      { files: skillFiles(own), note: null, author: AUTHOR, build, dryRun: false },
      {
        workspace: name,
        stores: skillStores(env),
        content,
        catalog: late,
        pace: unpaced(),
        ...unlimited,
      },
    )
    expect(value(published).created).toBe(true)
    expect(commits).toBe(2)
    await everythingReads(openWorkspace(name), build)
  })
})
