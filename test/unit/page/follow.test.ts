// Guards accepted messages: a lost connection resumes after the last event, a message is sent once, and the page shows the true
// state.

import { describe, expect, it } from 'vitest'

import { CLIENT_RECONNECTS_MAX, CLIENT_START_ATTEMPTS_MAX } from '../../../src/client/limits.ts'
import { AWAY_RETRY_MS } from '../../../src/page/lib/limits.ts'
import { applyEvent, newRun } from '../../../src/page/run/state.ts'
import { frame, FRAMES, RECEIPT, RUN } from './frames.ts'
import { refusal } from './ports.ts'
import { line, offline, stream, talk } from './talk.ts'
import { until } from '../../../scripts/lab/rig/until.ts'

const CHAT = 'POST /v1/chat'
const EVENTS = `GET /v1/threads/th_1/runs/${RUN}/events`
const WHOLE = FRAMES.reduce(applyEvent, newRun(RUN))

describe('an answer', () => {
  it('is resumed after the last received frame, and equals one without interruption', async () => {
    const { conversation, of } = talk({
      [CHAT]: () => stream(FRAMES.slice(0, 20), 'cut'),
      [EVENTS]: (_, before) => stream(before === 0 ? FRAMES.slice(15, 40) : FRAMES.slice(40)),
    })
    await conversation.send('What happened?', [], {})
    expect(of(CHAT)).toHaveLength(1)
    expect(of(EVENTS).map(({ headers }) => headers.get('last-event-id'))).toEqual(['20', '40'])
    const [turn] = conversation.turns.value
    expect(turn?.run.value).toEqual(WHOLE)
    expect(turn?.connection.value).toBe('good')
  })

  it('is waited for as long as the page is visible while the server is away, with a status', async () => {
    const back = line()
    let up = false
    const { conversation, waits } = talk({
      [CHAT]: () => stream(FRAMES.slice(0, 20), 'cut'),
      [EVENTS]: () => (up ? back.response : offline()),
    })
    void conversation.send('What happened?', [], {})
    await until('it waits for a server that is away', () => waits.includes(AWAY_RETRY_MS))
    const turn = conversation.turns.value[0]
    expect(turn?.connection.value).toBe('away')
    expect(turn?.run.value.items).toMatchObject([{ kind: 'thinking', text: 'An outage: load t' }])
    up = true
    back.push(FRAMES.slice(20))
    await until('it has ended', () => turn?.run.value.status === 'completed')
    expect(turn?.connection.value).toBe('good')
    expect(turn?.run.value).toEqual(WHOLE)
  })

  it('that waits for approval is followed with pauses, however often its stream is closed', async () => {
    const waiting = {
      type: 'run.waiting',
      reason: 'approval',
      tool_use_ids: ['t'],
      since: '2026-01-02T03:04:05.000Z',
      until: '2026-01-02T03:04:05.000Z',
      detail: '',
    } as const
    const end = { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT } as const
    let seen: string[] = []
    const { conversation, runs } = talk({
      [CHAT]: () => stream([frame(1, waiting)]),
      [EVENTS]: (_, before) => {
        seen = [...seen, conversation.turns.peek()[0]?.connection.peek() ?? '']
        return stream(before < 3 * CLIENT_RECONNECTS_MAX ? [] : [frame(2, end)])
      },
    })
    await conversation.send('A ticket', [], {})
    expect(new Set(seen)).toEqual(new Set(['good']))
    expect(conversation.turns.value[0]?.run.value.status).toBe('completed')
    // Started, waiting, ended: the list of threads gets each event.
    expect(runs).toEqual(['th_1', 'th_1', 'th_1'])
  })

  it('that can no longer be followed keeps the shown text, and is resumed on request', async () => {
    const { conversation } = talk({
      [CHAT]: () => stream(FRAMES.slice(0, 20), 'cut'),
      [EVENTS]: (_, before) => (before === 0 ? refusal(403, 'forbidden') : stream(FRAMES.slice(20))),
    })
    await conversation.send('What happened?', [], {})
    const [turn] = conversation.turns.value
    expect(turn?.connection.value).toBe('broken')
    expect(turn?.trouble.value).toMatchObject({ title: 'The answer could not be followed', remedy: 'key' })
    expect(turn?.run.value.items).toHaveLength(1)
    if (turn) await conversation.reconnect(turn)
    expect(turn?.run.value).toEqual(WHOLE)
    expect(turn?.trouble.value).toBeNull()
  })

  it('ends with a failed run as with any other', async () => {
    const error = { type: '', title: '', status: 502, code: 'model_error', detail: 'd', request_id: 'r' }
    const receipt = { ...RECEIPT, status: 'failed', stop_reason: 'model_error', error } as const
    const { conversation } = talk({
      [CHAT]: () => stream([frame(1, { type: 'run.failed', stop_reason: 'model_error', receipt, error })]),
    })
    await conversation.send('x', [], {})
    expect(conversation.turns.value[0]?.run.value).toMatchObject({ status: 'failed', error: { detail: 'd' } })
    expect(conversation.activeTurn.value).toBeNull()
  })
})

describe('a message', () => {
  it('is resent automatically with the same key when no response came', async () => {
    const { conversation, of } = talk({ [CHAT]: (_, before) => (before < 2 ? offline() : stream(FRAMES)) })
    await conversation.send('What happened?', [], {})
    expect(of(CHAT).map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1', 'key-1'])
    expect(conversation.turns.value[0]?.run.value.status).toBe('completed')
  })

  it('that was refused keeps its text, and is sent again with the same key', async () => {
    const { conversation, of } = talk({
      [CHAT]: (_, before) => (before === 0 ? refusal(429, 'rate_limited') : stream(FRAMES)),
    })
    await conversation.send('What happened?', [], { effort: 'high' })
    const [turn] = conversation.turns.value
    expect(turn?.connection.value).toBe('refused')
    expect(turn?.trouble.value).toMatchObject({ detail: 'It is rate_limited.', remedy: 'again' })
    expect(conversation.activeTurn.value).toBeNull()
    if (turn) await conversation.sendAgain(turn)
    expect(conversation.turns.value).toEqual([turn])
    expect(turn?.run.value.status).toBe('completed')
    expect(turn?.trouble.value).toBeNull()
    const [first, second] = of(CHAT)
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
    expect(second?.body).toEqual(first?.body)
    expect(first?.body).toMatchObject({ message: 'What happened?', effort: 'high', on_busy: 'enqueue' })
  })

  it('that was refused can be withdrawn: its text is returned, and no turn stays', async () => {
    const { conversation } = talk({ [CHAT]: offline })
    await conversation.send('What happened?', [], {})
    const [turn] = conversation.turns.value
    expect(turn?.connection.value).toBe('refused')
    if (turn) expect(conversation.withdraw(turn).question.value.text).toBe('What happened?')
    expect(conversation.returnedQuestion.value?.text).toBe('What happened?')
    expect(conversation.turns.value).toEqual([])
  })

  it('is not retried forever when nobody answers', async () => {
    const { conversation, of } = talk({ [CHAT]: offline })
    await conversation.send('x', [], {})
    expect(of(CHAT)).toHaveLength(CLIENT_START_ATTEMPTS_MAX)
  })
})
