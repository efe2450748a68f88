// Guards what becomes of a result with images: it stands in the journal, the transcript and every request as the tool gave
// it, whatever dies in between; readers are told of it in words, and what a model cannot be shown is said instead.
import { describe, expect, it } from 'vitest'
import type { ImageBlock, TextBlock, ToolContent } from '../../src/agent/message.ts'
import { MESSAGE_ROW_MAX_CHARS, TOOL_IMAGES_MAX_CHARS } from '../../src/limits.ts'
import { modelRegistry } from '../../src/model/registry.ts'
import type { BuiltinTool } from '../../src/tools/builtin.ts'
import { checkExtends } from '../fakes/messages-oracle.ts'
import { unwatch, watchPoints, type CrashMode } from './plan.ts'
import { eventually, HandClock, offers, speaks, TestThread } from './rig.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { wired } from './wire.ts'
import { tool } from './world.ts'

const DONE: Turn = { content: [text('Done.')] }
const STORY: readonly Turn[] = [{ content: [use('t1', 'shot'), use('t2', 'shot', { of: 2 })] }, DONE]

function words(said: string): TextBlock {
  return { type: 'text', text: said }
}

function png(chars: number): ImageBlock {
  const data = 'iVBORw0KGgo'.padEnd(chars, 'A')
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
}

/** The demo model's facts: it sees nothing. */
const BLIND = modelRegistry({ apiKey: null, baseUrl: null, model: '', models: null })
const RESULT = [words('The page:'), png(MESSAGE_ROW_MAX_CHARS), words('password=hunter2hunter2')]

function shot(content: ToolContent, isError = false): BuiltinTool {
  return tool('shot', 'idempotent', async () => ({ content, isError }))
}

/** Results as the newest request to the model has them. */
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

  it('reaches the model and the transcript whole; its event names the image', async () => {
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

  it('is sent to the Messages API as its blocks, in every request that follows', async () => {
    const call = { type: 'tool_use', id: 't1', name: 'shot', input: {} }
    const said = { content: [{ type: 'text', text: 'Well.' }] }
    const { thread, recorder } = wired([{ content: [call] }, said, said], new HandClock())
    thread.adjust({ tools: () => [shot(RESULT)] })
    for (const ask of ['One.', 'Two.']) await thread.ended((await thread.start(ask)).run_id)
    checkExtends(recorder.exchanges)
    const asked = recorder.exchanges.map(({ raw }) => JSON.parse(raw) as { messages: { content: unknown }[] })
    for (const { messages } of asked.slice(1))
      expect(messages[2]?.content).toMatchObject([
        { type: 'tool_result', tool_use_id: 't1', content: stored, is_error: false },
      ])
  })
})

describe('an image that cannot be shown', () => {
  const only = (model: ScriptedModel): unknown => results(model)[0]

  it('to this model is told of in words', async () => {
    const { model } = await run(shot([png(12)]), BLIND)
    expect(only(model)).toEqual([
      words(expect.stringContaining('this model cannot be shown images') as string),
    ])
  })

  it('in an error, or too large for its row, neither', async () => {
    expect(only((await run(shot([words('No.'), png(12)], true))).model)).toEqual([
      words(expect.stringMatching(/^No\.\n\[An image .* an error is told in words/) as string),
    ])
    expect(only((await run(shot([png(TOOL_IMAGES_MAX_CHARS + 4)]))).model)).toEqual([
      words(expect.stringContaining('one result may hold') as string),
    ])
    const most = [png(TOOL_IMAGES_MAX_CHARS)]
    expect(only((await run(shot(most))).model)).toEqual(most)
  })
})
