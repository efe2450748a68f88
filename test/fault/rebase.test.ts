// Guards that a thread can continue with another model or other tools: in a new window, with all its messages if they
// fit, and only if the request asks for it.

import { afterEach, describe, expect, it } from 'vitest'
import type { Event, Receipt } from '../../src/agent/events.ts'
import type { Block } from '../../src/agent/message.ts'
import type { ModelRequest } from '../../src/agent/model.ts'
import { modelRegistry, type ModelRegistry } from '../../src/model/registry.ts'
import { LOAD_SKILL } from '../../src/tools/skills/load-skill.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { openWorkspace } from '../workers/catalog-fixture.ts'
import { pauseAt, unwatch, watchPoints } from './plan.ts'
import { ANN, offers, speaks, TestThread, value } from './rig.ts'
import { ScriptedModel, text, use } from './scripted-model.ts'
import { tool } from './world.ts'

const THOUGHT: Block = { type: 'thinking', thinking: 'Hm.', signature: 's' }
const TOOLS = ['look', 'write'].map((name) =>
  tool(name, 'read', async () => ({ content: `${name}ed`, isError: false })),
)

/** Thinks, calls a tool for the first message, and then answers. */
function thinker(): ScriptedModel {
  return new ScriptedModel((_, call) =>
    call === 0 ? { content: [THOUGHT, use('t0', 'look')] } : { content: [THOUGHT, text(`Answer ${call}.`)] },
  )
}

/** The model `small` has a window of 40,000 tokens and no images. */
function large(): ModelRegistry {
  const price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
  const models = [
    { id: 'large', price, images: true, window: 1_000_000 },
    { id: 'small', price, images: false, window: 40_000 },
  ]
  return modelRegistry({ apiKey: 'k', baseUrl: null, model: 'large', models })
}

async function say(thread: TestThread, words: string, more = {}): Promise<Receipt> {
  return thread.ended((await thread.start(words, more)).run_id)
}

async function rebasedEvents(thread: TestThread, { run_id }: Receipt): Promise<readonly Event[]> {
  return (await thread.replay(run_id)).filter(({ type }) => type.startsWith('context.'))
}

const roles = ({ messages }: ModelRequest): string => messages.map(({ role }) => role[0]).join('')
const toolNames = ({ tools }: ModelRequest): readonly string[] => tools.map(({ name }) => name)

afterEach(() => unwatch())

