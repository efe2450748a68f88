// Guards tools in the catalog: one version covers skills and tools, conflicts change nothing, earlier versions are
// kept, and a catalog without tools has unchanged bytes.

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/lib/bytes.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import type { Result } from '../../src/lib/result.ts'
import { TOOLS_BYTES_MAX, TOOLS_ENABLED_MAX } from '../../src/skills/catalog/limits.ts'
import type { Changed, Expect, Operation } from '../../src/skills/catalog/api.ts'
import type { NewTool } from '../../src/skills/catalog/tools-api.ts'
import type { SkillIndex, ToolEntry } from '../../src/skills/skill.ts'
import { AUTHOR, failure, openWorkspace, patchSkill, value } from './catalog-fixture.ts'
import type { TestWorkspace } from './catalog-fixture.ts'
import { seedBuild } from './seed-build.ts'

const alpha = { name: 'alpha' }

async function tool(name: string, description = 'Finds things.', expected?: Expect): Promise<NewTool> {
  // The keys are out of order: equal values are stored as equal bytes.
  const definition = {
    name,
    description,
    request: { url: 'https://api.example.com/{{input.id}}', method: 'GET' },
  }
  const digest = await sha256Hex(canonicalJson(definition))
  return { name, digest, definition, ...(expected === undefined ? {} : { expect: expected }) }
}

async function builtIn(name: string): Promise<ToolEntry> {
  const { definition, digest } = await tool(name, 'Comes with the build.')
  return { name, digest, definition, enabled: true, source: 'build', updated_at: null }
}

function change(
  { catalog }: TestWorkspace,
  build: string,
  operation: Operation,
  more: { dryRun?: boolean; over?: number } = {},
): Promise<Result<Changed>> {
  return catalog.change({ author: AUTHOR, build, dryRun: false, ...more, operation })
}

async function put(workspace: TestWorkspace, build: string, ...tools: readonly NewTool[]): Promise<Changed> {
  return value(await change(workspace, build, { kind: 'upsert-tools', tools, note: null }))
}

async function indexNow({ catalog, content }: TestWorkspace, build: string): Promise<SkillIndex> {
  return value(await content.index(value(await catalog.live(build)).index))
}

async function toolsNow(workspace: TestWorkspace, build: string): Promise<readonly unknown[]> {
  const { tools = [] } = await indexNow(workspace, build)
  return tools.map(({ name, digest, enabled, source }) => [name, digest, enabled, source])
}

