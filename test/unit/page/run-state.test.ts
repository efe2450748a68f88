// Guards "nothing is said twice": a reader that reconnects ends with the same transcript as one that never left.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Event, EventBody } from '../../../src/agent/events.ts'
import type { Message } from '../../../src/agent/message.ts'
import { answerOf } from '../../../src/page/run/answer.ts'
import { runFromHistory } from '../../../src/page/run/history.ts'
import { rowsOf } from '../../../src/page/run/rows.ts'
import { applyEvent, newRun, type RunState } from '../../../src/page/run/state.ts'
import {
  frame,
  FRAMES,
  fromLog,
  merged,
  message,
  RECEIPT,
  RESULTS,
  RUN,
  TURN_ONE,
  TURN_TWO,
} from './frames.ts'

const THREAD = { id: 'th_1', files: [] }

function read(frames: readonly Event[]): RunState {
  return frames.reduce(applyEvent, newRun(RUN))
}

/** What a person sees, without the details that distinguish frames and nodes. */
function transcript(state: RunState) {
  const items = state.items.map((item) => {
    switch (item.kind) {
      case 'steered':
        return [item.kind, item.text]
      case 'text':
      case 'thinking':
        return [item.kind, item.text, item.done]
      case 'tool':
        return [item.kind, item.name, item.state, item.preview, item.skill?.name ?? null]
      case 'skill':
        return [item.kind, item.skill.name]
      case 'note':
        return [item.kind, item.text]
      case 'approval':
        return [item.kind, item.name, item.decision, item.decidedBy]
    }
  })
  return { status: state.status, stop: state.stopReason, items, receipt: state.receipt?.run_id }
}

const EXPECTED = {
  status: 'completed',
  stop: 'answered',
  items: [
    ['thinking', 'An outage: load the skill.', true],
    ['text', 'I load it 👋🏽 now.', true],
    ['tool', 'load_skill', 'done', 'the body', 'incident-report'],
    ['tool', 'read_file', 'failed', 'no such file', null],
    ['text', '# Report\n\nAll is well.', true],
  ],
  receipt: RUN,
}

