// A question of the agent is a card that says what kind it is and offers answers; one of them is sent by a press.
// A real browser, answers from a script.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import { until } from '../e2e/satchel.ts'
import { sharedSatchel } from '../e2e/shared.ts'
import { frame, RECEIPT } from '../unit/page/frames.ts'
import { violations } from './accessible.ts'
import { ask, scripted, startBrowser, stream } from './open.ts'

const satchel = sharedSatchel()
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())

const QUESTION = {
  kind: 'approach_choice',
  question: 'For customers or for the team?',
  context: 'The two differ.',
  options: ['For customers', 'For the team'],
}
const ASKING: readonly EventBody[] = [
  { type: 'run.started', model: 'm', build: 'b', catalog_version: 4, demo: false },
  {
    type: 'tool.started',
    tool_use_id: 'q',
    name: 'ask_clarification',
    // As the model wrote it: a press sends what is seen.
    input: {
      ...QUESTION,
      options: [
        'For customers <\u0430da@example.com>',
        'For\u2003the  t\u0335ea\uFF4D\uFE01\u{E0100}\u{E0041} ',
        '<see https://evil.example/>',
      ],
    },
  },
  {
    type: 'tool.completed',
    tool_use_id: 'q',
    name: 'ask_clarification',
    is_error: false,
    preview: 'asked',
    duration_ms: 1,
  },
  {
    type: 'run.completed',
    stop_reason: 'awaiting_input',
    receipt: { ...RECEIPT, stop_reason: 'awaiting_input' },
  },
]
const card = (page: Page) => page.getByRole('group', { name: QUESTION.question })

it('is asked with its reason, answered by a press, and then one line', async () => {
  const sent: unknown[] = []
  const { page, complaints } = await scripted(browser, satchel.url, '', {
    'POST /v1/chat': async (request, before) => {
      sent.push(request.postDataJSON())
      if (before === 0) return stream(ASKING.map((body, at) => frame(at + 1, body)))
      const end: EventBody = { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT }
      const answer = stream([{ ...frame(1, end), run_id: 'run_2' }])
      return { ...answer, headers: { ...answer?.headers, 'x-run-id': 'run_2' } }
    },
  })
  await page.getByRole('button', { name: 'Model and limits' }).click()
  await page.getByLabel('Effort').selectOption('high')
  await page.keyboard.press('Escape')
  await ask(page, 'Write a report')
  await card(page).waitFor()
  expect(await card(page).innerText()).toMatch(/more than one way to do it[\s\S]*The two differ\./)
  await page.locator('#status').getByText('A question for you').waitFor()
  expect(await violations(page)).toEqual([])
  expect(await card(page).getByRole('button').allInnerTexts()).toEqual(QUESTION.options)
  await card(page).getByRole('button', { name: 'For the team' }).press('Enter')
  await until('it is sent', () => sent.length === 2)
  expect(sent[1]).toMatchObject({ message: 'For the team', thread_id: 'th_1', effort: 'high' })
  await card(page).getByText('Answered: For the team').waitFor()
  expect(await card(page).getByRole('button').count()).toBe(0)
  expect(complaints).toEqual([])
})

it('that was never asked offers no answers: the server has not looked at them', async () => {
  const [started, call] = ASKING
  const { page } = await scripted(browser, satchel.url, '', {
    'POST /v1/chat': async () => {
      const end: EventBody = { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT }
      return stream([started, call, end].flatMap((body, at) => (body ? [frame(at + 1, body)] : [])))
    },
  })
  await ask(page, 'Write a report')
  await card(page).waitFor()
  await page.locator('#status').getByText('A question for you').waitFor({ state: 'detached' })
  expect(await card(page).getByRole('button').count()).toBe(0)
})