describe('an upserted tool', () => {
  it('is in the index beside the skills, in one version, and leaves no trace in its bytes when it is removed', async () => {
    const workspace = openWorkspace('tools-1')
    const build = await seedBuild(env, [alpha])
    const before = value(await workspace.catalog.live(build))
    expect(before.index).toBe(build)
    const [b, a] = [await tool('beta_tool'), await tool('alpha_tool')]
    const done = await put(workspace, build, b, a)
    expect(done.version).toBe(before.version + 1)
    expect(done.toolChanges).toEqual({
      added: ['alpha_tool', 'beta_tool'],
      changed: [],
      removed: [],
      switched: [],
    })
    expect(await toolsNow(workspace, build)).toEqual([
      ['alpha_tool', a.digest, true, 'workspace'],
      ['beta_tool', b.digest, true, 'workspace'],
    ])
    await evictDurableObject(workspace.stub)
    expect((await put(workspace, build, a)).version).toBe(done.version)
    for (const name of ['alpha_tool', 'beta_tool'])
      value(await change(workspace, build, { kind: 'delete-tool', tool: name }))
    expect(value(await workspace.catalog.live(build)).index).toBe(build)
    const versions = value(await workspace.catalog.catalogVersions(9, null))
    expect(versions.map(({ action, changed }) => [action, changed])).toEqual([
      ['unpublish', { count: 0, names: [], tools: { count: 1, names: ['beta_tool'] } }],
      ['unpublish', { count: 0, names: [], tools: { count: 1, names: ['alpha_tool'] } }],
      ['put', { count: 0, names: [], tools: { count: 2, names: ['beta_tool', 'alpha_tool'] } }],
      ['build', { count: 0, names: [] }],
    ])
  })

  it('keeps its switch over versions and its history, and rolls back as a skill does', async () => {
    const workspace = openWorkspace('tools-2')
    const { catalog } = workspace
    const build = await seedBuild(env, [alpha])
    const [one, two] = [await tool('find', 'One.'), await tool('find', 'Two.')]
    await put(workspace, build, one)
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'find', enabled: false }))
    const second = await put(workspace, build, two)
    expect(second.tools).toEqual([expect.objectContaining({ digest: two.digest, enabled: false })])
    const back = value(await change(workspace, build, { kind: 'rollback-tool', tool: 'find', to: -1 }))
    expect(back.tools[0]).toMatchObject({ digest: one.digest, definition: one.definition })
    expect(
      failure(await change(workspace, build, { kind: 'rollback-tool', tool: 'find', to: -1 })).code,
    ).toBe('invalid_request')
    value(await change(workspace, build, { kind: 'delete-tool', tool: 'find' }))
    value(await change(workspace, build, { kind: 'rollback-tool', tool: 'find', to: two.digest }))
    const { items } = value(await catalog.history('find', 9, null, 'tool'))
    expect(items.map(({ action, author, before, after }) => [action, author, before, after])).toEqual([
      ['rollback', AUTHOR, null, two.digest],
      ['unpublish', AUTHOR, one.digest, null],
      ['rollback', AUTHOR, two.digest, one.digest],
      ['put', AUTHOR, one.digest, two.digest],
      ['disable', AUTHOR, one.digest, one.digest],
      ['put', AUTHOR, null, one.digest],
    ])
    expect(value(await catalog.history('find', 9, null)).items).toEqual([])
    expect(value(await catalog.toolVersions('find')).map(({ digest, live }) => [digest, live])).toEqual([
      [two.digest, true],
      [one.digest, false],
    ])
    expect(value(await catalog.toolVersion('find', one.digest)).definition).toEqual(one.definition)
    expect(failure(await catalog.toolVersion('find', 'a'.repeat(64))).code).toBe('not_found')
  })

  it('replaces that of the build, which returns when it is removed, with a separate switch', async () => {
    const workspace = openWorkspace('tools-3')
    const given = await builtIn('find')
    const build = await seedBuild(env, [alpha], [], [given])
    expect(value(await workspace.catalog.live(build)).index).toBe(build)
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'find', enabled: false }))
    expect(await toolsNow(workspace, build)).toEqual([['find', given.digest, false, 'build']])
    for (const kind of ['delete-tool', 'rollback-tool'] as const) {
      const refused = failure(await change(workspace, build, { kind, tool: 'find', to: -1 }))
      expect(refused).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('build') })
    }
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'find', enabled: true }))
    expect(value(await workspace.catalog.live(build)).index).toBe(build)
    const ours = await tool('find', 'Ours.')
    await put(workspace, build, ours)
    expect(await toolsNow(workspace, build)).toEqual([['find', ours.digest, true, 'workspace']])
    const gone = value(await change(workspace, build, { kind: 'delete-tool', tool: 'find' }))
    expect(gone.tools[0]).toMatchObject({ source: 'build' })
    expect(gone.index).toBe(build)
  })

  it('from the build is approved there, over switches, but not under a name that was replaced', async () => {
    const workspace = openWorkspace('tools-8')
    const given = await builtIn('mcp:notes')
    const build = await seedBuild(env, [alpha], [], [given])
    const approved = { url: 'https://notes.example.com/mcp' }
    const approvedNow = async (): Promise<unknown> => (await indexNow(workspace, build)).tools?.[0]?.approved
    value(await change(workspace, build, { kind: 'approve-tool', tool: 'mcp:notes', approved }))
    for (const enabled of [false, true])
      value(await change(workspace, build, { kind: 'patch-tool', tool: 'mcp:notes', enabled }))
    await evictDurableObject(workspace.stub)
    expect(await toolsNow(workspace, build)).toEqual([['mcp:notes', given.digest, true, 'build']])
    expect(await approvedNow()).toEqual(approved)
    await put(workspace, build, await tool('mcp:notes', 'Ours.'))
    expect(await approvedNow()).toBeUndefined()
    value(await change(workspace, build, { kind: 'delete-tool', tool: 'mcp:notes' }))
    expect(await approvedNow()).toEqual(approved)
  })
})

