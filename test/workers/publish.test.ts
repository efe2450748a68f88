// Guards "bytes before pointer": a reader never sees a version whose files are missing or changed, a publish that fails
// anywhere leaves the live version, concurrent publishes are all kept, and a workspace cannot read another's skills.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { fromUtf8, sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { putBlob } from '../../src/skills/publish/blobs.ts'
import { commitSkills } from '../../src/skills/publish/sent.ts'
import { CatalogCore } from '../../src/skills/catalog/core.ts'
import { mergeIndex } from '../../src/skills/catalog/merge.ts'
import { planSkill } from '../../src/skills/catalog/plan-skill.ts'
import type { Plan } from '../../src/skills/catalog/plan.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { blobKey, bodyKey, indexKey } from '../../src/skills/store/keys.ts'
import { publishFiles } from '../../src/skills/publish/publish.ts'
import type { SkillStores } from '../../src/skills/store/store.ts'
import {
  AUTHOR,
  changedBy,
  failure,
  openWorkspace,
  patchSkill,
  unbounded,
  unlimited,
  unpaced,
  value,
} from './catalog-fixture.ts'
import { seedBuild, skillFiles } from './seed-build.ts'

const builtIn = { name: 'alpha' }
const own = { name: 'own', body: 'Read references/a.md.', files: { 'references/a.md': 'the reference' } }

const switched = (skill: string, enabled: boolean): Plan =>
  planSkill({ kind: 'patch', skill, patch: { enabled } })

/** These tests delete nothing. */
const deleter = { blobs: () => Promise.resolve(), text: () => Promise.resolve() }

/** The real stores, except that writing to one of them fails. */
function failing(store: 'bodies' | 'blobs'): SkillStores {
  const stores = skillStores(env)
  const put = (): Promise<void> => Promise.reject(new Error('the store is down'))
  return { ...stores, [store]: { ...stores[store], put } }
}

describe('publishing', () => {
  it('makes every file readable before the catalog points to it', async () => {
    const { publish, catalog, skills, content } = openWorkspace('publish-1')
    const build = await seedBuild(env, [builtIn])
    const published = value(await publish(build, own, { note: 'first' }))
    expect(published).toMatchObject({
      created: true,
      skill: { name: 'own', category: 'custom', editable: true },
    })
    expect(published.diff.map((file) => [file.path, file.change])).toEqual([
      ['SKILL.md', 'added'],
      ['references/a.md', 'added'],
    ])
    const live = value(await catalog.live(build))
    expect(live.version).toBe(published.catalog_version)
    const entry = (await skills(live)).get('own')
    if (!entry) throw new Error('not live')
    const files = value(await content.manifest(entry))
    expect(value(await content.body(entry))).toContain('Read references/a.md.')
    const reference = files.find((file) => file.path === 'references/a.md')
    expect(fromUtf8(value(await content.file(entry, reference?.sha256 ?? '')))).toBe('the reference')
  })

  it('returns created: false for the same bytes, in any order or folder, and creates no version', async () => {
    const { publish, catalog } = openWorkspace('publish-2')
    const build = await seedBuild(env, [builtIn])
    const first = value(await publish(build, own))
    const wrapped = new Map([...skillFiles(own)].reverse().map(([path, bytes]) => [`own/${path}`, bytes]))
    const again = value(await publish(build, own, { files: wrapped }))
    expect(again).toMatchObject({ created: false, catalog_version: first.catalog_version })
    expect(again.skill.digest).toBe(first.skill.digest)
    expect(again.diff.every((file) => file.change === 'same')).toBe(true)
    expect(value(await catalog.versions('own'))).toHaveLength(1)
  })

  it('shows the differences from the live version', async () => {
    const { publish } = openWorkspace('publish-3')
    const build = await seedBuild(env, [builtIn])
    value(await publish(build, own))
    const next = { ...own, files: { 'references/b.md': 'new' }, body: 'Read references/b.md.' }
    const dry = value(await publish(build, next, { dryRun: true }))
    expect(dry.diff.map((file) => [file.path, file.change])).toEqual([
      ['SKILL.md', 'changed'],
      ['references/a.md', 'removed'],
      ['references/b.md', 'added'],
    ])
  })

  it('writes and changes nothing on a dry run', async () => {
    const { publish, catalog } = openWorkspace('publish-4')
    const build = await seedBuild(env, [builtIn])
    const live = value(await catalog.live(build))
    const before = (await env.RESOURCES.list()).objects.length
    expect(value(await publish(build, own, { dryRun: true }))).toMatchObject({ created: false })
    expect(value(await catalog.live(build))).toEqual(live)
    expect((await env.RESOURCES.list()).objects.length).toBe(before)
  })

  it('refuses a malformed SKILL.md with file, line and fix', async () => {
    const { publish } = openWorkspace('publish-5')
    const build = await seedBuild(env, [builtIn])
    const files = new Map([['SKILL.md', utf8('---\nname: Bad_Name\ndescription: x\n---\nbody')]])
    const error = failure(await publish(build, own, { files }))
    expect(error.code).toBe('invalid_skill')
    expect(error.errors?.[0]?.path).toBe('SKILL.md:2')
  })

  it('succeeds only over the digest it expects', async () => {
    const { publish } = openWorkspace('publish-6')
    const build = await seedBuild(env, [builtIn])
    const first = value(await publish(build, own)).skill.digest
    const second = value(await publish(build, { ...own, body: '2' }, { expect: first })).skill.digest
    const stale = failure(await publish(build, { ...own, body: '3' }, { expect: first }))
    expect(stale).toMatchObject({ code: 'stale_version' })
    expect(stale.detail).toContain(second)
    expect(failure(await publish(build, { name: 'fresh' }, { expect: first })).code).toBe('stale_version')
  })
})

