// Guards that a thread is the same in every tab and after a reload, and that asking again never changes earlier
// messages.

import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'

import type { Event } from '../../../src/agent/events.ts'
import { applyEvent, newRun } from '../../../src/page/run/state.ts'
import { resendWhenBack } from '../../../src/page/state/chat/resend.ts'
import { FRAMES, message, RECEIPT, RESULTS, RUN, TURN_ONE, TURN_TWO } from './frames.ts'
import { browserOf, list, refusal, settled, threadInfo } from './ports.ts'
import { line, offline, stream, talk, type Call } from './talk.ts'
import { until } from '../../../scripts/lab/rig/until.ts'

const CHAT = 'POST /v1/chat'
const RUNS = 'GET /v1/threads/th_1/runs'
const MESSAGES = 'GET /v1/threads/th_1/messages'
const EVENTS = `GET /v1/threads/th_1/runs/${RUN}/events`
const FORK = 'POST /v1/threads/th_1/fork'
const FORKED_FROM = { thread_id: 'th_1', message_id: 'msg_0', messages: 0 }
const QUESTION = message('msg_0', 'user', [{ type: 'text', text: 'What happened?' }])
const STORED = [
  QUESTION,
  message('m_1', 'assistant', TURN_ONE),
  message('m_r', 'user', RESULTS),
  message('m_2', 'assistant', TURN_TWO),
]
const RUNNING = { ...RECEIPT, status: 'running', stop_reason: null, ended_at: null, skills: [] }
const WHOLE = FRAMES.reduce(applyEvent, newRun(RUN))
const of = (runId: string): readonly Event[] => FRAMES.map((event) => ({ ...event, run_id: runId }))
const inBranch = (events: readonly Event[]): readonly Event[] =>
  events.map((event) => ({ ...event, thread_id: 'th_2', run_id: 'run_2' }))

describe('a thread that is opened', () => {
  it('shows its messages, and follows a run in progress from its beginning', async () => {
    const { conversation } = talk({
      [RUNS]: () => list([RUNNING]),
      [MESSAGES]: () => list([QUESTION]),
      [EVENTS]: () => stream(FRAMES),
    })
    await conversation.open('th_1')
    const [turn] = conversation.turns.value
    expect(turn?.question.value).toMatchObject({ text: 'What happened?', messageId: 'msg_0' })
    await until('it has ended', () => turn?.run.value.status === 'completed')
    expect(turn?.run.value).toEqual(WHOLE)
  })

  it('has a line where its window was replaced, even by a run without a message', async () => {
    const { conversation } = talk({
      [RUNS]: () =>
        list([
          { ...RECEIPT, run_id: 'run_3', windows: [{ window: 3, message_id: 'm_3', summary: 'Third.' }] },
          { ...RECEIPT, run_id: 'run_2', windows: [{ window: 2, message_id: 'm_q', summary: 'Second.' }] },
          RECEIPT,
        ]),
      [MESSAGES]: () =>
        list([
          QUESTION,
          { ...message('m_q', 'user', [{ type: 'text', text: 'More.' }]), run_id: 'run_3' },
          { ...message('m_2', 'assistant', [{ type: 'text', text: 'First.' }]), run_id: 'run_3' },
          { ...message('m_3', 'assistant', [{ type: 'text', text: 'Then.' }]), run_id: 'run_3' },
        ]),
    })
    await conversation.open('th_1')
    const shown = conversation.turns.value.map(({ run }) =>
      run.value.items.map((item) => (item.kind === 'note' ? [item.text, item.details] : item.key)),
    )
    expect(shown).toEqual([
      [],
      [['Conversation compacted', 'Second.']],
      ['m_2.0', ['Conversation compacted', 'Third.'], 'm_3.0'],
    ])
  })

  it('gets the text of a queued message when its turn comes', async () => {
    const { conversation } = talk({
      [RUNS]: () => list([{ ...RUNNING, status: 'queued' }]),
      [MESSAGES]: (_, before) => (before === 0 ? list([]) : list([QUESTION])),
      [EVENTS]: () => stream(FRAMES),
    })
    await conversation.open('th_1')
    const [turn] = conversation.turns.value
    expect(turn?.question.value.text).toBe('')
    await until('the words are there', () => turn?.question.value.text === 'What happened?')
  })

  it('that cannot be read says so, and keeps nothing of the previous one', async () => {
    const { conversation } = talk({
      [CHAT]: () => stream(FRAMES),
      'GET /v1/threads/gone/runs': () => refusal(404, 'not_found'),
    })
    await conversation.send('What happened?', [], {})
    await conversation.open('gone')
    expect(conversation.state.value).toBe('failed')
    expect(conversation.trouble.value).toMatchObject({ remedy: 'new', detail: 'It is not_found.' })
    expect(conversation.turns.value).toEqual([])
  })

  it('shows the files of a branch with the messages that they were sent with', async () => {
    const file = (path: string, updated_at: string) => ({
      path,
      bytes: 1,
      href: '/x',
      origin: 'upload',
      updated_at,
    })
    const { conversation } = talk({
      [MESSAGES]: () => list([...STORED]),
      'GET /v1/threads/th_1/files': () =>
        list([
          file('uploads/a.csv', '2026-01-02T03:04:00.000Z'),
          file('uploads/b.csv', '2026-01-02T03:09:00.000Z'),
        ]),
    })
    await conversation.open('th_1')
    expect(
      conversation.turns.value.map(({ question }) => question.value.files.map(({ path }) => path)),
    ).toEqual([['uploads/a.csv']])
    expect(conversation.waitingFiles.value.map(({ path }) => path)).toEqual(['uploads/b.csv'])
  })
})

