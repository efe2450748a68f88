// Guards the composer: everything written is sent once or still there. Covers drafts by thread, the message queued
// during an answer, and text that is returned.

import { expect, it } from 'vitest'

import type { Event } from '../../../src/agent/events.ts'
import { DRAFT_SAVE_DELAY_MS, DRAFTS_MAX } from '../../../src/page/state/composer/limits.ts'
import { PASTED_TEXT_MAX_CHARS } from '../../../src/page/composer/limits.ts'
import { hashSecret } from '../../../src/page/lib/digest.ts'
import { createDrafts } from '../../../src/page/state/composer/drafts.ts'
import { announceProgress } from '../../../src/page/state/frame/status.ts'
import { composing, gate } from './composing.ts'
import { frame, RECEIPT, RUN } from './frames.ts'
import { browserOf, fakePage, refusal, settled } from './ports.ts'
import { labels } from '../../../src/page/run/call-labels.ts'
import { READ_FILE } from '../../../src/tools/files/read-file.ts'

const encoder = new TextEncoder()

/** A stream of a run that the test ends. */
function live(run = RUN): {
  readonly answer: () => Response
  readonly announce: (...events: readonly Event[]) => void
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) })
  const headers = { 'x-thread-id': 'th_1', 'x-run-id': run, 'content-type': 'text/event-stream' }
  return {
    answer: () => new Response(body, { headers }),
    announce(...events) {
      for (const event of events)
        controller?.enqueue(
          encoder.encode(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
        )
    },
  }
}
const accepted = frame(1, { type: 'run.accepted', status: 'running' })
const ended = (seq: number): Event =>
  frame(seq, { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT })

it('a draft is saved after a moment for its thread only, and an empty one is not saved', async () => {
  const page = await composing({})
  page.composer.write('for a new one')
  expect(page.drafts()).toEqual({})
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(page.drafts()).toMatchObject({ new: { text: 'for a new one' } })
  await page.go('th_2')
  expect(page.composer.text.value).toBe('')
  page.composer.write('for the second')
  await page.pass(DRAFT_SAVE_DELAY_MS)
  await page.go(null)
  expect(page.composer.text.value).toBe('for a new one')
  page.composer.write('')
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(Object.keys(page.drafts())).toEqual(['th_2'])
  page.composer.forget()
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(page.drafts()).toEqual({})
})

it('a draft is saved at once when the page closes, and the oldest of very many are dropped', async () => {
  const page = fakePage({})
  const { ports } = page
  const drafts = createDrafts(ports, () => 'a')
  for (let thread = 0; thread < DRAFTS_MAX + 3; thread++) {
    drafts.write(`th_${thread}`, { text: 'x', queued: '', sending: '', createdThread: '' })
    drafts.flush()
    await page.pass(1)
  }
  expect(ports.browser.names()).toHaveLength(DRAFTS_MAX)
  expect(drafts.read('th_0').text).toBe('')
  expect(drafts.read(`th_${DRAFTS_MAX + 2}`).text).toBe('x')
  ports.browser.set('satchel.draft.a.th_0', '{not JSON')
  expect(drafts.read('th_0').text).toBe('')
})

it('a draft belongs to its key: another key sees none of it, and forgets only its own', async () => {
  const tabs = browserOf()
  const mine = await composing({}, undefined, tabs)
  mine.composer.write('for my own eyes')
  await mine.pass(DRAFT_SAVE_DELAY_MS)
  const theirs = await composing({}, undefined, tabs, undefined, 'their-key')
  expect(theirs.composer.text.value).toBe('')
  theirs.composer.write('of theirs')
  await theirs.pass(DRAFT_SAVE_DELAY_MS)
  theirs.composer.forget()
  expect((await composing({}, undefined, tabs, undefined, 'their-key')).composer.text.value).toBe('')
  expect((await composing({}, undefined, tabs)).composer.text.value).toBe('for my own eyes')
  expect(tabs.store.names().filter((name) => name.includes('a-key'))).toEqual([])
})

