// Guards "what a team uses keeps its description": a run reports its loaded skills to the catalog, each once and after
// the answer. New threads list skills by use, existing threads do not change, and nothing waits for the report.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mostUsed } from '../../src/skills/catalog/use-rows.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { Thread } from '../../src/thread/thread.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import { requested, chat, foreignKey, got, modelReplies, refused, send, type Chatted } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { HOP_MS, Watch } from './hops.ts'
import { manyEntries } from './many-skills.ts'
import { seedBuild } from './seed-build.ts'

const watch = new Watch()
const bindings = watch.bindings(env)
/** Hops that were finished when the model was called. */
let hops: readonly string[] = []
let workspace = ''
let key = ''
let workspaces = 0

const scripted = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    const api = scripted.call(this)
    return { ...portsOf({ ...env, ...bindings }), models: api.models }
  },
})

beforeAll(async () => {
  const real = ['x-deploy', 'x-review', 'x-write'].map((name) => ({
    name,
    files: { 'references/a.md': 'A.' },
  }))
  servePushedBuild(await seedBuild(env, real, manyEntries(1_000)))
})

beforeEach(async () => {
  watch.hopMs = 0
  workspace = `uses${++workspaces}`
  key = await foreignKey(workspace, 'chat')
})

/** Sends a message in the test's own workspace. The model makes these calls, one per step, and answers. */
async function ask(
  message: string,
  calls: readonly { readonly name: string; readonly input: object }[] = [],
  more: object = {},
): Promise<Chatted> {
  let step = 0
  modelReplies(() => {
    if (step === 0) hops = watch.chain()
    const call = calls[step++]
    return call ? { calls: [call] } : { text: 'Done.' }
  })
  watch.clear()
  const done = await chat({ message, ...more }, { key, env: bindings })
  expect(done.last?.type).toBe('run.completed')
  return done
}

const load = (name: string) => ({ name: 'load_skill', input: { name } })
const read = (path: string) => ({ name: 'read_file', input: { path: `/mnt/skills/public/${path}` } })

/** The names of used skills with their counts, all from today. */
async function uses(): Promise<Readonly<Record<string, number>>> {
  return runInDurableObject(env.CATALOGS.getByName(workspace), (_, { storage: { sql } }) => {
    const today = Math.floor(Date.now() / 86_400_000) / 30
    const rows = sql.exec<{ name: string; heat: number }>('SELECT name, heat FROM skill_use ORDER BY name')
    return Object.fromEntries(Array.from(rows, ({ name, heat }) => [name, Math.round(2 ** (heat - today))]))
  })
}

/** Polls, because runs are reported after their answers. */
async function counted(expected: Readonly<Record<string, number>>): Promise<void> {
  let last: unknown
  await eventually(async () => {
    last = await uses()
    return JSON.stringify(last) === JSON.stringify(expected)
  }).catch(() => expect(last).toEqual(expected))
}

/** Makes everything counted once a day belong to the previous day. */
async function nextDay(): Promise<void> {
  await runInDurableObject(env.CATALOGS.getByName(workspace), (_, { storage: { sql } }) => {
    sql.exec('UPDATE skill_use_day SET day = day - 1')
  })
}

/** The described skills in the system prompt that the model got last. */
function described(): readonly string[] {
  return Array.from(
    (requested.at(-1)?.system ?? '').matchAll(/<skill>\n<name>(.*)<\/name>/g),
    (match) => match[1] ?? '',
  )
}

