// Guards the definitions of many tools in the catalog: they are beside its index, complete in every reading, follow
// rollbacks and restores, and objects that no version refers to are swept.

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import { SWEEP_AFTER_MS, TOOLS_BYTES_MAX } from '../../src/skills/catalog/limits.ts'
import type { Changed, Operation } from '../../src/skills/catalog/api.ts'
import { CatalogCore } from '../../src/skills/catalog/core.ts'
import { planTools } from '../../src/skills/catalog/plan-tool.ts'
import type { NewTool } from '../../src/skills/catalog/tools-api.ts'
import type { ToolEntry, WholeTool } from '../../src/skills/skill.ts'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { indexKey } from '../../src/skills/store/keys.ts'
import type { SkillStores } from '../../src/skills/store/store.ts'
import { AUTHOR, failure, openWorkspace, value } from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const KILOBYTE = 'Finds what was asked for in the records of a team. '.repeat(20)
const URL = 'https://crm.example.com/mcp'

async function tool(name: string, description = KILOBYTE): Promise<NewTool> {
  const definition = {
    name,
    description,
    group: 'records',
    effect: 'read',
    request: { url: 'https://x.com' },
  }
  return { name, digest: await sha256Hex(canonicalJson(definition)), definition }
}

function approvalOf(count: number, kilobytes: number): NonNullable<ToolEntry['approved']> {
  const description = KILOBYTE.repeat(kilobytes)
  const tools = Array.from({ length: count }, (_, at) => ({
    name: `t${at}`,
    tool: `mcp_crm_t${at}`,
    description,
  }))
  return { url: URL, digest: 'd'.repeat(64), tools }
}

function change({ catalog }: TestWorkspace, build: string, operation: Operation): Promise<Changed> {
  return catalog.change({ author: AUTHOR, build, dryRun: false, operation }).then(value)
}

/** The tools of the live index, and the same with their definitions, read by an isolate that knows nothing. */
async function read(
  name: string,
  build: string,
): Promise<{ readonly brief: readonly ToolEntry[]; readonly whole: readonly WholeTool[] }> {
  const { catalog, content } = openWorkspace(name)
  const { tools = [] } = value(await content.index(value(await catalog.live(build)).index))
  return { brief: tools, whole: value(await content.wholeTools(tools)) }
}