describe('two tabs', () => {
  it('show the same run, whichever began it', async () => {
    const tab = browserOf()
    const live = [line(), line()]
    const [first, second] = live
    const here = talk({ [CHAT]: () => first?.response ?? list([]) }, tab.join())
    const there = talk({ [EVENTS]: () => second?.response ?? list([]) }, tab.join())
    await here.conversation.open('th_1')
    await there.conversation.open('th_1')
    const sent = here.conversation.send('What happened?', [], {})
    await until('the other tab has it', () => there.conversation.turns.value.length === 1)
    for (const one of live) one.push(FRAMES)
    await sent
    const [mine] = here.conversation.turns.value
    const [theirs] = there.conversation.turns.value
    await until('both have ended', () => theirs?.run.value.status === 'completed')
    expect(theirs?.question.value.text).toBe('What happened?')
    expect(theirs?.run.value).toEqual(mine?.run.value)
    expect(there.of(CHAT)).toEqual([])
  })

  it('do not show a run twice when they learn of it while reading the thread, and miss none', async () => {
    const tab = browserOf()
    const tell = tab.join().broadcast
    let go: (response: Response) => void = () => undefined
    const read = new Promise<Response>((resolve) => (go = resolve))
    const there = talk(
      {
        [RUNS]: () => read,
        [MESSAGES]: () => list([QUESTION]),
        [EVENTS]: () => stream(FRAMES),
        'GET /v1/threads/th_1/runs/run_2/events': () => stream(of('run_2')),
      },
      tab.join(),
    )
    const opening = there.conversation.open('th_1')
    for (const runId of [RUN, 'run_2'])
      tell({
        kind: 'run',
        threadId: 'th_1',
        runId,
        text: runId,
        files: [{ path: 'a', bytes: 1, href: '/a' }, 7],
      })
    go(list([RUNNING]))
    await opening
    expect(there.conversation.turns.value.map(({ question }) => question.value.text)).toEqual([
      'What happened?',
      'run_2',
    ])
    expect(there.conversation.turns.value[1]?.question.value.files).toEqual([
      { path: 'a', bytes: 1, href: '/a' },
    ])
  })

  it('ignore messages about other threads, and invalid ones', async () => {
    const tab = browserOf()
    const tell = tab.join().broadcast
    const there = talk({}, tab.join())
    await there.conversation.open('th_1')
    for (const odd of [
      { kind: 'run', threadId: 'th_2', runId: 'r' },
      { kind: 'run', threadId: 'th_1' },
      { kind: 'threads' },
      'run',
      null,
    ])
      tell(odd)
    expect(there.conversation.turns.value).toEqual([])
  })
})

describe('messages that could not be delivered', () => {
  it('are sent in order when the server is back, each under its own key and into one thread', async () => {
    let up = false
    const { conversation, of: requested } = talk({
      [CHAT]: ({ body }) => {
        if (!up) return offline()
        const isFirst = JSON.stringify(body).includes('First')
        return stream(isFirst ? FRAMES : FRAMES.map((event) => ({ ...event, run_id: 'run_2' })))
      },
    })
    const reconnects = signal(0)
    resendWhenBack(reconnects, conversation)
    await conversation.send('First', [], {})
    await conversation.send('Second', [], {})
    const lines = (): readonly string[] => conversation.turns.value.map(({ connection: line }) => line.value)
    expect(lines()).toEqual(['refused', 'refused'])
    const tries = requested(CHAT).length
    // The first signal that the server is back comes too early.
    reconnects.value++
    await until(
      'it was tried',
      () => lines().every((state) => state === 'refused') && requested(CHAT).length > tries,
    )
    up = true
    const before = requested(CHAT).length
    reconnects.value++
    await until('both are answered', () =>
      conversation.turns.value.every(({ run }) => run.value.status === 'completed'),
    )
    expect(
      requested(CHAT)
        .slice(before)
        .map(({ headers, body }) => [headers.get('idempotency-key'), body]),
    ).toMatchObject([
      ['key-1', { message: 'First' }],
      ['key-2', { message: 'Second', thread_id: 'th_1' }],
    ])
  })

  it('do not include those that the server refused, which wait for their writer', async () => {
    const { conversation, of: requested } = talk({ [CHAT]: () => refusal(413, 'too_large') })
    const reconnects = signal(0)
    resendWhenBack(reconnects, conversation)
    await conversation.send('First', [], {})
    reconnects.value++
    await settled()
    expect(requested(CHAT)).toHaveLength(1)
  })
})