it('a sent message is a draft until the server has returned its run, and then belongs to its thread', async () => {
  const run = live()
  const requested = gate()
  const tabs = browserOf()
  const answers = {
    'POST /v1/chat': async () => {
      await requested.opened
      return run.answer()
    },
  }
  const page = await composing(answers, undefined, tabs)
  page.composer.write('Do not lose me')
  await page.composer.send()
  page.composer.write('and more')
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(page.drafts()).toMatchObject({ new: { sending: 'Do not lose me', text: 'and more' } })
  // The page closes and opens again.
  const again = await composing({}, undefined, tabs)
  expect(again.composer.text.value).toBe('Do not lose me\n\nand more')

  requested.open()
  await settled()
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(page.drafts()).toMatchObject({ th_1: { sending: '', text: 'and more' } })
  expect(page.drafts()).not.toHaveProperty('new')
})

it('a message is fully sent even if its writer opens another thread, and is then no draft', async () => {
  const run = live()
  const requested = gate()
  const signals: (AbortSignal | null | undefined)[] = []
  const answers = {
    'POST /v1/chat': async (_: URL, { signal }: RequestInit) => {
      signals.push(signal)
      await requested.opened
      return run.answer()
    },
  }
  const page = await composing(answers)
  page.composer.write('Do not lose me')
  await page.composer.send()
  await page.go('th_other')
  expect(page.composer.text.value).toBe('')
  expect(signals.map((signal) => signal?.aborted)).toEqual([false])
  requested.open()
  await settled()
  // Its answer is abandoned.
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  expect(page.conversation.threadId.value).toBe('th_other')
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(page.drafts()).toEqual({})
  await page.go(null)
  expect(page.composer.text.value).toBe('')
})

it('a message sent while its writer begins another is not restored, unless it could not be sent', async () => {
  for (const [requested, box] of [
    [() => live().answer(), 'Another'],
    [() => refusal(422, 'bad_request'), 'One\n\nAnother'],
  ] as const) {
    const open = gate()
    const answers = {
      'POST /v1/chat': async () => {
        await open.opened
        return requested()
      },
    }
    const page = await composing(answers)
    page.composer.write('One')
    await page.composer.send()
    await page.go(null)
    expect(page.composer.text.value).toBe('')
    page.composer.write('Another')
    open.open()
    await settled()
    expect(page.composer.text.value).toBe(box)
  }
})

it('a message that arrived before the page closed is not restored', async () => {
  const tabs = browserOf()
  const kept = { text: '', next: '', sending: 'Asked', made: '' }
  tabs.store.set(`satchel.draft.${hashSecret('a-key')}.th_1`, JSON.stringify(kept))
  const output = { id: 'm_0', run_id: RUN, role: 'user', content: [{ type: 'text', text: 'Asked' }] }
  const answers = {
    'GET /v1/threads/th_1/runs': () => Response.json({ data: [RECEIPT], next_cursor: null }),
    'GET /v1/threads/th_1/messages': () => Response.json({ data: [output], next_cursor: null }),
  }
  const page = await composing(answers, undefined, tabs)
  await page.go('th_1')
  expect(page.composer.text.value).toBe('')
  await page.pass(DRAFT_SAVE_DELAY_MS)
  expect(page.drafts()).toEqual({})
})

it('one message is queued during an answer and sent when it ends; a second stays in the box', async () => {
  const runs = [live(), live('run_2')]
  const page = await composing({ 'POST /v1/chat': () => runs[sent++]?.answer() ?? refusal(500, 'internal') })
  let sent = 0
  page.composer.write('First')
  await page.composer.send()
  runs[0]?.announce(accepted)
  await settled()
  page.composer.write('Second')
  await page.composer.send()
  expect(page.composer.queuedMessage.value?.text).toBe('Second')
  page.composer.write('Third')
  await page.composer.send()
  expect(page.composer.text.value).toBe('Third')
  expect(page.composer.trouble.value?.title).toBe('A message is already queued')
  expect(sent).toBe(1)
  runs[0]?.announce(ended(2))
  await settled()
  expect(sent).toBe(2)
  expect(page.composer.queuedMessage.value).toBe(null)
  expect(page.composer.trouble.value).toBe(null)
  expect(page.conversation.turns.value.map((turn) => turn.question.value.text)).toEqual(['First', 'Second'])
})