describe('many definitions', () => {
  it('of 8 MiB, 6 of one server, are stored and read back whole, and one byte more is refused', async () => {
    const name = 'details-1'
    const workspace = openWorkspace(name)
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const tools = await Promise.all(Array.from({ length: 1_000 }, (_, at) => tool(`find_${at}`)))
    const server = { ...(await tool('mcp:crm')), definition: { url: URL } }
    await change(workspace, build, { kind: 'upsert-tools', tools: [...tools, server], note: null })
    const approved = approvalOf(500, 12)
    await change(workspace, build, { kind: 'approve-tool', tool: 'mcp:crm', approved })
    await evictDurableObject(workspace.stub)
    const { brief, whole } = await read(name, build)
    expect(JSON.stringify(brief).length).toBeLessThan(1_000_000)
    expect(JSON.stringify(whole).length).toBeGreaterThan(7_000_000)
    expect(whole.find((one) => one.name === 'mcp:crm')?.approved).toEqual(approved)
    expect(whole.find((one) => one.name === 'find_999')?.definition).toEqual(tools[999]?.definition)
    const [entry] = value(await workspace.catalog.toolEntries(build, ['mcp:crm']))
    expect(entry?.approved).toEqual(approved)
    const more = { kind: 'approve-tool', tool: 'mcp:crm', approved: approvalOf(600, 12) } as const
    const refused = await workspace.catalog.change({ author: AUTHOR, build, dryRun: false, operation: more })
    expect(failure(refused).detail).toContain(String(TOOLS_BYTES_MAX))
  })

  it('follow a rollback, a switch and a restore; approvals belong to no version', async () => {
    const name = 'details-2'
    const workspace = openWorkspace(name)
    const given = await Promise.all(Array.from({ length: 40 }, (_, at) => tool(`given_${at}`)))
    const ofBuild = given.map(
      (one) => ({ ...one, enabled: true, source: 'build', updated_at: null }) as const,
    )
    const build = await seedBuild(env, [{ name: 'alpha' }], [], ofBuild)
    const own = await Promise.all(Array.from({ length: 40 }, (_, at) => tool(`own_${at}`)))
    const server = { ...(await tool('mcp:crm')), definition: { url: URL } }
    const first = await change(workspace, build, {
      kind: 'upsert-tools',
      tools: [...own, server],
      note: null,
    })
    const approved = approvalOf(50, 1)
    await change(workspace, build, { kind: 'approve-tool', tool: 'mcp:crm', approved })
    const [off] = (await change(workspace, build, { kind: 'patch-tool', tool: 'given_7', enabled: false }))
      .tools
    expect(off).toMatchObject({ enabled: false, definition: given[7]?.definition })
    const other = await tool('own_7', 'Does something else.')
    await change(workspace, build, { kind: 'upsert-tools', tools: [other], note: null })
    const definitionOf = async (of: string): Promise<unknown> =>
      (await read(name, build)).whole.find((one) => one.name === of)?.definition
    expect(await definitionOf('own_7')).toEqual(other.definition)
    await change(workspace, build, { kind: 'rollback-tool', tool: 'own_7', to: -1 })
    expect(await definitionOf('own_7')).toEqual(own[7]?.definition)
    await change(workspace, build, { kind: 'restore', version: first.version, note: null, tools: true })
    const { brief, whole } = await read(name, build)
    expect(brief.every(({ details }) => details !== undefined)).toBe(true)
    expect(whole.map((one) => one.name)).toHaveLength(81)
    expect(whole.find((one) => one.name === 'given_7')).toMatchObject({
      enabled: true,
      definition: given[7]?.definition,
    })
    expect(whole.find((one) => one.name === 'mcp:crm')?.approved).toEqual(approved)
    await change(workspace, build, { kind: 'delete-tool', tool: 'mcp:crm' })
    await change(workspace, build, { kind: 'rollback-tool', tool: 'mcp:crm', to: -1 })
    await evictDurableObject(workspace.stub)
    expect((await read(name, build)).whole.find((one) => one.name === 'mcp:crm')?.approved).toBeUndefined()
  })

  it('written for a change that was never made are swept after a day, and no others', async () => {
    const name = 'details-3'
    const workspace = openWorkspace(name)
    const build = await seedBuild(env, [{ name: 'alpha' }])
    const tools = await Promise.all(Array.from({ length: 40 }, (_, at) => tool(`find_${at}`)))
    await change(workspace, build, { kind: 'upsert-tools', tools, note: null })
    const count = async (): Promise<number> =>
      (await env.RESOURCES.list({ prefix: `ws/${name}/` })).objects.length
    const before = await count()
    const written: string[] = []
    await runInDurableObject(workspace.stub, async (_, state) => {
      const stores = skillStores(env)
      const bodies: SkillStores['bodies'] = {
        ...stores.bodies,
        async put(key, bytes) {
          await stores.bodies.put(key, bytes)
          written.push(key)
          throw new Error('the store is down')
        },
      }
      const core = (now: number): CatalogCore =>
        new CatalogCore({
          workspace: name,
          storage: state.storage,
          stores: { ...stores, bodies },
          content: contentReader(stores, name, isolateCache()),
          deleter: {
            blobs: (keys) => env.RESOURCES.delete([...keys]),
            text: (key) => env.SKILLS.delete(key),
          },
          clock: () => now,
        })
      const plan = planTools({ kind: 'upsert-tools', tools: [await tool('more')], note: null })
      const done = await core(Date.now()).change({ author: AUTHOR, build, dryRun: false }, plan)
      expect(failure(done).code).toBe('overloaded')
      expect(await count()).toBe(before + 2)
      await core(Date.now() + SWEEP_AFTER_MS + 1).sweep()
    })
    expect(await count()).toBe(before)
    for (const key of written) expect(await env.SKILLS.get(key)).toBeNull()
    const { brief, whole } = await read(name, build)
    expect(await env.SKILLS.get(indexKey(brief[0]?.details?.sha256 ?? ''))).not.toBeNull()
    expect(whole).toHaveLength(40)
  })
})
