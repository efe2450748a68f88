// Guards the size of a catalog's index: no change exceeds the limit, and an index that is too large can always shrink.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import type { Result } from '../../src/lib/result.ts'
import { CatalogCore } from '../../src/skills/catalog/core.ts'
import { planCommit, planRestore } from '../../src/skills/catalog/plan-many.ts'
import { planSkill } from '../../src/skills/catalog/plan-skill.ts'
import { planTools } from '../../src/skills/catalog/plan-tool.ts'
import type { Plan } from '../../src/skills/catalog/plan.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { indexSize, type IndexSize } from '../../src/skills/store/index-size.ts'
import { AUTHOR, failure, openWorkspace, unpublishSkill, value } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const alpha = { name: 'alpha' }
const beta = { name: 'beta' }

describe('a catalog whose index has the maximum size', () => {
  const deleter = { blobs: async () => undefined, text: async () => undefined }
  /** Runs `work` on the rows of a workspace under another limit. */
  const bounded = async (
    workspace: string,
    max: IndexSize,
    work: (
      change: (plan: Plan, dryRun?: boolean) => Promise<Result<unknown>>,
      core: CatalogCore,
    ) => Promise<void>,
    build: string,
  ): Promise<void> =>
    runInDurableObject(openWorkspace(workspace).stub, async (_, { storage }) => {
      const stores = skillStores(env)
      const content = contentReader(stores, workspace, isolateCache())
      const core = new CatalogCore(
        { workspace, storage, stores, content, deleter: deleter, clock: Date.now },
        max,
      )
      await work((plan, dryRun = false) => core.change({ author: AUTHOR, build, dryRun }, plan), core)
    })

  it('refuses changes that would make it larger, says so on a dry run, and can shrink', async () => {
    const { catalog, publish, content } = openWorkspace('large-1')
    const build = await seedBuild(env, [alpha, beta])
    const { digest } = value(await publish(build, { name: 'own' })).skill
    const target = value(await content.index(value(await catalog.live(build)).index))
    const entry = value(await catalog.version('own', digest))
    value(await unpublishSkill(catalog, build, 'own'))
    const size = indexSize(value(await content.index(build)))
    const definition = { name: 'tool', description: 'Finds things.' }
    const tools = [{ name: 'tool', digest: await sha256Hex(canonicalJson(definition)), definition }]
    const version = { entry, files: [], findings: [], note: null, expect: null }
    const back = planSkill({ kind: 'rollback', skill: 'own', to: -1 })
    const adding = [
      planCommit({ skills: [version], unpublish: [], note: null }),
      back,
      planSkill({ kind: 'patch', skill: 'own', patch: { digest } }),
      planRestore(target, null, true),
    ]
    for (const max of [
      { ...size, skills: 99 },
      { ...size, bytes: 99_999 },
    ])
      await bounded(
        'large-1',
        max,
        async (change, core) => {
          const live = value(await core.live(build))
          const plans =
            max.skills === 99 ? [...adding, planTools({ kind: 'upsert-tools', tools, note: null })] : adding
          for (const plan of plans)
            for (const dryRun of [true, false])
              expect(failure(await change(plan, dryRun))).toMatchObject({
                code: 'too_large',
                detail: expect.stringMatching(/would have \d+ .* limit is \d+.*Unpublish/),
              })
          expect(value(await core.live(build))).toEqual(live)
          for (const enabled of [false, true])
            value(await change(planSkill({ kind: 'patch', skill: 'beta', patch: { enabled } })))
        },
        build,
      )
  })

  it('above the maximum, as a new build may make it, is served and can shrink step by step', async () => {
    const { catalog, publish } = openWorkspace('large-2')
    value(await publish(await seedBuild(env, [alpha]), { name: 'own' }))
    const build = await seedBuild(env, [alpha, beta])
    await bounded(
      'large-2',
      { skills: 1, bytes: 1 },
      async (change, core) => {
        expect(value(await core.live(build)).version).toBeGreaterThan(1)
        value(await change(planSkill({ kind: 'patch', skill: 'own', patch: { enabled: false } })))
        value(await change(planSkill({ kind: 'unpublish', skill: 'own' })))
        const back = planSkill({ kind: 'rollback', skill: 'own', to: -1 })
        expect(failure(await change(back)).code).toBe('too_large')
      },
      build,
    )
    expect(value(await catalog.live(build)).index).toBe(build)
  })
})