describe('asking again', () => {
  const branch = {
    [RUNS]: () => list([RECEIPT]),
    [MESSAGES]: () => list([...STORED]),
    [FORK]: () => Response.json({ thread_id: 'th_2' }, { status: 201 }),
    'GET /v1/threads/th_2': () =>
      Response.json(threadInfo('th_2', { root: 'th_1', forked_from: FORKED_FROM })),
    [CHAT]: () => stream(inBranch(FRAMES)),
  }

  it('forks before the message, opens the branch and sends the same there', async () => {
    const { conversation, of: requested, opened, calls } = talk(branch)
    await conversation.open('th_1')
    const [turn] = conversation.turns.value
    if (turn) expect(await conversation.retry(turn)).toMatchObject({ ok: true })
    expect(requested(FORK).map(({ body }) => body)).toEqual([{ message_id: 'msg_0' }])
    expect(requested(FORK)[0]?.headers.get('idempotency-key')).toBe('key-1')
    expect(requested(CHAT).map(({ body }) => body)).toMatchObject([
      { message: 'What happened?', thread_id: 'th_2' },
    ])
    expect(conversation.threadId.value).toBe('th_2')
    expect(opened).toEqual(['th_2'])
    await until('it is answered', () => conversation.turns.value[0]?.run.value.status === 'completed')
    expect(conversation.info.value?.forked_from).toEqual(FORKED_FROM)
    const [repeated] = conversation.turns.value
    expect(repeated && conversation.branches.pointOf(repeated)).toEqual({
      versions: ['th_1', 'th_2'],
      index: 1,
    })
    // The original thread is not changed.
    expect(calls.filter(({ name }) => name.includes('th_1') && !name.startsWith('GET'))).toHaveLength(1)
  })

  it('sends new text after an edit, with the files and options of the message', async () => {
    const file = {
      path: 'uploads/a.csv',
      bytes: 1,
      href: '/a',
      origin: 'upload',
      updated_at: '2026-01-02T03:04:00Z',
    }
    const { conversation, of: requested } = talk({
      ...branch,
      [CHAT]: (_: Call, before: number) => stream(before === 0 ? FRAMES : inBranch(FRAMES)),
      'GET /v1/threads/th_2/files': () => list([file]),
    })
    await conversation.send('What happened?', [], { effort: 'high' })
    const [turn] = conversation.turns.value
    // The page sent it but did not read its ID: it looks the ID up.
    expect(turn?.question.value.messageId).toBeNull()
    if (turn) await conversation.edit(turn, 'What happened then?')
    expect(requested(FORK).map(({ body }) => body)).toEqual([{ message_id: 'msg_0' }])
    expect(requested(CHAT)[1]?.body).toMatchObject({
      message: 'What happened then?',
      effort: 'high',
      thread_id: 'th_2',
    })
    expect(conversation.turns.value[0]?.question.value.files.map(({ path }) => path)).toEqual([
      'uploads/a.csv',
    ])
  })

  it('changes nothing when the server refuses to fork', async () => {
    const { conversation, of: requested } = talk({ ...branch, [FORK]: () => refusal(413, 'storage_full') })
    await conversation.open('th_1')
    const turns = conversation.turns.value
    if (turns[0]) expect(await conversation.retry(turns[0])).toMatchObject({ ok: false })
    expect(conversation.turns.value).toBe(turns)
    expect(requested(CHAT)).toEqual([])
  })

  it('does not switch threads if the user has opened another one meanwhile', async () => {
    let go: (response: Response) => void = () => undefined
    const made = new Promise<Response>((resolve) => (go = resolve))
    const { conversation, of: requested } = talk({ ...branch, [FORK]: () => made })
    await conversation.open('th_1')
    const [turn] = conversation.turns.value
    const retried = turn && conversation.retry(turn)
    await conversation.open('th_9')
    go(Response.json({ thread_id: 'th_2' }, { status: 201 }))
    await retried
    expect(conversation.threadId.value).toBe('th_9')
    expect(requested(CHAT)).toEqual([])
  })
})

it('a rating is kept with the run, and can be removed', async () => {
  const rating = { value: 'down', note: 'Too long', by: 'key:a', at: RECEIPT.accepted_at }
  const path = `/v1/threads/th_1/runs/${RUN}/rating`
  const { conversation, of: requested } = talk({
    [RUNS]: () => list([RECEIPT]),
    [MESSAGES]: () => list([...STORED]),
    [`POST ${path}`]: () => Response.json({ ...RECEIPT, rating }),
    [`DELETE ${path}`]: () => Response.json({ ...RECEIPT, rating: null }),
  })
  await conversation.open('th_1')
  const [turn] = conversation.turns.value
  if (!turn) throw new Error('no turn')
  await conversation.rate(turn, { value: 'down', note: 'Too long' })
  expect(requested(`POST ${path}`)[0]?.body).toEqual({ value: 'down', note: 'Too long' })
  expect(turn.run.value.receipt?.rating).toEqual(rating)
  await conversation.rate(turn, null)
  expect(turn.run.value.receipt?.rating).toBeNull()
})