describe('a run', () => {
  it('counts each skill that the model loaded, by tool or by reading SKILL.md, once', async () => {
    await ask('One.', [
      load('x-review'),
      load('x-review'),
      read('x-write/SKILL.md'),
      read('x-review/SKILL.md'),
    ])
    await counted({ 'x-review': 1, 'x-write': 1 })
    key = await foreignKey(workspace, 'chat')
    await ask('Two.', [load('x-review')])
    await counted({ 'x-review': 2, 'x-write': 1 })
    const listed = await got<{ data: { name: string }[]; next_cursor: null }>(
      send('GET /v1/skills?for=person&order=use&limit=2', { key }),
    )
    expect(listed).toMatchObject({ data: [{ name: 'x-review' }, { name: 'x-write' }], next_cursor: null })
    await refused(send('GET /v1/skills?order=size', { key }), 422, 'invalid_request')
  })

  it('does not count a skill that a run of the same key counted today, in any thread', async () => {
    for (let message = 0; message < 5; message++) await ask('/x-deploy it')
    await ask('/x-write')
    await counted({ 'x-deploy': 1, 'x-write': 1 })
    await nextDay()
    await ask('/x-deploy it')
    await counted({ 'x-deploy': 2, 'x-write': 1 })
  })

  it('counts for a person, not for each of their keys', async () => {
    for (const message of ['/x-deploy it', '/x-deploy it again', '/x-write']) {
      key = await foreignKey(workspace, 'chat', 'ann')
      await ask(message)
    }
    await counted({ 'x-deploy': 1, 'x-write': 1 })
  })

  it('counts skills called by a person, by slash or by request, even if the model loads them, too', async () => {
    await ask('/x-deploy it', [load('x-deploy')], { skills: { load: ['x-write'] } })
    await counted({ 'x-deploy': 1, 'x-write': 1 })
  })

  it('counts a skill again even if its instructions are already in the thread', async () => {
    const { thread } = await ask('/x-deploy it')
    await counted({ 'x-deploy': 1 })
    await nextDay()
    await ask('/x-deploy it again', [], { thread_id: thread })
    await counted({ 'x-deploy': 2 })
  })

  it('counts nothing when it is refused because its budget covers no answer', async () => {
    const body = { message: '/x-deploy it', budget: { tokens: 1 } }
    await refused(send('POST /v1/chat', { key, body, env: bindings }), 422, 'invalid_request')
    await ask('/x-write')
    await counted({ 'x-write': 1 })
  })

  it('counts no references, no failed loads, and no listings', async () => {
    await ask('One.', [read('x-review/references/a.md'), load('no-such-skill')])
    await ask('/x-write')
    await counted({ 'x-write': 1 })
  })
})

describe('a thread', () => {
  it('that is new describes the used skills; an existing one stays as it was', async () => {
    const old = await ask('One.', [load('x-write')])
    const before = requested[0]?.system
    expect(described()).not.toContain('x-write')
    await counted({ 'x-write': 1 })
    await ask('Two.')
    expect(described()).toEqual(['x-write'])
    await ask('Three.', [], { thread_id: old.thread })
    expect(requested.at(-1)?.system).toBe(before)
  })

  it('of another workspace is not affected', async () => {
    await ask('/x-write')
    await counted({ 'x-write': 1 })
    key = await foreignKey(`${workspace}-b`, 'chat')
    await ask('One.')
    expect(described()).toEqual([])
  })

  it('waits for the same two hops and reads nothing more, whether its isolate knows the ranking or not', async () => {
    watch.hopMs = HOP_MS
    const expectHops = (): void => expect(hops).toEqual(['thread.start', 'catalog.live'])
    await ask('Warm.')
    await ask('Unused.')
    expectHops()
    const unused = watch.reads.kv.length + watch.reads.r2.length
    await ask('/x-write')
    await counted({ 'x-write': 1 })
    await ask('New here.')
    expect(described()).toEqual(['x-write'])
    expectHops()
    expect(watch.reads.kv.length + watch.reads.r2.length).toBe(unused)
    await ask('Known.')
    expect(described()).toEqual(['x-write'])
    expectHops()
    expect(
      await runInDurableObject(env.CATALOGS.getByName(workspace), (_, { storage }) => mostUsed(storage.sql)),
    ).toEqual(['x-write'])
  })
})

describe('a publisher', () => {
  it('sees what is used most, and its size', async () => {
    const publisher = await foreignKey(workspace, 'publisher')
    const catalog = () => got(send('GET /admin/catalog', { key: publisher }))
    expect(await catalog()).not.toHaveProperty('used')
    await ask('One.', [load('x-write'), load('x-review')])
    key = await foreignKey(workspace, 'chat')
    await ask('/x-write')
    await counted({ 'x-review': 1, 'x-write': 2 })
    expect(await catalog()).toMatchObject({
      used: [
        { name: 'x-write', uses: 2 },
        { name: 'x-review', uses: 1 },
      ],
    })
  })
})