it('a queued message belongs to its tab: a reload restores it, and another tab never does', async () => {
  const run = live()
  const tabs = browserOf()
  const page = await composing({ 'POST /v1/chat': run.answer }, undefined, tabs)
  page.composer.write('First')
  await page.composer.send()
  run.announce(accepted)
  await settled()
  page.composer.write('Second')
  await page.composer.send()
  await page.pass(DRAFT_SAVE_DELAY_MS)
  const other = await composing({}, undefined, tabs)
  await other.go('th_1')
  expect([other.composer.queuedMessage.value, other.composer.text.value]).toEqual([null, ''])
  const again = await composing({}, undefined, tabs, page.ports.tab)
  await again.go('th_1')
  expect(again.composer.text.value).toBe('Second')
})

it('the thread created for files of a new conversation belongs to the tab that created it', async () => {
  const tabs = browserOf()
  const info = { path: 'uploads/a.csv', bytes: 1, href: '/v1/threads/th_1/files/uploads/a.csv' }
  let made = 0
  const answers = { 'POST /v1/threads': () => Response.json({ thread_id: `th_${++made}` }, { status: 201 }) }
  const upload = async () => Response.json({ data: [info] }, { status: 201 })
  const page = await composing(answers, upload, tabs)
  page.attachments.add([new File(['x'], 'a.csv')])
  await page.attachments.ready()
  await page.pass(DRAFT_SAVE_DELAY_MS)
  const other = await composing(answers, upload, tabs)
  expect(other.attachments.createdThread.value).toBe(null)
  other.attachments.add([new File(['x'], 'a.csv')])
  await other.attachments.ready()
  expect(other.attachments.createdThread.value).toBe('th_2')
  const again = await composing(answers, upload, tabs, page.ports.tab)
  expect(again.attachments.createdThread.value).toBe('th_1')
})

it('a selected answer is sent with the attached files, once, and keeps the text in the box', async () => {
  const runs = [live(), live('run_2')]
  const info = { path: 'uploads/a.csv', bytes: 1, href: '/v1/threads/th_1/files/uploads/a.csv' }
  const kept = gate()
  let sent = 0
  const page = await composing(
    { 'POST /v1/chat': () => runs[sent++]?.answer() ?? refusal(500, 'internal') },
    async () => {
      await kept.opened
      return Response.json({ data: [info] }, { status: 201 })
    },
  )
  page.composer.write('First')
  await page.composer.send()
  runs[0]?.announce(
    accepted,
    frame(2, { type: 'run.completed', stop_reason: 'awaiting_input', receipt: RECEIPT }),
  )
  await settled()
  page.attachments.add([new File(['x'], 'a.csv')])
  page.composer.write('half a thought')
  const pressed = [page.composer.answer('Monthly'), page.composer.answer('Monthly')]
  await settled()
  expect(sent).toBe(1)
  kept.open()
  await Promise.all(pressed)
  expect(sent).toBe(2)
  expect(page.attachments.chips.value).toEqual([])
  const requested = page.conversation.turns.value.map((turn) => turn.question.value)
  expect(requested.map(({ text, files }) => [text, files.map(({ path }) => path)])).toEqual([
    ['First', []],
    ['Monthly', ['uploads/a.csv']],
  ])
  expect(page.composer.text.value).toBe('half a thought')
})