describe('a request with rebase', () => {
  it('continues with another model and other tools, and keeps all messages without their thinking', async () => {
    const model = thinker()
    const thread = new TestThread({ ...speaks(model, offers('model-a', 'model-b')), tools: () => TOOLS })
    await say(thread, 'One.', { tools: ['look'] })
    const receipt = await say(thread, 'Two.', { model: 'model-b', tools: ['write'], rebase: true })
    expect(receipt).toMatchObject({ status: 'completed', model: 'model-b', window: 2, skills: [] })
    expect(await rebasedEvents(thread, receipt)).toMatchObject([
      { type: 'context.rebased', window: 2, reason: 'model_and_tools', model: 'model-b' },
    ])
    const [, before, after] = model.requests
    expect([before?.model, after?.model]).toEqual(['model-a', 'model-b'])
    expect(toolNames(after!)).toEqual(['write'])
    expect(roles(after!)).toBe('uauau')
    expect(JSON.stringify(before?.messages)).toContain('"thinking"')
    expect(JSON.stringify(after?.messages)).not.toContain('"thinking"')
    expect(after?.messages[1]?.content).toEqual([use('t0', 'look')])
    // From here on, requests extend each other again, with what the new model thought.
    model.problems.length = 0
    const next = await say(thread, 'Three.', { model: 'model-b', tools: ['write'] })
    expect(next).toMatchObject({ window: 2, model: 'model-b' })
    expect(model.problems).toEqual([])
    expect(JSON.stringify(model.requests[3]?.messages).match(/"type":"thinking"/g)).toHaveLength(1)
    expect((await thread.refused('Four.', { create: false, model: 'model-a' })).code).toBe('prefix_frozen')
    expect(value(await thread.api.info(ANN))).toMatchObject({ model: 'model-b' })
    // Readers still have everything.
    expect(JSON.stringify((await thread.messages())[1]?.content)).toContain('Hm.')
  })

  it('creates a new thread, and without other changes takes the live tools and skills', async () => {
    const caller = { ...ANN, workspace: 'rebase-live' }
    const model = new ScriptedModel(() => ({ content: [text('Done.')] }))
    const thread = new TestThread({ ...speaks(model, offers('a')), tools: () => [LOAD_SKILL] }, caller)
    expect(await say(thread, 'One.', { rebase: true })).toMatchObject({ window: 1 })
    const { build } = await thread.input('')
    value(await openWorkspace('rebase-live').publish(build, { name: 'brand-new' }))
    thread.adjust({ tools: () => [LOAD_SKILL, ...TOOLS] })
    await thread.kill()
    const receipt = await say(thread, 'Two.', { rebase: true, create: false })
    expect(await rebasedEvents(thread, receipt)).toMatchObject([{ window: 2, reason: 'request' }])
    expect(toolNames(model.requests[1]!)).toEqual(['load_skill', 'look', 'write'])
    expect(model.requests[1]?.system).toContain('brand-new')
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('skills_notice')
  })

  it('is refused without storing anything if it names an unknown tool', async () => {
    const model = new ScriptedModel(() => ({ content: [text('Done.')] }))
    const thread = new TestThread({ ...speaks(model, offers('a')), tools: () => TOOLS })
    await say(thread, 'One.')
    const refusal = await thread.refused('Two.', { create: false, rebase: true, tools: ['wriet'] })
    expect(refusal.code).toBe('unknown_tool')
    expect(await say(thread, 'Three.')).toMatchObject({ window: 1 })
    expect(model.problems).toEqual([])
  })

  it('from the queue rebases when its run begins, and the run after it has the new model', async () => {
    const model = new ScriptedModel(() => ({ content: [text('Done.')] }))
    const thread = new TestThread(speaks(model, offers('model-a', 'model-b')))
    pauseAt(thread.name, 'model.answered', async () => {
      await thread.start('Two.', { create: false, onBusy: 'enqueue', rebase: true, model: 'model-b' })
      return thread.start('Three.', { create: false, onBusy: 'enqueue' })
    })
    await say(thread, 'One.')
    await eventually(
      async () => model.requests.length,
      (count) => count === 3,
    )
    expect(model.requests.map((request) => request.model)).toEqual(['model-a', 'model-b', 'model-b'])
    expect(model.requests.map(roles)).toEqual(['u', 'uau', 'uauau'])
  })

  it('first summarizes what does not fit the new model', async () => {
    const filler = 'word '.repeat(6_000)
    const script = (): ScriptedModel =>
      new ScriptedModel(({ messages }) => {
        const isSummary = JSON.stringify(messages.at(-1)).includes('Summarize the conversation so far')
        return { content: [text(isSummary ? 'The summary.' : 'Done.')] }
      })
    const pixel: Block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const long = async (thread: TestThread): Promise<unknown> => {
      for (let at = 0; at < 6; at++) await say(thread, `${at}: ${filler}`)
      return null
    }
    const cases: readonly ((thread: TestThread) => Promise<unknown>)[] = [
      long,
      // At four characters a token these messages would seem to fit.
      async (thread) => {
        for (let at = 0; at < 6; at++) await say(thread, `${at}: ${'字'.repeat(7_000)}`)
      },
      async (thread) => say(thread, 'Look.', { message: [text('Look.'), pixel] }),
    ]
    for (const prepareThread of cases) {
      const model = script()
      const thread = new TestThread(speaks(model, large()))
      await prepareThread(thread)
      const receipt = await say(thread, 'Go on.', { model: 'small', rebase: true })
      expect(receipt).toMatchObject({ status: 'completed', model: 'small', window: 3 })
      expect(await rebasedEvents(thread, receipt)).toMatchObject([
        { type: 'context.rebased', window: 2 },
        { type: 'context.compacted', window: 3, way: 'cut', summary: 'The summary.' },
      ])
      expect(model.requests.at(-1)?.model).toBe('small')
      expect(roles(model.requests.at(-1)!)).toBe('uu')
      expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('"image"')
    }
  })

  it('that dies right after its acceptance begins one window', async () => {
    const model = new ScriptedModel(() => ({ content: [text('Done.')] }))
    const thread = new TestThread(speaks(model, offers('model-a', 'model-b')))
    await say(thread, 'One.')
    watchPoints(thread.name, (_, passed, { fired }) => (passed === 'accepted' && fired === 0 ? 'lose' : null))
    const more = { model: 'model-b', rebase: true, idempotency: { key: 'k', digest: 'd' } }
    const started = await eventually(
      () => thread.start('Two.', more).catch(() => null),
      (answer) => answer !== null,
    )
    const receipt = await thread.ended(started!.run_id)
    expect(receipt).toMatchObject({ status: 'completed', window: 2, model: 'model-b' })
    await thread.checkEnded(receipt.run_id, 1)
    expect(roles(model.requests.at(-1)!)).toBe('uau')
  })

  it('keeps the earlier windows for forks', async () => {
    const model = new ScriptedModel(() => ({ content: [text('Done.')] }))
    const ports = speaks(model, offers('model-a', 'model-b'))
    const thread = new TestThread(ports)
    await say(thread, 'One.')
    await say(thread, 'Two.')
    await say(thread, 'Three.', { model: 'model-b', rebase: true })
    await say(thread, 'Four.')
    for (const [words, expected] of [
      ['Two.', 'model-a'],
      ['Three.', 'model-b'],
      ['Four.', 'model-b'],
    ] as const) {
      const cut = (await thread.messages()).find(({ content }) => content[0]?.['text'] === words)
      const child = new TestThread(ports)
      const input = { threadId: child.id, from: thread.id, messageId: cut?.id ?? '', key: null }
      value(await child.api.fork(child.caller, input))
      await say(child, 'Otherwise.', { create: false })
      expect([words, model.requests.at(-1)?.model]).toEqual([words, expected])
    }
  })
})

describe('a new thread without a named model', () => {
  it('has the first available model of its key, even if a file was attached first', async () => {
    const caller = { ...ANN, models: ['gone', 'model-b', 'model-a'] }
    for (const isAttachedFirst of [false, true]) {
      const model = new ScriptedModel(() => ({ content: [text('Done.')] }))
      const thread = new TestThread(speaks(model, offers('standard', 'model-a', 'model-b')), caller)
      if (isAttachedFirst) value(await thread.api.createEmpty(caller, thread.id))
      const first = await say(thread, 'One.', { create: !isAttachedFirst })
      expect(first).toMatchObject({ status: 'completed', model: 'model-b' })
      expect(await say(thread, 'Two.', { create: false })).toMatchObject({ model: 'model-b' })
      expect(model.requests.map((request) => request.model)).toEqual(['model-b', 'model-b'])
      const other = { create: false, model: 'standard', rebase: true }
      expect((await thread.refused('Three.', other)).code).toBe('forbidden')
    }
  })
})
