// Guards "the prefix is frozen" and "a run sees one catalog": an outside change reaches an existing thread as one
// appended notice and in no other way, and every request extends the previous one byte for byte.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/lib/caller.ts'
import { objects } from '../../src/env/env.ts'
import { NOTICE_SKILLS_MAX } from '../../src/thread/start/limits.ts'
import { openWorkspace, value, patchSkill, unpublishSkill } from '../workers/catalog-fixture.ts'
import { seedBuild } from '../workers/seed-build.ts'
import { ANN, offers, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'
import { tool, World } from './world.ts'

const DONE = { content: [text('Done.')] }

/** A separate workspace, so that what one test publishes does not cause notices in another. */
function inWorkspace(workspace: string): Caller {
  return { ...ANN, workspace }
}

async function answered(thread: TestThread, words: string, more = {}): Promise<string> {
  const { run_id } = await thread.start(words, more)
  expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
  return run_id
}

describe('an older thread', () => {
  it('learns of a publish by one notice, appended to the next message, and keeps its prefix', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model), inWorkspace('news'))
    const { build } = await thread.input('')
    const workspace = openWorkspace('news')
    await answered(thread, 'One.')
    value(await workspace.publish(build, { name: 'release-notes', description: 'Writes <notes> & more.' }))
    value(await workspace.publish(build, { name: 'code-review', body: 'Shadowed.' }))
    const live = value(await objects(env).catalog('news').live(build))
    const second = await answered(thread, 'Two.')
    await answered(thread, 'Three.')
    expect(model.problems).toEqual([])
    const [first, reported, quiet] = model.requests
    expect(reported?.system).toBe(first?.system)
    expect(first?.system).not.toContain('release-notes')
    const notice = reported?.messages.at(-1)?.content
    expect(notice).toHaveLength(2)
    expect(notice?.[0]?.['text']).toContain('Now available: release-notes: Writes &lt;notes&gt; &amp; more.')
    expect(notice?.[0]?.['text']).toContain('Changed: code-review')
    expect(notice?.[1]).toEqual(text('Two.'))
    expect(quiet?.messages.at(-1)?.content).toEqual([text('Three.')])
    // The reader gets the person's words as a message, and an event for the rest.
    expect((await thread.messages())[2]?.content).toEqual([text('Two.')])
    const changed = (await thread.replay(second)).filter(({ type }) => type === 'skills.changed')
    expect(changed).toMatchObject([
      { to_version: live.version, added: ['release-notes'], changed: ['code-review'], removed: [] },
    ])
    expect((await thread.receipt(second)).catalog_version).toBe(live.version)
    value(await patchSkill(objects(env).catalog('news'), build, 'release-notes', { enabled: false }))
    await answered(thread, 'Four.')
    expect(JSON.stringify(model.requests[3]?.messages.at(-1))).toContain(
      'No longer available, do not use it: release-notes',
    )
    expect(model.problems).toEqual([])
  })

  it('repeats the notice of a message that the API refused', async () => {
    const fault = {
      retry: 'never',
      reason: 'invalid_request',
      detail: 'No.',
      retryAfterMs: null,
      usage: null,
    } as const
    const refusal = { act: async () => ({ kind: 'fault', fault }) as const }
    const model = new ScriptedModel((_, call) => (call === 1 || call === 2 ? refusal : DONE))
    const thread = new TestThread(speaks(model), inWorkspace('refused-news'))
    const { build } = await thread.input('')
    const { catalog, publish } = openWorkspace('refused-news')
    value(await publish(build, { name: 'old-one' }))
    await answered(thread, 'One.')
    value(await publish(build, { name: 'release-notes' }))
    value(await unpublishSkill(catalog, build, 'old-one'))
    for (const words of ['Two.', 'Three.'])
      expect((await thread.ended((await thread.start(words)).run_id)).status).toBe('failed')
    await answered(thread, 'Four.')
    await answered(thread, 'Five.')
    expect(model.requests[3]?.messages).toHaveLength(3)
    const reported = JSON.stringify(model.requests[3]?.messages.at(-1))
    expect(reported).toContain('Now available: release-notes')
    expect(reported).toContain('No longer available, do not use it: old-one')
    expect(model.requests[4]?.messages.at(-1)?.content).toEqual([text('Five.')])
  })

  it('whose first message the API refused learns what changed since its prefix was made', async () => {
    const fault = {
      retry: 'never',
      reason: 'invalid_request',
      detail: 'No.',
      retryAfterMs: null,
      usage: null,
    } as const
    const refusal = { act: async () => ({ kind: 'fault', fault }) as const }
    const model = new ScriptedModel((_, call) => (call < 2 ? refusal : DONE))
    const thread = new TestThread(speaks(model), inWorkspace('refused-first'))
    const { build } = await thread.input('')
    expect((await thread.ended((await thread.start('One.')).run_id)).status).toBe('failed')
    value(await openWorkspace('refused-first').publish(build, { name: 'release-notes' }))
    expect((await thread.ended((await thread.start('Two.')).run_id)).status).toBe('failed')
    await answered(thread, 'Three.')
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('Now available: release-notes')
  })

  it('that began with a run that could never start keeps its prefix when the first real message is refused', async () => {
    const fault = {
      retry: 'never',
      reason: 'invalid_request',
      detail: 'No.',
      retryAfterMs: null,
      usage: null,
    } as const
    const refusal = { act: async () => ({ kind: 'fault', fault }) as const }
    const model = new ScriptedModel((_, call) => (call === 0 ? refusal : DONE))
    const thread = new TestThread(speaks(model), inWorkspace('once-bare'))
    const input = { ...(await thread.input('Never.')), runId: 'run_never' }
    value(await thread.api.startFailed(thread.caller, input, 'No.', 'internal'))
    expect((await thread.ended((await thread.start('One.')).run_id)).status).toBe('failed')
    value(await openWorkspace('once-bare').publish(input.build, { name: 'release-notes' }))
    await answered(thread, 'Two.')
    const [first, second] = model.requests
    expect(second?.system).toBe(first?.system)
    expect(JSON.stringify(second?.messages)).toContain('Now available: release-notes')
  })

  it('whose prefix could not be stored gets it with the next message', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model), inWorkspace('broken-bare'))
    const input = { ...(await thread.input('Never.')), runId: 'run_never' }
    value(await thread.api.startFailed(thread.caller, input, 'No.', 'internal'))
    await thread.sql((sql) =>
      sql.exec(
        "CREATE TRIGGER full BEFORE UPDATE OF seen_index ON thread BEGIN SELECT RAISE(ABORT, 'full'); END",
      ),
    )
    await expect(thread.start('One.')).rejects.toThrow('full')
    await thread.sql((sql) => sql.exec('DROP TRIGGER full'))
    await answered(thread, 'Two.')
    expect(model.requests[0]?.tools.length).toBeGreaterThan(0)
  })

  it('lists some of very many changes, removals first, and the number of the others', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model), inWorkspace('flood'))
    const many = Array.from({ length: NOTICE_SKILLS_MAX + 20 }, (_, at) => ({ name: `new-${at}` }))
    await answered(thread, 'One.', { build: await seedBuild(env, [{ name: 'old' }]) })
    await answered(thread, 'Two.', { build: await seedBuild(env, many) })
    const notice = String(model.requests[1]?.messages.at(-1)?.content[0]?.['text'])
    expect(notice.match(/^Now available: /gm)).toHaveLength(NOTICE_SKILLS_MAX - 1)
    expect(notice).toContain('No longer available, do not use it: old\n')
    expect(notice).toContain('\n21 more changed.')
  })

  it('keeps its bytes over evictions and deployments with other tools and another default model', async () => {
    const world = new World()
    const model = new ScriptedModel((_, call) => (call === 2 ? { content: [use('t1', 'look')] } : DONE))
    const ports = { ...speaks(model, offers('model-a', 'model-b')), tools: () => world.tools }
    const thread = new TestThread(ports)
    await answered(thread, 'One.')
    await evictDurableObject(env.THREADS.getByName(thread.name))
    await answered(thread, 'Two.', { context: { page: '<b>Home</b> </request_context>' } })
    const other = [tool('other', 'read', async () => ({ content: '', isError: false }))]
    thread.replan({ ...ports, ...speaks(model, offers('model-b', 'model-a')), tools: () => other })
    await evictDurableObject(env.THREADS.getByName(thread.name))
    await answered(thread, 'Three.')
    expect(model.problems).toEqual([])
    expect(model.requests).toHaveLength(4)
    expect(model.requests.map((request) => request.model)).toEqual(Array(4).fill('model-a'))
    expect(model.requests[3]?.tools.map(({ name }) => name)).toEqual(['look', 'put', 'send'])
    // A tool that the new deployment no longer has returns an error.
    expect(model.requests[3]?.messages.at(-1)?.content).toMatchObject([
      {
        tool_use_id: 't1',
        is_error: true,
        content: expect.stringContaining('look is no longer available'),
      },
    ])
    expect(world.ran).toEqual([])
    const context = String(model.requests[1]?.messages.at(-1)?.content[0]?.['text'])
    expect(context.match(/<\/request_context>/g)).toHaveLength(1)
    expect((await thread.messages())[2]?.content).toEqual([text('Two.')])
  })

  it('refuses another model or another list of skills, and accepts the same ones again', async () => {
    const model = new ScriptedModel(() => DONE)
    const thread = new TestThread(speaks(model, offers('model-a', 'model-b')))
    await answered(thread, 'One.', { allowSkills: ['code-review', 'api-design'] })
    for (const more of [{ model: 'model-b' }, { allowSkills: ['code-review'] }, { allowSkills: [] }])
      expect((await thread.refused('Two.', { create: false, ...more })).code).toBe('prefix_frozen')
    await answered(thread, 'Two.', { model: 'model-a', allowSkills: ['api-design', 'code-review'] })
    expect(model.problems).toEqual([])
  })
})

