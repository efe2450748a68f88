// Guards "accepted is kept" for streamed text: text shown before a cancel, a limit or a fault is in the transcript, in
// replays, in the reply and in the next request. Text lost in a crash is not invented.
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/agent/events.ts'
import type { Block } from '../../src/agent/message.ts'
import type { ModelFault, ModelOutcome } from '../../src/agent/model.ts'
import type { ThreadPorts } from '../../src/thread/parts.ts'
import { read, Reader } from './reader.ts'
import { BUDGET, cursors, HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { hang, ScriptedModel, text, type Turn } from './scripted-model.ts'

const PARAGRAPHS = Array.from({ length: 29 }, (_, at) => `Paragraph ${at} 😀.\n\n`).join('')
const THOUGHT = 'I begin at the beginning.'
const words = (event: Event): boolean => event.type === 'text.delta' && event.text.includes('28')

type Output = readonly { readonly type: 'text' | 'thinking'; readonly text: string }[]
type After = (signal: AbortSignal) => Promise<ModelOutcome>

/** Says blocks in small deltas, and then does not end normally. */
function says(blocks: Output, after: After = hang): Turn {
  return {
    act: async (_, onDelta, signal) => {
      for (const [block, { type, text: all }] of blocks.entries())
        for (const part of all.match(/[\s\S]{1,16}/gu) ?? []) await onDelta({ type, block, text: part })
      return after(signal)
    },
  }
}

const REPORTED: Output = [
  { type: 'thinking', text: THOUGHT },
  { type: 'text', text: PARAGRAPHS },
]

function fails(fault: Partial<ModelFault>): After {
  const whole = {
    retry: 'never',
    reason: 'server_error',
    detail: 'It broke.',
    retryAfterMs: null,
    usage: null,
  } as const
  return async () => ({ kind: 'fault', fault: { ...whole, ...fault } })
}

/** A model that first does what the test wants, and then answers the next message normally. */
function modelOf(first: Turn): ScriptedModel {
  return new ScriptedModel((_, call) => (call === 0 ? first : { content: [text('And so on.')] }))
}

interface Kept {
  readonly thread: TestThread
  readonly runId: string
  readonly model: ScriptedModel
}

/** Checks everything that must hold if 29 paragraphs were shown and the run then ended early. */
async function checkKept({ thread, runId, model }: Kept, status: string): Promise<void> {
  const receipt = await thread.ended(runId)
  expect(receipt.status).toBe(status)
  const whole = await thread.checkEnded(runId, model.requests.length)
  const messages = await thread.messages()
  expect(messages.at(-1)).toMatchObject({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: THOUGHT }, text(PARAGRAPHS)],
    thinking_ms: expect.any(Number),
  })
  const completed = whole.filter(({ type }) => type === 'message.completed')
  expect(completed).toMatchObject([{ model_stop: 'cut', message: messages.at(-1) }])
  const reply = value(await thread.api.reply(thread.caller, runId, 1_000))
  expect(reply).toMatchObject({ status, text: PARAGRAPHS, message: messages.at(-1) })
  // Wherever a reader was, it ends with the same text.
  for (const after of cursors(whole)) {
    const seen = new Reader(0).apply(whole.filter((event) => event.seq <= after))
    seen.apply(await thread.replay(runId, after))
    expect(seen.problems, `after ${after}`).toEqual([])
    expect(seen.transcript()).toEqual([messages.at(-1)?.content])
  }
  // The model is given what it said, without unsigned thinking.
  const next = await thread.start('Go on.')
  await thread.ended(next.run_id)
  expect(model.problems).toEqual([])
  const requested: readonly { role: string; content: readonly Block[] }[] =
    model.requests.at(-1)?.messages ?? []
  expect(requested.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(requested[1]?.content).toEqual([text(PARAGRAPHS)])
  await thread.kill()
  const again = await thread.start('And on.')
  await thread.ended(again.run_id)
  expect(model.problems).toEqual([])
}