describe('concurrent publishes', () => {
  it('keep every version of one skill, each in its own catalog', async () => {
    const { publish, catalog, skills } = openWorkspace('race-1')
    const build = await seedBuild(env, [builtIn])
    const bodies = Array.from({ length: 8 }, (_, i) => `body ${i}`)
    const all = (await Promise.all(bodies.map((body) => publish(build, { name: 'own', body })))).map(value)
    expect(new Set(all.map((published) => published.catalog_version)).size).toBe(8)
    expect(value(await catalog.versions('own'))).toHaveLength(8)
    const last = all.reduce((a, b) => (a.catalog_version > b.catalog_version ? a : b))
    const live = value(await catalog.live(build))
    expect(live.version).toBe(last.catalog_version)
    expect((await skills(live)).get('own')?.digest).toBe(last.skill.digest)
  })

  it('lose no skill of many, even during a switch', async () => {
    const { publish, catalog, skills } = openWorkspace('race-2')
    const build = await seedBuild(env, [builtIn])
    const names = ['one', 'two', 'three', 'four', 'five']
    const done = await Promise.all([
      ...names.map((name) => publish(build, { name })),
      patchSkill(catalog, build, 'alpha', { enabled: false }),
    ])
    for (const result of done) expect(result.ok).toBe(true)
    const seen = await skills(value(await catalog.live(build)))
    expect([...seen.keys()].toSorted()).toEqual(['alpha', ...names].toSorted())
    expect(seen.get('alpha')?.enabled).toBe(false)
  })

  it('let one of two win that expect the same digest', async () => {
    const { publish } = openWorkspace('race-3')
    const build = await seedBuild(env, [builtIn])
    const base = value(await publish(build, own)).skill.digest
    const both = await Promise.all(
      ['x', 'y'].map((body) => publish(build, { name: 'own', body }, { expect: base })),
    )
    expect(both.filter((result) => result.ok)).toHaveLength(1)
    expect(both.filter((result) => !result.ok).map((result) => failure(result).code)).toEqual([
      'stale_version',
    ])
  })

  it('compute a change again if the catalog changed while its index was written', async () => {
    const { stub, catalog } = openWorkspace('race-4')
    const build = await seedBuild(env, [builtIn, { name: 'beta' }])
    value(await catalog.live(build))
    const index = await runInDurableObject(stub, async (_, state) => {
      const stores = skillStores(env)
      const clock = () => 0
      const terms = { author: AUTHOR, build, dryRun: false }
      const content = contentReader(stores, 'race-4', isolateCache())
      const deps = {
        workspace: 'race-4',
        storage: state.storage,
        stores,
        content,
        deleter: deleter,
        clock,
      }
      // Another instance over the same rows, which would bypass a lock in memory.
      const other = new CatalogCore(deps)
      let moved = false
      const slow: SkillStores = {
        ...stores,
        blobs: {
          ...stores.blobs,
          async put(...args) {
            if (!moved) await other.change(terms, switched('beta', false))
            moved = true
            await stores.blobs.put(...args)
          },
        },
      }
      const changed = value(
        await new CatalogCore({ ...deps, stores: slow }).change(terms, switched('alpha', false)),
      )
      return mergeIndex(changed.build, changed.overlay).skills.map((entry) => [entry.name, entry.enabled])
    })
    expect(index).toEqual([
      ['alpha', false],
      ['beta', false],
    ])
  })
})