describe('a run', () => {
  it('in the queue takes the catalog that is live at its start; a running one keeps its own', async () => {
    const gate = { open: false }
    const model = new ScriptedModel(() => ({
      act: async (request, onDelta, signal) => {
        while (!gate.open) await scheduler.wait(1)
        return new ScriptedModel(() => DONE).call(request, onDelta, signal)
      },
    }))
    const thread = new TestThread(speaks(model), inWorkspace('line'))
    const { build } = await thread.input('')
    const first = await thread.start('One.')
    const second = await thread.start('Two.', { onBusy: 'enqueue' })
    const before = (await thread.receipt(first.run_id)).catalog_version
    value(await openWorkspace('line').publish(build, { name: 'brand-new' }))
    const after = value(await objects(env).catalog('line').live(build)).version
    expect(after).toBeGreaterThan(before)
    gate.open = true
    expect((await thread.ended(first.run_id)).catalog_version).toBe(before)
    expect((await thread.ended(second.run_id)).catalog_version).toBe(after)
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('Now available: brand-new')
    expect(model.problems).toEqual([])
  })

  it('is not accepted while the catalog is unavailable, and an accepted one continues without it', async () => {
    let down = false
    const model = new ScriptedModel((_, call) => (call === 0 ? { content: [use('t1', 'look')] } : DONE))
    const world = new World()
    const thread = new TestThread(
      {
        ...speaks(model),
        tools: () => {
          if (model.requests.length > 0) down = true
          return world.tools
        },
        liveCatalog: async (workspace, build) =>
          down
            ? { ok: false, error: { code: 'overloaded', detail: 'The catalog is away.' } }
            : objects(env).catalog(workspace).live(build),
      },
      inWorkspace('away'),
    )
    await answered(thread, 'One.')
    expect(down).toBe(true)
    expect((await thread.refused('Two.')).code).toBe('overloaded')
    expect(await thread.messages()).toHaveLength(4)
    const nobody = new TestThread({
      liveCatalog: async () => ({ ok: false, error: { code: 'overloaded', detail: 'Away.' } }),
    })
    expect((await nobody.refused('Hello')).code).toBe('overloaded')
    const tables = await nobody.sql((sql) =>
      sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray(),
    )
    expect(tables.filter(({ name }) => !String(name).startsWith('_cf'))).toEqual([])
    expect(await nobody.alarmAt()).toBeNull()
    await eventually(
      () => thread.api.info(thread.caller),
      (info) => info.ok && info.value.status === 'idle',
    )
  })
})