async function begun(turn: Turn, ports: Partial<ThreadPorts> = {}, budget = BUDGET): Promise<Kept> {
  const model = modelOf(turn)
  const thread = new TestThread({ ...speaks(model), ...ports })
  const { run_id: runId, events } = await thread.start('Tell.', { follow: true, budget })
  const live = await read(events, words)
  expect(new Reader(0).apply(live.events).problems).toEqual([])
  return { thread, runId, model }
}

describe('streamed text', () => {
  it('stays when its run is cancelled', async () => {
    const kept = await begun(says(REPORTED))
    await kept.thread.api.cancel(kept.thread.caller, kept.runId)
    await checkKept(kept, 'cancelled')
  })

  it('stays when its run reaches its time limit', async () => {
    const kept = await begun(says(REPORTED), {}, { ...BUDGET, wall_s: 3 })
    await checkKept(kept, 'failed')
  })

  for (const reason of ['server_error', 'invalid_request', 'too_large', 'auth'])
    it(`stays when the model then fails for good (${reason}), and so does the message that it answers`, async () => {
      await checkKept(await begun(says(REPORTED, fails({ reason }))), 'failed')
    })

  it('stays when the run is cancelled while it waits to retry', async () => {
    const clock = new HandClock()
    const later = fails({ retry: 'later', reason: 'overloaded', retryAfterMs: 60_000 })
    const kept = await begun(says(REPORTED, later), { now: clock.now })
    await eventually(
      () => kept.thread.sql((sql) => sql.exec('SELECT resume_at FROM runs').one()['resume_at']),
      (at) => at !== null,
    )
    await kept.thread.api.cancel(kept.thread.caller, kept.runId)
    await checkKept(kept, 'cancelled')
  })

  it('is withdrawn when the step restarts', async () => {
    const first = says(REPORTED, fails({ retry: 'once', reason: 'cut', retryAfterMs: 0 }))
    const model = new ScriptedModel((_, call) => (call === 0 ? first : { content: [text('Better.')] }))
    const thread = new TestThread(speaks(model))
    const { run_id } = await thread.start('Tell.')
    await thread.ended(run_id)
    await thread.checkEnded(run_id, 2)
    expect((await thread.messages()).map(({ content }) => content)).toEqual([
      [text('Tell.')],
      [text('Better.')],
    ])
  })

  it('is lost in a crash: nothing is invented if the run then ends without another call', async () => {
    const { thread, runId } = await begun(says(REPORTED))
    await thread.kill('alarm lost')
    await thread.api.cancel(thread.caller, runId)
    expect(await thread.receipt(runId)).toMatchObject({ status: 'cancelled' })
    await thread.checkEnded(runId, 1)
    expect(await thread.messages()).toHaveLength(1)
  })

  it('is kept without blank blocks, and not at all if there is nothing else', async () => {
    const blank = { type: 'text', text: ' \n\n' } as const
    for (const [output, content] of [
      [[blank, { type: 'text', text: `${PARAGRAPHS}\uD83D` }], [text(`${PARAGRAPHS}\uFFFD`)]],
      [[blank, { type: 'thinking', text: THOUGHT }], null],
    ] as const) {
      const model = modelOf(says(output))
      const thread = new TestThread(speaks(model))
      const { run_id, events } = await thread.start('Tell.', { follow: true })
      const last = output.at(-1)?.type === 'text' ? words : ({ type }: Event) => type === 'thinking.delta'
      await read(events, last)
      await thread.api.cancel(thread.caller, run_id)
      const messages = await thread.messages()
      expect(messages.slice(1).map((message) => message.content)).toEqual(content === null ? [] : [content])
      const next = await thread.start('Go on.')
      await thread.ended(next.run_id)
      expect(model.problems).toEqual([])
      for (const { content: sent } of model.requests.at(-1)?.messages ?? [])
        for (const block of sent) expect(String(block['text']).trim()).not.toBe('')
    }
  })
})