describe('a reader of a run', () => {
  it('shows the run as its events describe it', () => {
    expect(transcript(read(FRAMES))).toEqual(EXPECTED)
    expect(read(FRAMES).started).toEqual({ model: 'demo', catalogVersion: 4, demo: true })
  })

  it('ends with the same transcript however often it is disconnected, replayed and sent merged frames', () => {
    const excerptOf = fc.record({
      at: fc.nat(FRAMES.length),
      back: fc.nat(20),
      joins: fc.infiniteStream(fc.boolean()),
    })
    fc.assert(
      fc.property(fc.array(excerptOf, { maxLength: 6 }), fc.boolean(), (cuts, log) => {
        let state = newRun(RUN)
        for (const { at, back, joins } of cuts.toSorted((a, b) => a.at - b.at)) {
          // Some frames are repeated, and some overlap those that the reader has.
          const slice = FRAMES.slice(Math.max(0, state.seq - back), Math.max(state.seq, at))
          state = merged(slice, () => joins.next().value).reduce(applyEvent, state)
        }
        const rest = log ? fromLog(FRAMES) : FRAMES
        state = rest.filter((event) => event.seq > state.seq).reduce(applyEvent, state)
        expect(transcript(state)).toEqual(EXPECTED)
      }),
    )
  })

  it('sees the same run in the log, where deltas have no frames of their own', () => {
    expect(transcript(read(fromLog(FRAMES)))).toEqual(EXPECTED)
  })

  it('shows the same answer from the stored transcript after a reload', () => {
    const stored = [
      message('m_0', 'user', [{ type: 'text', text: 'Why?' }]),
      message('m_1', 'assistant', TURN_ONE),
      message('m_r', 'user', RESULTS),
      message('m_2', 'assistant', TURN_TWO),
    ]
    expect(transcript(runFromHistory(RUN, stored, RECEIPT, THREAD))).toEqual(EXPECTED)
  })

  it.each(['deny', 'expired'] as const)(
    'shows a call with the decision %s as denied, live and after a reload',
    (decision) => {
      const id = 'tu_9'
      const ask = {
        type: 'approval.requested',
        tool_use_id: id,
        name: 'send',
        input: {},
        request: null,
        reason: 'r',
        free: [],
        digest: 'd',
        expires_at: 't',
      } as const
      const state = read([
        frame(1, { type: 'tool.started', tool_use_id: id, name: 'send', input: {} }),
        frame(2, ask),
        frame(3, { type: 'approval.decided', tool_use_id: id, decision, by: 'ann' }),
        frame(4, {
          type: 'tool.completed',
          tool_use_id: id,
          name: 'send',
          is_error: true,
          preview: 'No',
          duration_ms: 1,
        }),
      ])
      expect(state.items.map((item) => (item.kind === 'tool' ? item.state : item.kind))).toEqual([
        'denied',
        'approval',
      ])
      expect(rowsOf(state.items).map(({ key }) => key)).toEqual([`approval:${id}`])
      const stored = [
        message('m_1', 'assistant', [{ type: 'tool_use', id, name: 'send', input: {} }]),
        message('m_r', 'user', [{ type: 'tool_result', tool_use_id: id, content: 'No', is_error: true }]),
      ]
      const receipt = { ...RECEIPT, approvals: [{ tool_use_id: id, decision, by: 'ann', at: 't' }] }
      expect(runFromHistory(RUN, stored, receipt, THREAD).items).toMatchObject([
        { kind: 'tool', state: 'denied' },
      ])
    },
  )

  it('drops unstored frames when the server was killed', () => {
    const upTo = FRAMES.findIndex((event) => event.type === 'step.restarted')
    const lost = [
      ...FRAMES.slice(0, upTo),
      frame(upTo + 1, { type: 'tool.started', tool_use_id: 'tu_9', name: 'ls', input: {} }),
    ]
    const crash = frame(4_200, { type: 'step.restarted', step: 2, reason: 'crash' }, upTo - 3)
    const after = FRAMES.slice(upTo + 1).map((event) => ({ ...event, seq: event.seq + 4_200 }))
    const stayed = [...lost, crash, ...after].reduce(applyEvent, newRun(RUN))
    const came = [...fromLog(FRAMES.slice(0, upTo)), crash, ...after].reduce(applyEvent, newRun(RUN))
    expect(transcript(stayed)).toEqual(transcript(came))
    expect(transcript(stayed).items.at(-1)).toEqual(['text', '# Report\n\nAll is well.', true])
    expect(transcript(stayed).items.flat()).not.toContain('ls')
  })

  it('keeps a complete message when its step restarts at the tools', () => {
    const upTo = FRAMES.findIndex((event) => event.type === 'tool.started')
    const crash = frame(4_200, { type: 'step.restarted', step: 1, reason: 'crash' }, upTo + 1)
    const state = [...FRAMES.slice(0, upTo + 2), crash].reduce(applyEvent, newRun(RUN))
    expect(transcript(state).items.map(([kind]) => kind)).toEqual(['thinking', 'text', 'note'])
    expect(transcript(state).items.at(-1)?.[1]).toMatch(/restarted/)
  })

  it('shows why the model is retried', () => {
    const detail = 'The Messages API responded with 500 api_error: Sorry.'
    const retry = frame(1, {
      type: 'model.retry',
      attempt: 1,
      wait_ms: 1_200,
      reason: 'server_error',
      detail,
    })
    const again = frame(2, { type: 'step.restarted', step: 1, reason: 'model_fault' })
    expect(read([retry, again]).retry).toEqual({ detail, attempt: 2 })
    expect(transcript(read([retry, again])).items).toEqual([])
    const delta = frame(3, { type: 'text.delta', step: 1, block: 0, offset: 0, text: 'Now' })
    expect(read([retry, again, delta]).retry).toBeNull()
  })

  it('shows a message that joined the run where it joined, live and from history', () => {
    const joined = {
      ...message('m9', 'user', [{ type: 'text', text: 'Turn left.' }]),
      steered: true as const,
    }
    const parts = [message('m1', 'assistant', [{ type: 'text', text: 'Straight on.' }]), joined]
    const whole = {
      type: 'message.completed',
      step: 1,
      model_stop: 'end_turn',
      usage: RECEIPT.usage,
    } as const
    const live = read([
      ...parts.slice(0, 1).map((part) => frame(1, { ...whole, message: part })),
      frame(2, { type: 'run.steered', message: joined }),
    ])
    for (const state of [live, runFromHistory(RUN, parts, RECEIPT, THREAD)])
      expect(transcript(state).items.slice(-2)).toEqual([
        expect.arrayContaining(['Straight on.']),
        ['steered', 'Turn left.'],
      ])
  })

  it('shows text that the output limit cut off as one with its continuation, live and from history', () => {
    const parts = [message('m1', 'assistant', [{ type: 'text', text: 'One, tw' }])]
    const rest = message('m2', 'assistant', [{ type: 'text', text: 'o.' }])
    const whole = (seq: number, step: number, output: Message, model_stop: string): Event =>
      frame(seq, { type: 'message.completed', step, message: output, model_stop, usage: RECEIPT.usage })
    const live = [
      ...parts.map((part) => whole(1, 1, part, 'max_tokens')),
      frame(2, { type: 'text.delta', step: 2, block: 0, offset: 0, text: 'o' }),
    ]
    expect(rowsOf(read(live).items)).toMatchObject([{ item: { text: 'One, two' } }])
    const all = [...parts, { ...rest, continues: true as const }]
    const ended = [...live, ...all.slice(1).map((part) => whole(3, 2, part, 'end_turn'))]
    for (const state of [read(ended), runFromHistory(RUN, all, RECEIPT, THREAD)]) {
      expect(rowsOf(state.items)).toMatchObject([{ item: { text: 'One, two.' } }])
      expect(answerOf(state.items)).toBe('One, two.')
    }
  })

  it('knows how long thinking took, even when the whole message has arrived', () => {
    const think = (seq: number, offset: number, at: string): Event => ({
      ...frame(seq, { type: 'thinking.delta', step: 1, block: 0, offset, text: 'hm' }),
      at,
    })
    const whole = {
      ...frame(3, {
        type: 'message.completed',
        step: 1,
        message: message('m', 'assistant', [{ type: 'thinking', thinking: 'hmhm' }]),
        model_stop: 'end_turn',
        usage: RECEIPT.usage,
      }),
    }
    const state = read([think(1, 0, '2026-01-02T03:04:05Z'), think(2, 2, '2026-01-02T03:04:09Z'), whole])
    expect(state.items).toMatchObject([
      { kind: 'thinking', text: 'hmhm', done: true, streamTime: { ms: 4_000 } },
    ])
  })

  it('puts the final message in the position of its streamed text', () => {
    const delta = frame(1, { type: 'text.delta', step: 2, block: 0, offset: 0, text: '#' })
    const warning = frame(2, { type: 'budget.warning', detail: 'Half is used.' })
    const whole = { ...FRAMES.findLast((event) => event.type === 'message.completed'), seq: 3 } as Event // found: FRAMES has two
    expect(transcript(read([delta, warning, whole])).items).toEqual([
      ['text', '# Report\n\nAll is well.', true],
      ['note', 'Half is used.'],
    ])
  })

  it('cuts at the offset in code points, never inside an emoji', () => {
    const delta = (seq: number, offset: number, text: string) =>
      frame(seq, { type: 'text.delta', step: 1, block: 0, offset, text })
    const state = read([delta(1, 0, 'a👋🏽b👋c'), delta(2, 3, 'B'), delta(3, 4, '!')])
    expect(transcript(state).items).toEqual([['text', 'a👋🏽B!', false]])
  })

  it('keeps the streamed text when a run ends at a limit, and stops running tools', () => {
    const started = frame(3, { type: 'tool.started', tool_use_id: 't', name: 'ls', input: {} })
    const output = frame(2, { type: 'text.delta', step: 1, block: 0, offset: 0, text: 'So far' })
    const receipt = { ...RECEIPT, status: 'cancelled', stop_reason: 'cancelled' } as const
    const state = read([
      output,
      started,
      frame(4, { type: 'run.cancelled', stop_reason: 'cancelled', receipt }),
    ])
    expect(transcript(state)).toMatchObject({
      status: 'cancelled',
      items: [
        ['text', 'So far', true],
        ['tool', 'ls', 'stopped', '', null],
      ],
    })
  })

  it('ignores frames of other runs and of unknown types', () => {
    const state = read(FRAMES.slice(0, 10))
    const foreign: Event = { ...frame(99, { type: 'thread.titled', title: 'x' }), run_id: 'run_2' }
    expect(applyEvent(state, foreign)).toBe(state)
    // A newer server's event: the type is not in this page's union, which is the case under test.
    const unknown = {
      ...frame(99, { type: 'thread.titled', title: 'x' }),
      type: 'todo.updated',
    } as unknown as Event
    expect(applyEvent(state, unknown).items).toEqual(state.items)
  })

  it('starts over from a snapshot when the log no longer has its position', () => {
    const messages = [message('m_1', 'assistant', TURN_ONE), message('m_r', 'user', RESULTS)]
    const other = { ...message('m_x', 'assistant', TURN_TWO), run_id: 'run_0' }
    const state = applyEvent(
      read(FRAMES.slice(0, 6)),
      frame(500, { type: 'snapshot', messages: [other, ...messages] }),
    )
    expect(state.seq).toBe(500)
    expect(transcript(state).items.map(([kind]) => kind)).toEqual(['thinking', 'text', 'tool', 'tool'])
  })
})