describe('a change of tools', () => {
  it('that expects another version or another catalog version changes nothing', async () => {
    const workspace = openWorkspace('tools-4')
    const build = await seedBuild(env, [alpha])
    const [one, two] = [await tool('find', 'One.'), await tool('find', 'Two.')]
    await put(workspace, build, one)
    const before = value(await workspace.catalog.live(build))
    for (const wanted of [null, 'f'.repeat(64), two.digest])
      for (const operation of [
        { kind: 'upsert-tools', tools: [await tool('other'), { ...two, expect: wanted }], note: null },
        { kind: 'patch-tool', tool: 'find', enabled: false, expect: wanted },
        { kind: 'rollback-tool', tool: 'find', to: -1, expect: wanted },
        { kind: 'delete-tool', tool: 'find', expect: wanted },
      ] as const)
        expect(failure(await change(workspace, build, operation)).code).toBe('stale_version')
    const operation = { kind: 'patch-tool', tool: 'find', enabled: false } as const
    const late = await change(workspace, build, operation, { over: before.version - 1 })
    expect(failure(late).code).toBe('stale_version')
    expect(value(await workspace.catalog.live(build))).toEqual(before)
    await put(workspace, build, { ...two, expect: one.digest })
    // The answer was lost and the request is sent again: it is already done.
    await put(workspace, build, { ...two, expect: one.digest })
  })

  it('on a dry run returns the same answer, and changes nothing', async () => {
    const workspace = openWorkspace('tools-5')
    const build = await seedBuild(env, [alpha])
    const { version } = await put(workspace, build, await tool('find', 'One.'))
    const wishes: readonly Operation[] = [
      { kind: 'upsert-tools', tools: [await tool('find', 'Two.'), await tool('other')], note: 'n' },
      { kind: 'patch-tool', tool: 'find', enabled: false },
      { kind: 'rollback-tool', tool: 'find', to: -1 },
      { kind: 'delete-tool', tool: 'find' },
      { kind: 'restore', version, note: null, tools: true },
    ]
    for (const operation of wishes) {
      const before = value(await workspace.catalog.live(build))
      const tried = value(await change(workspace, build, operation, { dryRun: true }))
      expect(value(await workspace.catalog.live(build))).toEqual(before)
      const done = value(await change(workspace, build, operation))
      expect(done.version).toBe(before.version + 1)
      expect(done.toolChanges).toEqual(tried.toolChanges)
      expect(done.tools.map((one) => one?.digest)).toEqual(tried.tools.map((one) => one?.digest))
    }
  })

  it('of one name, twenty times at once, is twenty versions; of those that expect none, one wins', async () => {
    const workspace = openWorkspace('tools-6')
    const build = await seedBuild(env, [alpha])
    const tools = await Promise.all(Array.from({ length: 20 }, (_, at) => tool('find', `Number ${at}.`)))
    const all = await Promise.all(tools.map((one) => put(workspace, build, one)))
    expect(new Set(all.map(({ version }) => version)).size).toBe(20)
    const fresh = await Promise.all(tools.map((one, at) => tool('new', `${at}`, one && null)))
    const results = await Promise.all(
      fresh.map((one) => change(workspace, build, { kind: 'upsert-tools', tools: [one], note: null })),
    )
    expect(results.filter((result) => result.ok)).toHaveLength(1)
  })

  it('beyond the limits of new threads is refused with the reason, and unpublishing is always possible', async () => {
    const workspace = openWorkspace('tools-7')
    const build = await seedBuild(env, [alpha])
    const many = await Promise.all(Array.from({ length: TOOLS_ENABLED_MAX }, (_, at) => tool(`t${at}`)))
    await put(workspace, build, ...many)
    const more = await change(workspace, build, {
      kind: 'upsert-tools',
      tools: [await tool('more')],
      note: null,
    })
    expect(failure(more).detail).toContain(String(TOOLS_ENABLED_MAX))
    value(await change(workspace, build, { kind: 'patch-tool', tool: 't0', enabled: false }))
    await put(workspace, build, await tool('more'))
    value(await change(workspace, build, { kind: 'delete-tool', tool: 't1' }))
    const huge = await tool('huge', 'x'.repeat(TOOLS_BYTES_MAX))
    const large = await change(workspace, build, { kind: 'upsert-tools', tools: [huge], note: null })
    expect(failure(large).detail).toContain(String(TOOLS_BYTES_MAX))
    const [first] = many
    const twice = first ? [first, first] : []
    expect(
      failure(await change(workspace, build, { kind: 'upsert-tools', tools: twice, note: null })).code,
    ).toBe('invalid_request')
  })

  it('of an unknown tool suggests similar names', async () => {
    const workspace = openWorkspace('tools-8')
    const build = await seedBuild(env, [alpha])
    await put(workspace, build, await tool('get_ticket'))
    const near = await change(workspace, build, { kind: 'patch-tool', tool: 'get_tickets', enabled: false })
    expect(failure(near)).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('get_ticket'),
    })
  })
})

