// Guards that a run starts as fast with ten thousand skills as with eight: warm, it waits for two object calls and
// reads neither KV nor R2; cold, it reads three values. Level 1 stays within its budget, and a published skill is in
// the next run.

import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { contentReader, isolateCache } from '../../src/skills/store/content-reader.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { DEMO_CONTEXT_WINDOW_TOKENS } from '../../src/model/limits.ts'
import { indexBudget } from '../../src/skills/view/section.ts'
import { servePushedBuild } from '../../src/skills/current-build.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { portsOf } from '../../src/thread/ports.ts'
import { Thread } from '../../src/thread/thread.ts'
import { requested, chat, makeKey, modelReplies, publish, type Chatted } from './api-fixture.ts'
import { Watch } from './hops.ts'
import { manyEntries } from './many-skills.ts'
import { seedBuild } from './seed-build.ts'

const COUNT = 10_000

const watch = new Watch()
const bindings = watch.bindings(env)
let isolate = isolateCache()
/** What had finished when the model was called: the sequence of hops, and the reads. */
let before: { readonly hops: readonly string[]; readonly kv: number; readonly r2: number }[] = []
let key = ''

// Every thread of this file uses recorded bindings and the content cache of a new isolate.
const scripted = Reflect.get(Thread.prototype, 'ports') as (this: Thread) => ThreadPorts
Object.defineProperty(Thread.prototype, 'ports', {
  value(this: Thread): ThreadPorts {
    const api = scripted.call(this)
    return {
      ...portsOf({ ...env, ...bindings }),
      models: api.models,
      index: (workspace, sha256) => contentReader(skillStores(bindings), workspace, isolate).index(sha256),
    }
  },
})

beforeAll(async () => {
  servePushedBuild(await seedBuild(env, [{ name: 'alpha' }], manyEntries(COUNT)))
  key = (await makeKey('chat')).key
})

beforeEach(() => {
  before = []
  modelReplies(() => {
    before.push({ hops: watch.chain(), kv: watch.reads.kv.length, r2: watch.reads.r2.length })
    return { text: 'Done.' }
  })
  watch.clear()
})

async function ask(thread?: string, from = key): Promise<Chatted> {
  watch.clear()
  const done = await chat(
    { message: 'Do it.', ...(thread === undefined ? {} : { thread_id: thread }) },
    { key: from, env: bindings },
  )
  expect(done.last?.type).toBe('run.completed')
  return done
}

it('a cold run reads three values of KV and nothing of R2', async () => {
  await ask() // afterwards the catalog itself has read everything that it needs of the build
  isolate = isolateCache()
  await ask()
  expect(before.at(-1)).toMatchObject({ kv: 3, r2: 0 })
  expect(new Set(watch.reads.kv).size).toBe(3)
})

it('a warm run reads nothing and waits for two hops: to its thread, and from there to the catalog', async () => {
  const { thread } = await ask()
  await ask()
  expect(before.at(-1)).toEqual({ hops: ['thread.start', 'catalog.live'], kv: 0, r2: 0 })
  await ask(thread)
  expect(before.at(-1)).toEqual({ hops: ['thread.start', 'catalog.live'], kv: 0, r2: 0 })
})

it('asks the workspace for a slot while it asks the catalog, and nothing else waits for it', async () => {
  const { thread } = await ask()
  await ask(thread)
  // The creation of a thread is reported at some later time; nothing waits for it.
  const beside = watch.beside('catalog.live').filter((hop) => hop !== 'workspace.record')
  expect(beside).toEqual(['workspace.admit'])
})

it('a key that is new to this isolate takes one more hop, which shows that hops are counted', async () => {
  await ask()
  await ask(undefined, (await makeKey('chat')).key)
  expect(before.at(-1)?.hops).toEqual(['workspace.verifyKey', 'thread.start', 'catalog.live'])
})

it('level 1 keeps its budget, and says how many skills it omits', async () => {
  await ask()
  const system = requested.at(-1)?.system ?? ''
  const list = /<available_skills>.*<\/available_skills>/s.exec(system)?.[0] ?? ''
  const shown = list.split('<name>').length - 1
  expect(list.length).toBeLessThanOrEqual(indexBudget(DEMO_CONTEXT_WINDOW_TOKENS))
  expect(shown).toBeGreaterThan(100)
  expect(list).toContain(`${COUNT + 1 - shown} more skills are not listed`)
  expect(requested.at(-1)?.tools.map((tool) => tool.name)).toContain('search_skills')
})

it('the next run has a published skill, and reads only the new index', async () => {
  const { thread } = await ask()
  await publish({ name: 'fresh', description: 'Use for fresh things.' })
  await ask(thread)
  const reported = JSON.stringify(requested.at(-1)?.messages.at(-1)?.content)
  expect(reported).toContain('fresh: Use for fresh things.')
  expect(before.at(-1)).toMatchObject({ kv: 3, r2: 0 })
  await ask(thread)
  expect(before.at(-1)).toMatchObject({ hops: ['thread.start', 'catalog.live'], kv: 0, r2: 0 })
})