it.each(['run.cancelled', 'run.failed', 'awaiting_input'] as const)(
  'after %s the queued message is restored in the box, before its text',
  async (how) => {
    const run = live()
    const page = await composing({ 'POST /v1/chat': run.answer })
    page.composer.write('First')
    await page.composer.send()
    run.announce(accepted)
    await settled()
    page.composer.write('Second')
    await page.composer.send()
    page.composer.write('Third')
    if (how === 'awaiting_input')
      run.announce(frame(2, { type: 'run.completed', stop_reason: how, receipt: RECEIPT }))
    else if (how === 'run.failed')
      run.announce(frame(2, { type: how, stop_reason: 'model_error', receipt: RECEIPT }))
    else run.announce(frame(2, { type: how, stop_reason: 'cancelled', receipt: RECEIPT }))
    await settled()
    expect(page.composer.text.value).toBe('Second\n\nThird')
    expect(page.composer.queuedMessage.value).toBe(null)
  },
)

it('a message that must be fixed is returned with the reason; one that may succeed can be sent again', async () => {
  const answers = [refusal(422, 'invalid_request'), refusal(429, 'rate_limited')]
  const page = await composing({ 'POST /v1/chat': () => answers.shift() ?? refusal(500, 'internal') })
  page.composer.write('/nobody it')
  await page.composer.send()
  await settled()
  expect(page.composer.text.value).toBe('/nobody it')
  expect(page.composer.trouble.value?.detail).toContain('It is invalid_request.')
  expect(page.conversation.turns.value).toEqual([])
  await page.composer.send()
  await settled()
  expect(page.composer.trouble.value).toBe(null)
  expect(page.composer.text.value).toBe('')
  expect(page.conversation.turns.value[0]?.connection.value).toBe('refused')
  // Restored manually.
  const [turn] = page.conversation.turns.value
  if (turn) page.conversation.withdraw(turn)
  expect(page.composer.text.value).toBe('/nobody it')
})

it('a message that is too long for the server is not sent', async () => {
  const page = await composing({})
  page.composer.write('x'.repeat(262_144))
  await page.composer.send()
  expect(page.composer.trouble.value?.title).toBe('This message is too long')
  expect(page.composer.text.value).toHaveLength(262_144)
  expect(page.calls).not.toContain('POST /v1/chat')
  expect(PASTED_TEXT_MAX_CHARS).toBeLessThan(262_144)
})

it('stopping waits for the run to have an ID', async () => {
  const run = live()
  const requested = gate()
  const page = await composing({
    'POST /v1/chat': async () => {
      await requested.opened
      return run.answer()
    },
  })
  page.composer.write('First')
  await page.composer.send()
  const stopped = page.composer.stop()
  await settled()
  const cancel = `POST /v1/threads/th_1/runs/${RUN}/cancel`
  expect(page.calls).not.toContain(cancel)
  requested.open()
  await stopped
  expect(page.calls).toContain(cancel)
})

it.each([
  ['truncated', 'Cut off at the length limit'],
  ['refused', 'The model declined'],
  ['loop_detected', 'Stopped: the agent repeated itself'],
])('the status of an answer that ended as %s does not call it complete', async (stop, message) => {
  if (READ_FILE.label) labels.value = new Map([['read_file', READ_FILE.label]])
  const run = live()
  const page = await composing({ 'POST /v1/chat': run.answer })
  const output: string[] = []
  announceProgress(page.conversation.activeTurn, (text) => output.push(text))
  page.composer.write('First')
  await page.composer.send()
  run.announce(accepted, { ...ended(2), stop_reason: stop } as Event)
  await settled()
  expect(output.at(-1)).toBe(message)
})

it('the status names each step once, and the result', async () => {
  const run = live()
  const page = await composing({ 'POST /v1/chat': run.answer })
  const output: string[] = []
  announceProgress(page.conversation.activeTurn, (text) => output.push(text))
  page.composer.write('First')
  await page.composer.send()
  const input = { path: '/mnt/user-data/uploads/levels.md' }
  run.announce(accepted, frame(2, { type: 'tool.started', tool_use_id: 't', name: 'read_file', input }))
  await settled()
  run.announce(frame(3, { type: 'tool.progress', tool_use_id: 't', text: 'half' }))
  await settled()
  run.announce(ended(4))
  await settled()
  expect(output.filter((text) => text.startsWith('Reading'))).toEqual(['Reading levels.md…'])
  expect(output.at(-1)).toBe('Answer complete')
})
