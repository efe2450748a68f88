// Guards results with images: the journal, the transcript and every request contain an image as the tool returned it,
// whatever dies in between. Readers get a description; a model that cannot be shown an image is told so.
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { TextBlock, ToolContent } from '../../src/agent/message.ts'
import { STEP_IMAGES_MAX_CHARS, TOOL_IMAGES_MAX } from '../../src/agent/limits.ts'
import { MESSAGE_ROW_MAX_CHARS } from '../../src/limits/runs.ts'
import { TOOL_IMAGES_MAX_CHARS } from '../../src/limits/tools.ts'
import { modelRegistry, type ModelRegistry } from '../../src/model/registry.ts'
import type { BuiltinTool } from '../../src/tools/record/builtin.ts'
import { png } from '../fakes/images.ts'
import { checkExtends } from '../fakes/messages-oracle.ts'
import type { Reply } from '../fakes/messages-wire.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { HandClock, offers, speaks, TestThread } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { wired } from './wire.ts'
import { tool } from './world.ts'

const DONE: Turn = { content: [text('Done.')] }
const STORY: readonly Turn[] = [{ content: [use('t1', 'shot'), use('t2', 'shot', { of: 2 })] }, DONE]

function words(sent: string): TextBlock {
  return { type: 'text', text: sent }
}

/** The facts of the demo model, which accepts no images. */
const BLIND = modelRegistry({ apiKey: null, baseUrl: null, model: '', models: null })

/** A registry whose only model is this one, which accepts no images. */
function blindly(id: string): ModelRegistry {
  const price = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }
  return modelRegistry({ apiKey: 'k', baseUrl: null, model: id, models: [{ id, price, images: false }] })
}

const RESULT = [words('The page:'), png(MESSAGE_ROW_MAX_CHARS), words('password=hunter2hunter2')]

function shot(content: ToolContent, isError = false): BuiltinTool {
  return tool('shot', 'idempotent', async () => ({ content, isError }))
}

/** The results in the newest request to the model. */
function results({ requests }: ScriptedModel): readonly unknown[] {
  const last = requests.at(-1)?.messages.at(-1)?.content ?? []
  return last.map((block) => block['content'])
}

async function run(
  made: BuiltinTool,
  registry = offers('eye'),
): Promise<{ model: ScriptedModel; thread: TestThread }> {
  const model = new ScriptedModel(STORY)
  const thread = new TestThread({ ...speaks(model, registry), tools: () => [made] })
  const { run_id } = await thread.start('Look.')
  expect(await thread.ended(run_id)).toMatchObject({
    status: 'completed',
    tools: [{ name: 'shot', calls: 2 }],
  })
  await thread.checkEnded(run_id, 2)
  expect(model.problems).toEqual([])
  return { model, thread }
}

describe('a result with an image', () => {
  const stored = [RESULT[0], RESULT[1], words('password=[redacted]')]

  it('reaches the model and the transcript unchanged; its event names the image', async () => {
    const { model, thread } = await run(shot(RESULT))
    expect(results(model)).toEqual([stored, stored])
    expect((await thread.messages())[2]?.content).toMatchObject([{ content: stored }, { content: stored }])
    const [{ run_id } = { run_id: '' }] = await thread.messages()
    const done = (await thread.replay(run_id)).filter((event) => event.type === 'tool.completed')
    expect(done.map((event) => event.type === 'tool.completed' && event.preview)).toEqual(
      Array(2).fill(`The page:\n[image/png, ${(MESSAGE_ROW_MAX_CHARS * 3) / 4} bytes]\npassword=[redacted]`),
    )
  })

  it.each<CrashMode>(['lose', 'keep'])('is the same wherever the run dies (%s)', async (mode) => {
    for (let at = 0; at < 40; at++) {
      const model = new ScriptedModel(STORY)
      const thread = new TestThread({ ...speaks(model, offers('eye')), tools: () => [shot(RESULT)] })
      const key = { idempotency: { key: 'one', digest: 'd' } }
      const crash = watchPoints(thread.name, (index) => (index === at ? mode : null))
      const started = await eventually(
        () => thread.start('Look.', key).catch(() => null),
        (answer) => answer !== null,
      )
      const runId = started?.run_id ?? ''
      await eventually(
        async () => {
          if (crash.fired > 0) await thread.alarm()
          return thread.receipt(runId).catch(() => null)
        },
        (receipt) => receipt !== null && receipt.ended_at !== null,
      )
      unwatch()
      expect(model.problems, `killed at ${at}`).toEqual([])
      expect(results(model), `killed at ${at}`).toEqual([stored, stored])
      if (crash.fired === 0) return
    }
    throw new Error('more points than thought')
  })

  it('is sent to the Messages API as its blocks, in every later request', async () => {
    const call = { type: 'tool_use', id: 't1', name: 'shot', input: {} }
    const sent = { content: [{ type: 'text', text: 'Well.' }] }
    const { thread, recorder } = wired([{ content: [call] }, sent, sent], new HandClock())
    thread.adjust({ tools: () => [shot(RESULT)] })
    for (const ask of ['One.', 'Two.']) await thread.ended((await thread.start(ask)).run_id)
    checkExtends(recorder.exchanges)
    const requested = recorder.exchanges.map(
      ({ raw }) => JSON.parse(raw) as { messages: { content: unknown }[] },
    )
    for (const { messages } of requested.slice(1))
      expect(messages[2]?.content).toMatchObject([
        { type: 'tool_result', tool_use_id: 't1', content: stored, is_error: false },
      ])
  })
})