describe('failing stores', () => {
  it.each(['blobs', 'bodies'] as const)(
    'keep the old version live when writing files to %s fails',
    async (store) => {
      const workspace = `down-1-${store}`
      const { publish, catalog, content } = openWorkspace(workspace)
      const build = await seedBuild(env, [builtIn])
      value(await publish(build, own))
      const live = value(await catalog.live(build))
      const result = await publishFiles(
        { files: skillFiles({ ...own, body: 'second' }), note: null, author: AUTHOR, build, dryRun: false },
        { workspace, stores: failing(store), content, catalog, pace: unpaced(), ...unlimited },
      )
      expect(failure(result).code).toBe('overloaded')
      expect(value(await catalog.live(build))).toEqual(live)
    },
  )

  it.each(['blobs', 'bodies'] as const)(
    'keep the old version live when writing the index to %s fails',
    async (store) => {
      const workspace = `down-2-${store}`
      const { stub, catalog } = openWorkspace(workspace)
      const build = await seedBuild(env, [builtIn])
      const live = value(await catalog.live(build))
      const code = await runInDurableObject(stub, async (_, state) => {
        const content = contentReader(skillStores(env), workspace, isolateCache())
        const core = new CatalogCore({
          workspace,
          storage: state.storage,
          stores: failing(store),
          content,
          deleter: deleter,
          clock: () => 0,
        })
        const terms = { author: AUTHOR, build, dryRun: false }
        return failure(await core.change(terms, switched('alpha', false))).code
      })
      expect(code).toBe('overloaded')
      expect(value(await catalog.live(build))).toEqual(live)
      // The same change succeeds once the stores are available: no partial change is in its way.
      const off = value(await patchSkill(catalog, build, 'alpha', { enabled: false }))
      expect(off.version).toBe(live.version + 1)
      expect(await env.SKILLS.get(indexKey(off.index))).not.toBeNull()
    },
  )

  it.each(['blobs', 'bodies'] as const)(
    'change nothing when writing to %s fails during a commit of several skills',
    async (store) => {
      const workspace = `down-4-${store}`
      const { publish, catalog, content } = openWorkspace(workspace)
      const build = await seedBuild(env, [builtIn])
      value(await publish(build, own))
      const live = value(await catalog.live(build))
      const stores = skillStores(env)
      const skills = []
      for (const name of ['one', 'two']) {
        const files: Record<string, string> = {}
        for (const [path, bytes] of skillFiles({ name })) {
          files[path] = await sha256Hex(bytes)
          value(await putBlob(files[path], bytes, { workspace, stores, catalog, maxBytes: unbounded }))
        }
        skills.push({ files })
      }
      const request = {
        skills,
        unpublish: [{ name: 'own' }],
        note: null,
        author: AUTHOR,
        build,
        dryRun: false,
      }
      const deps = { workspace, content, catalog, pace: unpaced(), ...unlimited }
      const result = await commitSkills(request, { ...deps, stores: failing(store) })
      expect(failure(result).code).toBe('overloaded')
      expect(value(await catalog.live(build))).toEqual(live)
      expect(failure(await catalog.versions('one')).code).toBe('not_found')
      expect(value(await commitSkills(request, { ...deps, stores })).catalog_version).toBe(live.version + 1)
    },
  )

  it('show nothing of a publish whose Worker died before the catalog changed', async () => {
    const { publish, catalog, content, stub } = openWorkspace('down-5')
    const build = await seedBuild(env, [builtIn])
    const live = value(await catalog.live(build))
    const dying = publishFiles(
      { files: skillFiles(own), note: null, author: AUTHOR, build, dryRun: false },
      {
        workspace: 'down-5',
        stores: skillStores(env),
        content,
        pace: unpaced(),
        ...unlimited,
        catalog: changedBy(catalog, async (request) => {
          if (request.dryRun) return catalog.change(request)
          throw new Error('the Worker died')
        }),
      },
    )
    await expect(dying).rejects.toThrow('the Worker died')
    await evictDurableObject(stub)
    expect(value(await catalog.live(build))).toEqual(live)
    expect(failure(await catalog.versions('own')).code).toBe('not_found')
    expect(value(await catalog.history('own', 9, null)).items).toEqual([])
    expect(value(await publish(build, own)).created).toBe(true)
  })

  it('fall back from KV to R2, and report a broken catalog when both have nothing', async () => {
    const { publish, catalog, skills, content } = openWorkspace('down-3')
    const build = await seedBuild(env, [builtIn])
    value(await publish(build, own))
    const entry = (await skills(value(await catalog.live(build)))).get('own')
    if (!entry) throw new Error('not live')
    const scope = { workspace: 'down-3' }
    await env.SKILLS.delete(bodyKey(scope, entry.body))
    expect((await content.body(entry)).ok).toBe(true)
    await env.RESOURCES.delete(blobKey(scope, entry.body))
    const cold = openWorkspace('down-3').content
    expect(failure(await cold.body(entry)).code).toBe('catalog_broken')
  })
})