describe('restoring a catalog', () => {
  it('restores tools and their switches for an admin, and keeps them for a publisher', async () => {
    const workspace = openWorkspace('tools-9')
    const given = await builtIn('given')
    const build = await seedBuild(env, [alpha], [], [given])
    const [kept, old, gone] = [await tool('kept'), await tool('moves', 'Old.'), await tool('gone')]
    await put(workspace, build, kept, old, gone)
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'kept', enabled: false }))
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'given', enabled: false }))
    const { version } = value(await patchSkill(workspace.catalog, build, 'alpha', { enabled: false }))
    const before = await toolsNow(workspace, build)

    await put(workspace, build, await tool('moves', 'New.'), await tool('newer'))
    value(await change(workspace, build, { kind: 'delete-tool', tool: 'gone' }))
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'kept', enabled: true }))
    value(await change(workspace, build, { kind: 'patch-tool', tool: 'given', enabled: true }))
    const last = value(await patchSkill(workspace.catalog, build, 'alpha', { enabled: true }))
    const after = await toolsNow(workspace, build)

    const restore = { kind: 'restore', version, note: 'as then' } as const
    const publishers = value(await change(workspace, build, { ...restore, tools: false }))
    expect(publishers.version).toBe(last.version + 1)
    expect(publishers.changes.switched).toEqual(['alpha'])
    expect(await toolsNow(workspace, build)).toEqual(after)

    await evictDurableObject(workspace.stub)
    const admins = value(await change(workspace, build, { ...restore, tools: true }))
    expect(admins.version).toBe(publishers.version + 1)
    expect(admins.toolChanges).toEqual({
      added: ['gone'],
      changed: ['moves'],
      removed: ['newer'],
      switched: ['given', 'kept'],
    })
    expect(await toolsNow(workspace, build)).toEqual(before)
    const again = value(await change(workspace, build, { ...restore, tools: true }))
    expect(again.version).toBe(admins.version)
    const { items } = value(await workspace.catalog.history('kept', 1, null, 'tool'))
    expect(items[0]).toMatchObject({ action: 'restore', also: ['disable'], note: 'as then' })
  })
})