describe('an image that cannot be shown', () => {
  const only = (model: ScriptedModel): unknown => results(model)[0]

  it('to this model is replaced by a description', async () => {
    const { model } = await run(shot([png()]), BLIND)
    expect(only(model)).toEqual([
      words(expect.stringContaining('this model does not accept images') as string),
    ])
  })

  it('because the result is an error or too large is replaced by the reason', async () => {
    expect(only((await run(shot([words('No.'), png()], true))).model)).toEqual([
      words(expect.stringMatching(/^No\.\n\[An image .* an error result may contain only text/) as string),
    ])
    expect(only((await run(shot([png(TOOL_IMAGES_MAX_CHARS + 4)]))).model)).toEqual([
      words(expect.stringContaining('one result may contain') as string),
    ])
    const most = [png(TOOL_IMAGES_MAX_CHARS)]
    expect(only((await run(shot(most))).model)).toEqual(most)
  })
})

describe('images of many results', () => {
  const images = (model: ScriptedModel): number =>
    results(model)
      .flat()
      .filter((block) => (block as { type: string }).type === 'image').length // the cast is safe: this test created the blocks

  async function looks(calls: number, steps: number, content: ToolContent): Promise<ScriptedModel> {
    const turn = (step: number): Turn => ({
      content: Array.from({ length: calls }, (_, at) => use(`t${step}-${at}`, 'shot', { step, at })),
    })
    const model = new ScriptedModel([...Array.from({ length: steps }, (_, step) => turn(step)), DONE])
    const made = tool('shot', 'read', async () => ({ content, isError: false }))
    const thread = new TestThread({ ...speaks(model, offers('eye')), tools: () => [made] })
    const { run_id } = await thread.start('Look.')
    expect(await thread.ended(run_id)).toMatchObject({ status: 'completed' })
    expect(model.problems).toEqual([])
    return model
  }

  it('created in parallel are limited for each step', async () => {
    const most = Math.floor(STEP_IMAGES_MAX_CHARS / TOOL_IMAGES_MAX_CHARS)
    const model = await looks(most + 2, 1, [png(TOOL_IMAGES_MAX_CHARS)])
    expect(images(model)).toBe(most)
    expect(JSON.stringify(results(model)[most])).toContain('the results of one step may contain')
  })

  it('are limited over all steps to as many as the API accepts at any size', async () => {
    const model = await looks(3, 7, [png()])
    expect(images(model)).toBe(TOOL_IMAGES_MAX - 18)
    expect(JSON.stringify(results(model)[2])).toContain('one thread may contain')
  })
})

describe('an image that the API refuses', () => {
  const REFUSED: Reply = { status: 400, type: 'invalid_request_error', message: 'Could not process image' }
  const CALL: Reply = { content: [{ type: 'tool_use', id: 't1', name: 'shot', input: {} }] }
  const OUTPUT: Reply = { content: [{ type: 'text', text: 'Well.' }] }

  async function reported(
    ...script: readonly Reply[]
  ): Promise<{ runs: string[]; thread: TestThread; sent: string }> {
    const { thread, recorder } = wired(script, new HandClock())
    thread.adjust({ tools: () => [shot(RESULT)] })
    const runs: string[] = []
    for (const ask of ['One.', 'Two.', 'Three.']) {
      const { error } = await thread.ended((await thread.start(ask)).run_id)
      runs.push(error?.detail ?? 'fine')
    }
    return { runs, thread, sent: recorder.exchanges.at(-1)?.raw ?? '' }
  }

  it('ends its run and later ones with the reason, and no message of a person is left out because of it', async () => {
    const { runs, sent } = await reported(CALL, REFUSED, REFUSED, REFUSED)
    for (const detail of runs) {
      expect(detail).toContain('images from tools that the model has not answered yet')
      expect(detail).not.toContain('left out')
    }
    for (const requested of ['One.', 'Two.', 'Three.']) expect(sent).toContain(requested)
  })

  it('is not blamed if the model answered it before: then the message is left out', async () => {
    const { runs, sent } = await reported(CALL, OUTPUT, REFUSED, OUTPUT)
    expect(runs).toEqual(['fine', expect.stringContaining('The message is left out'), 'fine'])
    expect(sent).toContain('Three.')
    expect(sent).not.toContain('Two.')
  })
})

describe('a thread with images', () => {
  it('ends its runs with a reason once its model accepts no images', async () => {
    const { thread, model } = await run(shot(RESULT))
    thread.replan(speaks(model, blindly('eye')))
    await evictDurableObject(env.THREADS.getByName(thread.name))
    expect(await thread.ended((await thread.start('Again.')).run_id)).toMatchObject({
      status: 'failed',
      error: { detail: expect.stringContaining('images that its model does not accept') as string },
    })
    expect(model.requests).toHaveLength(2)
  })
})