describe('a call that waits for approval', () => {
  const requested = (digest: string): EventBody => ({
    type: 'approval.requested',
    tool_use_id: 'tu_1',
    name: 'create_ticket',
    input: { title: 'x' },
    request: null,
    free: [],
    reason: 'Its rule asks.',
    digest,
    expires_at: '2026-01-09T03:04:05.000Z',
  })
  const waiting = {
    type: 'run.waiting',
    reason: 'approval',
    tool_use_ids: ['tu_1'],
    since: '2026-01-02T03:04:05.000Z',
    until: '2026-01-02T03:04:05.000Z',
    detail: '',
  } as const

  it('is one card with the newest request, the decision and who made it', () => {
    const first = read([frame(1, requested('a')), frame(2, waiting)])
    expect(first).toMatchObject({ status: 'waiting', items: [{ digest: 'a', decision: null, runId: RUN }] })
    const frames = [frame(3, requested('b')), frame(4, waiting)]
    const second = frames.reduce(applyEvent, first)
    expect(second.items).toMatchObject([{ kind: 'approval', digest: 'b', decision: null }])
    const decided = {
      type: 'approval.decided',
      tool_use_id: 'tu_1',
      decision: 'deny',
      by: 'user:ada',
    } as const
    const last = [frame(5, decided), frame(6, { type: 'run.resumed' })].reduce(applyEvent, second)
    expect(transcript(last)).toMatchObject({
      status: 'running',
      items: [['approval', 'create_ticket', 'deny', 'user:ada']],
    })
  })

  it('is closed with its run', () => {
    const receipt = { ...RECEIPT, status: 'cancelled', stop_reason: 'cancelled' } as const
    const over = frame(3, { type: 'run.cancelled', stop_reason: 'cancelled', receipt })
    const state = read([frame(1, requested('a')), frame(2, waiting), over])
    expect(transcript(state).items).toEqual([['approval', 'create_ticket', 'closed', '']])
  })
})

describe('a question', () => {
  it('is shown with the text and the choices that the person may see', () => {
    const requested = {
      kind: 'missing_info',
      question: 'Where?',
      context: null,
      options: ['Europe', 'Asia'],
    } as const
    const state = read([
      frame(1, {
        type: 'tool.started',
        tool_use_id: 'tu_1',
        name: 'ask_clarification',
        input: { options: 'x' },
      }),
      frame(2, { type: 'input.requested', id: 'tu_1', ...requested }),
    ])
    expect(state.items).toMatchObject([{ kind: 'tool', name: 'ask_clarification', input: requested }])
  })
})
