// Guards "accepted is kept" for answers that the model does not finish: what the output limit cut off is continued, an
// empty answer is asked for once more, and both survive a crash.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import type { Block } from '../../src/agent/message.ts'
import type { Model, ModelRequest } from '../../src/agent/model.ts'
import { unwatch, watchPoints } from './plan.ts'
import { BUDGET, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text, use, type Turn } from './scripted-model.ts'
import { World } from './world.ts'

afterEach(unwatch)

const CUT = { stop: 'max_tokens' } as const

/** As in reality, a model call leaves the object only when everything written before it is on disk. */
function leaving(model: ScriptedModel): Model {
  return {
    call: async (...requested) => {
      await env.SKILLS.get('the way out')
      return model.call(...requested)
    },
  }
}

/** A thread whose model gives these answers, one after the other: the answer depends on the answers so far. */
function telling(turns: readonly Turn[]): { thread: TestThread; model: ScriptedModel; world: World } {
  // An empty answer is no message of a later request, but the notice after it is.
  const isAnswer = ({ role, content }: ModelRequest['messages'][number]): boolean =>
    role === 'assistant' || JSON.stringify(content).includes('was empty')
  const model = new ScriptedModel(
    ({ messages }) => turns[messages.filter(isAnswer).length] ?? { content: [text('Over.')] },
  )
  const world = new World()
  return { thread: new TestThread({ ...speaks(leaving(model)), tools: () => world.tools }), model, world }
}

async function replyOf(thread: TestThread, runId: string): Promise<unknown> {
  return value(await thread.api.reply(thread.caller, runId, 5_000))
}

function lastMessage(model: ScriptedModel): readonly Block[] {
  return model.requests.at(-1)?.messages.at(-1)?.content ?? []
}

describe('an answer cut off by the output limit', () => {
  it('is continued and read as one text, while each request extends the last', async () => {
    const { thread, model } = telling([
      { content: [text('One, tw')], ...CUT },
      { content: [text('o, thr')], ...CUT },
      { content: [text('ee.')] },
    ])
    const { run_id } = await thread.start()
    expect(await replyOf(thread, run_id)).toMatchObject({
      stop_reason: 'answered',
      text: 'One, two, three.',
      message: { content: [text('One, two, three.')] },
      receipt: { steps: 3 },
    })
    expect(model.problems).toEqual([])
    expect(lastMessage(model)).toEqual([{ type: 'text', text: expect.stringContaining('<run_notice>') }])
    const shown = await thread.messages()
    expect(shown.map(({ role, continues }) => [role, continues])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['assistant', true],
      ['assistant', true],
    ])
    await thread.checkEnded(run_id, 3)
  })

  it('is continued three times, then ends as truncated with all of its text', async () => {
    const { thread, model } = telling(
      Array.from({ length: 9 }, (_, n) => ({ content: [text(`${n}`)], ...CUT })),
    )
    const { run_id } = await thread.start()
    expect(await replyOf(thread, run_id)).toMatchObject({ stop_reason: 'truncated', text: '0123' })
    expect(model.requests).toHaveLength(4)
    // A new question is a new text.
    const next = await thread.start('More.')
    expect(await replyOf(thread, next.run_id)).toMatchObject({ text: '4567' })
  })

  it('drops a partial tool call, which is made once when the model repeats it', async () => {
    const { thread, model, world } = telling([
      { content: [text('I send.'), use('t1', 'look'), use('t2', 'send', {})], ...CUT },
      { content: [use('t3', 'send')] },
      { content: [text('Sent.')] },
    ])
    const { run_id } = await thread.start()
    expect(await replyOf(thread, run_id)).toMatchObject({ stop_reason: 'answered', text: 'Sent.' })
    expect(world.ran).toEqual(['send'])
    expect(model.problems).toEqual([])
    await thread.checkEnded(run_id, 3)
  })

  it('ends as it is when the budget pays for no further call', async () => {
    const { thread, model } = telling([{ content: [text('Much')], ...CUT, tokens: 9_000 }])
    const { run_id } = await thread.start('Hello', { budget: { ...BUDGET, tokens: 20_000 } })
    expect(await replyOf(thread, run_id)).toMatchObject({
      status: 'completed',
      stop_reason: 'truncated',
      text: 'Much',
    })
    expect(model.requests).toHaveLength(1)
  })
})

describe('an empty answer', () => {
  it('after tools is retried once in a run', async () => {
    const { thread, model } = telling([
      { content: [use('t1', 'look')] },
      { content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] },
      { content: [use('t2', 'look', { at: 2 })] },
      { content: [] },
    ])
    const { run_id } = await thread.start()
    expect(await replyOf(thread, run_id)).toMatchObject({ stop_reason: 'answered', text: '' })
    expect(model.requests).toHaveLength(4)
    expect(model.problems).toEqual([])
    await thread.checkEnded(run_id, 4)
  })

  it('without tools is an answer', async () => {
    const { thread, model } = telling([{ content: [] }])
    const { run_id } = await thread.start()
    expect(await replyOf(thread, run_id)).toMatchObject({ stop_reason: 'answered' })
    expect(model.requests).toHaveLength(1)
  })
})

it('a run that is truncated, emptied and killed at every point ends like an undisturbed one', async () => {
  const turns: readonly Turn[] = [
    { content: [text('I lo'), use('t0', 'look')], ...CUT },
    { content: [text('ok.'), use('t1', 'look')] },
    { content: [] },
    { content: [text('Do')], ...CUT },
    { content: [text('ne.')] },
  ]
  const play = async (at: number): Promise<{ points: number; contents: unknown; reply: unknown }> => {
    const { thread, model } = telling(turns)
    const crash = watchPoints(thread.name, (index) => (index === at ? 'lose' : null))
    const key = { idempotency: { key: 'one', digest: 'd' } }
    const { run_id } = (await eventually(
      () => thread.start('Hello', key).catch(() => null),
      (answer) => answer !== null,
    )) ?? { run_id: '' }
    await eventually(
      async () => {
        await thread.alarm()
        return thread.status(run_id).catch(() => null)
      },
      (status) => status === 'completed',
    )
    expect(model.problems).toEqual([])
    const reply = await replyOf(thread, run_id)
    const contents = (await thread.messages()).map(({ role, content, continues }) => ({
      role,
      content,
      continues,
    }))
    await thread.checkEnded(run_id, 5)
    return { points: crash.points.length, contents, reply: (reply as { text: string }).text }
  }
  const quiet = await play(-1)
  expect(quiet.reply).toBe('Done.')
  for (let at = 0; at < quiet.points; at++)
    expect({ at, ...(await play(at)), points: 0 }).toEqual({ at, ...quiet, points: 0 })
})
