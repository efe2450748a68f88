// Guards how a turn is shown: what the agent does and did, what it cost, and what went wrong, with the one action that
// helps. A real browser, scripted answers.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import {
  frame,
  message,
  RECEIPT,
  RUN,
  STARTED,
  ENDED,
  textDelta,
  toolStarted,
  toolDone,
} from '../unit/page/frames.ts'
import { until } from '../e2e/satchel.ts'
import { goingOn } from './answering.ts'
import {
  PHONE,
  THREAD,
  ask,
  box,
  lists,
  log,
  openWork,
  receipt,
  refusal,
  scripted,
  stream,
  statusLine,
} from './open.ts'

const CHAT = 'POST /v1/chat'
const EVENTS = `GET /v1/threads/th_1/runs/${RUN}/events`
const line = (page: Page, text: string) => log(page).getByText(text, { exact: true })

const frames = (...bodies: readonly EventBody[]) => bodies.map((body, at) => frame(at + 1, body))

describe('a step of the agent', () => {
  it('is one line that names it, and becomes a summary of the work', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'What happened?')
    run.frames(STARTED)
    await line(page, 'Thinking…').waitFor()
    run.frames(toolStarted('a', 'read_file', { path: '/mnt/skills/public/x/severity-levels.md' }))
    const step = log(page).locator('.work > summary', { hasText: 'Reading severity-levels.md…' })
    await step.waitFor()
    const element = await step.elementHandle()
    await expect.poll(async () => line(page, 'Thinking…').count()).toBe(0)
    await statusLine(page).getByText('Reading severity-levels.md…').waitFor()
    run.frames(toolDone('a', 'read_file', '# Severity'), textDelta('It was'))
    await log(page).getByText('Worked · 1 tool call').waitFor()
    await log(page).getByText('It was').waitFor()
    // The same line, not another one in its place.
    expect(await element?.evaluate((node) => node.isConnected)).toBe(true)
    const detail = log(page).locator('summary', { hasText: 'Read severity-levels.md12 ms' })
    await expect.poll(async () => detail.isVisible()).toBe(false)
    await step.or(log(page).locator('.work > summary')).click()
    await detail.waitFor()
    run.end()
    await log(page).getByText('incident-report · 1 skill file read').waitFor()
    // A step that the user opened stays open.
    expect(await detail.isVisible()).toBe(true)
  })

  it('opens to its input and output, in full if short and with a note if long', async () => {
    const long = Array.from({ length: 90 }, (_, n) => `line ${n}`).join('\n')
    const { page } = await scripted('', {
      [CHAT]: async () =>
        stream(
          frames(
            STARTED,
            toolStarted('a', 'bash', { command: 'python3 count.py\necho done' }),
            toolDone('a', 'bash', long),
            toolStarted('b', 'create_ticket', { title: 'No paper', urgent: true }),
            toolDone('b', 'create_ticket', 'refused', true),
            ENDED,
          ),
        ),
    })
    await ask(page, 'Count')
    await openWork(page)
    await log(page).locator('.step > summary', { hasText: 'Ran python3 count.py' }).press('Enter')
    await log(page).locator('.terminal').getByText('echo done').waitFor()
    await log(page).locator('.terminal').getByText('30 more lines are not shown.').waitFor()
    const failed = log(page).getByText('The call failed: create_ticket')
    const field = log(page).locator('.fields').getByText('No paper')
    await expect.poll(async () => field.isVisible()).toBe(false)
    await failed.click()
    await expect.poll(async () => field.isVisible()).toBe(true)
    await log(page).getByText('refused', { exact: true }).first().waitFor()
    // The model's JSON is one level further.
    const json = log(page).getByText('"title": "No paper"')
    await expect.poll(async () => json.isVisible()).toBe(false)
    await log(page).locator('.step', { hasText: 'No paper' }).getByText('Raw', { exact: true }).click()
    await expect.poll(async () => json.isVisible()).toBe(true)
  })

  it('is folded with others of its kind into one line, which counts the failures', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const { page } = await scripted('', {
      [CHAT]: async () =>
        stream(
          frames(
            STARTED,
            ...names.flatMap((id) => [
              toolStarted(id, 'read_file', { path: `/mnt/user-data/workspace/${id}.md` }),
              toolDone(id, 'read_file', id, id === 'c'),
            ]),
            ENDED,
          ),
        ),
    })
    await ask(page, 'Read them')
    const fold = log(page).getByText('Read 5 files, 1 failed')
    await log(page).getByText('Worked').waitFor()
    await openWork(page)
    await fold.waitFor()
    await expect.poll(async () => log(page).getByText('c.md', { exact: true }).isVisible()).toBe(false)
    await fold.click()
    await log(page).getByText('Could not read c.md').waitFor()
    await log(page).getByText('e.md', { exact: true }).waitFor()
  })

  it('shows thinking behind a closed line with its duration, which never opens or closes by itself', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'What happened?')
    const thought: EventBody = { type: 'thinking.delta', step: 1, block: 0, offset: 0, text: 'An outage.' }
    run.frames(STARTED, thought)
    const closed = log(page).locator('summary', { hasText: /^Thinking…$/ })
    await closed.waitFor()
    await expect.poll(async () => log(page).getByText('An outage.').isVisible()).toBe(false)
    await closed.click()
    await expect.poll(async () => log(page).getByText('An outage.').isVisible()).toBe(true)
    run.frames(textDelta('It was'))
    run.end()
    await log(page)
      .locator('summary', { hasText: /^Thought/ })
      .waitFor()
    expect(await log(page).getByText('An outage.').isVisible()).toBe(true)
  })

  it('shows how long thinking and work took, also after a reload and in a fork', async () => {
    const at = (second: number) => ({
      created_at: `2026-03-04T09:00:${String(second).padStart(2, '0')}.000Z`,
    })
    const thinking = { type: 'thinking', thinking: 'An outage.' }
    const call = { type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } }
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok', is_error: false }
    const { page } = await scripted('&t=th_1', {
      // Only the messages of the first run were copied.
      [`GET ${THREAD}/runs`]: lists({ ...RECEIPT, run_id: RUN }),
      [`GET ${THREAD}/messages`]: lists(
        { ...message('m_1', 'user', [{ type: 'text', text: 'First' }]), run_id: 'run_0', ...at(0) },
        { ...message('m_2', 'assistant', [call]), run_id: 'run_0', ...at(4) },
        { ...message('m_3', 'user', [result]), run_id: 'run_0', ...at(5) },
        { ...message('m_4', 'assistant', [{ type: 'text', text: 'Done.' }]), run_id: 'run_0', ...at(12) },
        message('m_5', 'user', [{ type: 'text', text: 'Second' }]),
        { ...message('m_6', 'assistant', [thinking, { type: 'text', text: 'Yes.' }]), thinking_ms: 4_200 },
      ),
    })
    await log(page).getByText('Worked for 12 s · 1 tool call').waitFor()
    await log(page).getByText('Thought for 4 s').waitFor()
  })

  it('shows one true line while the model is retried after a fault, and removes it afterwards', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers)
    await ask(page, 'What happened?')
    const detail = 'The Messages API is overloaded (529)'
    run.frames(STARTED, textDelta('Half of'), {
      type: 'model.retry',
      attempt: 1,
      wait_ms: 1,
      reason: 'overloaded',
      detail,
    })
    await line(page, `${detail}. Trying again (try 2)…`).waitFor()
    run.frames({ type: 'step.restarted', step: 1, reason: 'model_fault' }, textDelta('All of it'))
    await log(page).getByText('All of it').waitFor()
    await expect.poll(async () => log(page).getByText('overloaded').count()).toBe(0)
    await expect.poll(async () => log(page).getByText('Half of').count()).toBe(0)
  })
})