describe('bytes that do not match their key', () => {
  it('are refused from KV and from R2, and publishing again fixes them', async () => {
    const { publish, catalog, skills } = openWorkspace('tamper-1')
    const build = await seedBuild(env, [builtIn])
    value(await publish(build, own))
    const entry = (await skills(value(await catalog.live(build)))).get('own')
    if (!entry) throw new Error('not live')
    const scope = { workspace: 'tamper-1' }
    await env.SKILLS.put(bodyKey(scope, entry.body), 'tampered')
    const genuine = value(await openWorkspace('tamper-1').content.body(entry))
    expect(genuine).not.toContain('tampered')
    await env.RESOURCES.put(blobKey(scope, entry.body), 'tampered')
    await env.RESOURCES.put(blobKey(scope, entry.digest), 'tampered')
    const { content } = openWorkspace('tamper-1')
    expect(failure(await content.body(entry)).code).toBe('catalog_broken')
    expect(failure(await content.manifest(entry)).code).toBe('catalog_broken')
    expect(value(await publish(build, own)).created).toBe(false)
    expect(value(await content.body(entry))).toBe(genuine)
    expect(value(await content.manifest(entry))).toHaveLength(2)
  })

  it('never become an index: a changed one is broken, not shorter', async () => {
    const { catalog, publish } = openWorkspace('tamper-2')
    const build = await seedBuild(env, [builtIn])
    value(await publish(build, own))
    const { index } = value(await catalog.live(build))
    const empty = JSON.stringify({ format: 1, skills: [] })
    await env.SKILLS.put(indexKey(index), empty)
    await env.RESOURCES.put(blobKey({ workspace: 'tamper-2' }, index), empty)
    expect(failure(await openWorkspace('tamper-2').content.index(index)).code).toBe('catalog_broken')
  })
})

describe('two workspaces', () => {
  it('see neither each other’s skills nor each other’s bytes, even by their exact address', async () => {
    const ann = openWorkspace('tenant-a')
    const bob = openWorkspace('tenant-ab')
    const build = await seedBuild(env, [builtIn])
    value(await ann.publish(build, own))
    const entry = (await ann.skills(value(await ann.catalog.live(build)))).get('own')
    if (!entry) throw new Error('not live')
    const seen = await bob.skills(value(await bob.catalog.live(build)))
    expect([...seen.keys()]).toEqual(['alpha'])
    const secret = await sha256Hex('the reference')
    expect((await ann.content.file(entry, secret)).ok).toBe(true)
    expect(failure(await bob.content.file(entry, secret)).code).toBe('catalog_broken')
    expect(failure(await bob.content.body(entry)).code).toBe('catalog_broken')
    expect(failure(await bob.content.file({ ...entry, category: 'public' }, secret)).code).toBe(
      'catalog_broken',
    )
    expect(failure(await patchSkill(bob.catalog, build, 'own', { digest: entry.digest })).code).toBe(
      'not_found',
    )
  })
})