describe('the end of a run', () => {
  it('is one line with the receipt closed behind it', async () => {
    const ended = {
      ...RECEIPT,
      ended_at: '2026-01-02T03:04:08.100Z',
      charged: { tokens: 1_234, usd: 0.004, estimated: false },
    }
    const { page } = await scripted('', {
      [CHAT]: async () =>
        stream(
          frames(STARTED, textDelta('So.'), {
            type: 'run.completed',
            stop_reason: 'answered',
            receipt: ended,
          }),
        ),
    })
    await ask(page, 'Why?')
    const summary = log(page).getByText('incident-report · 1 skill file read · under $0.01 · 3.1 s')
    await summary.waitFor()
    await expect.poll(async () => log(page).getByRole('table').isVisible()).toBe(false)
    await receipt(page).press('Enter')
    await expect
      .poll(async () => log(page).getByRole('row', { name: 'Cost' }).innerText())
      .toMatch(/\$0\.0040$/)
    await expect
      .poll(async () => log(page).getByRole('row', { name: 'Files' }).innerText())
      .toContain('references/template.md')
  })

  it('keeps the text after a stop, and says that it was stopped', async () => {
    const run = goingOn()
    const { page } = await scripted('', run.answers, PHONE)
    await ask(page, 'A long one')
    await page.getByRole('button', { name: 'Send' }).click()
    run.frames(STARTED, toolStarted('a', 'ls', { path: '/mnt/user-data' }), textDelta('The first half'))
    await log(page).getByText('The first half').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await log(page).getByText('Stopped', { exact: true }).waitFor()
    await expect.poll(async () => receipt(page).innerText()).not.toContain('Stopped')
    await expect.poll(async () => log(page).getByText('The first half').isVisible()).toBe(true)
    await openWork(page)
    await log(page).getByText('stopped', { exact: true }).waitFor()
    await expect.poll(async () => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('at a limit is explained, and one button continues', async () => {
    const sent: unknown[] = []
    const cut: EventBody = {
      type: 'run.completed',
      stop_reason: 'truncated',
      receipt: { ...RECEIPT, stop_reason: 'truncated' },
    }
    const { page } = await scripted('', {
      [CHAT]: async (request, before) => {
        sent.push(request.postDataJSON())
        const bodies =
          before === 0
            ? [STARTED, textDelta('The first half'), cut]
            : [STARTED, textDelta('and the second'), ENDED]
        return stream(frames(...bodies).map((event) => ({ ...event, run_id: `run_${before}` })))
      },
    })
    await ask(page, 'A long one')
    await log(page).getByText('The answer reached its length limit.').waitFor()
    await expect.poll(async () => log(page).getByText('The first half').isVisible()).toBe(true)
    await log(page).getByRole('button', { name: 'Continue' }).click()
    await log(page).getByText('and the second').waitFor()
    expect(sent[1]).toMatchObject({ message: 'Continue', thread_id: 'th_1' })
    // A continued answer cannot be continued again.
    await expect.poll(async () => log(page).getByRole('button', { name: 'Continue' }).count()).toBe(0)
  })

  it('by a refusal of the model is explained without an alert, and the text stays', async () => {
    const receipt = { ...RECEIPT, stop_reason: 'refused' } as const
    const { page } = await scripted('', {
      [CHAT]: async () =>
        stream(
          frames(STARTED, textDelta('So far'), { type: 'run.completed', stop_reason: 'refused', receipt }),
        ),
    })
    await ask(page, 'Why?')
    await log(page).getByText('The model declined to go on.').waitFor()
    await expect.poll(async () => log(page).getByText('So far').isVisible()).toBe(true)
    await expect.poll(async () => log(page).getByRole('alert').count()).toBe(0)
    await log(page).getByRole('button', { name: 'Edit question' }).click()
    await expect
      .poll(async () => log(page).getByRole('textbox', { name: 'Your question' }).inputValue())
      .toBe('Why?')
  })

  it('by a failure is explained, keeps the text, and offers one button that asks again', async () => {
    const error = {
      type: 'about:blank',
      title: '',
      status: 502,
      code: 'model_error',
      detail: 'It was tried 4 times.',
      request_id: 'req_7',
    }
    const receipt = { ...RECEIPT, status: 'failed', stop_reason: 'model_error', error } as const
    const forked: unknown[] = []
    const { page } = await scripted('', {
      [CHAT]: async (_, before) =>
        before === 0
          ? stream(
              frames(STARTED, textDelta('So far'), {
                type: 'run.failed',
                stop_reason: 'model_error',
                receipt,
                error,
              }),
            )
          : refusal(429, 'rate_limited', 'Later.'),
      'GET /v1/threads/th_1/messages': async () => ({
        json: {
          data: [
            {
              id: 'msg_0',
              run_id: RUN,
              role: 'user',
              content: [{ type: 'text', text: 'Why?' }],
              created_at: RECEIPT.accepted_at,
            },
          ],
          next_cursor: null,
        },
      }),
      'POST /v1/threads/th_1/fork': async (request) => {
        forked.push(request.postDataJSON())
        return { status: 201, json: { thread_id: 'th_2' } }
      },
    })
    await ask(page, 'Why?')
    const alert = log(page).getByRole('alert')
    await alert.waitFor()
    await expect
      .poll(async () => alert.innerText())
      .toMatch(/^The model could not be reached\.\s+Try again\s+Details$/)
    await alert.getByText('Details').click()
    await expect
      .poll(async () => alert.innerText())
      .toMatch(/It was tried 4 times\.\s+model_error · request req_7/)
    await expect.poll(async () => log(page).getByText('So far').isVisible()).toBe(true)
    await expect.poll(async () => log(page).getByRole('button', { name: 'Ask again' }).count()).toBe(0)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await until('it is asked in a branch', () => page.url().endsWith('#t=th_2'))
    expect(forked).toEqual([{ message_id: 'msg_0' }])
  })
})

describe('a refused message', () => {
  it('is sent again with the same idempotency key, or returned to the box', async () => {
    const keys: (string | undefined)[] = []
    const { page } = await scripted('', {
      [CHAT]: async (request) => {
        keys.push(request.headers()['idempotency-key'])
        return refusal(429, 'rate_limited', 'Too many a minute.')
      },
    })
    await ask(page, 'What happened?')
    const alert = log(page).getByRole('alert')
    await alert.getByText('Too many a minute.').waitFor()
    await alert.getByRole('button', { name: 'Send again' }).click()
    await until('it was sent again', () => keys.length === 2)
    expect(keys[1]).toBe(keys[0])
    await alert.getByRole('button', { name: 'Take it back' }).click()
    await until('the words are back', async () => {
      return (await box(page).inputValue()) === 'What happened?'
    })
    await expect.poll(async () => log(page).getByRole('article').count()).toBe(0)
  })
})

describe('a lost connection', () => {
  it('shows its true state while the server is away, and loses or repeats no text afterwards', async () => {
    let up = false
    const { page } = await scripted('', {
      [CHAT]: async () => stream(frames(STARTED, textDelta('The first '))),
      [EVENTS]: async () =>
        up
          ? stream([
              frame(2, textDelta('The first ')),
              frame(3, textDelta('and the second.', 10)),
              frame(4, ENDED),
            ])
          : { status: 503, body: 'gateway' },
    })
    await ask(page, 'What happened?')
    await line(page, 'The server cannot be reached. The answer continues there. Trying again…').waitFor()
    await expect.poll(async () => log(page).getByText('The first').isVisible()).toBe(true)
    up = true
    await log(page).getByText('The first and the second.', { exact: true }).waitFor()
    await expect.poll(async () => log(page).getByText('The server cannot be reached').count()).toBe(0)
  })

  it('keeps the shown text when it cannot resume, and Reconnect continues', async () => {
    const { page } = await scripted('', {
      [CHAT]: async () => stream(frames(STARTED, textDelta('The first '))),
      [EVENTS]: async (_, before) =>
        before === 0
          ? refusal(500, 'internal', 'It broke.')
          : stream([frame(3, textDelta('and the second.', 10)), frame(4, ENDED)]),
    })
    await ask(page, 'What happened?')
    await log(page).getByRole('alert').getByRole('button', { name: 'Reconnect' }).click()
    await log(page).getByText('The first and the second.', { exact: true }).waitFor()
    await expect.poll(async () => log(page).getByRole('alert').count()).toBe(0)
  })
})
