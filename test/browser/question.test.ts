// Guards questions of the agent: a card shows the question, its reason and the possible answers, and pressing an
// answer sends it. A real browser, scripted answers.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import { until } from '../e2e/satchel.ts'
import { frame, RECEIPT, STARTED, ENDED, toolDone } from '../unit/page/frames.ts'
import { modelInfo } from '../unit/page/ports.ts'
import { ask, lists, scripted, stream, runOf, statusLine } from './open.ts'

const QUESTION = {
  kind: 'approach_choice',
  question: 'For customers or for the team?',
  context: 'The two differ.',
  options: ['For customers', 'For the team'],
}
const ASKING: readonly EventBody[] = [
  STARTED,
  {
    type: 'tool.started',
    tool_use_id: 'q',
    name: 'ask_clarification',
    // As the model wrote it: a press sends the shown text.
    input: {
      ...QUESTION,
      options: [
        'For customers <\u0430da@example.com>',
        'For\u2003the  t\u0335ea\uFF4D\uFE01\u{E0100}\u{E0041} ',
        '<see https://evil.example/>',
      ],
    },
  },
  toolDone('q', 'ask_clarification', 'asked'),
  {
    type: 'run.completed',
    stop_reason: 'awaiting_input',
    receipt: { ...RECEIPT, stop_reason: 'awaiting_input' },
  },
]
const card = (page: Page) => page.getByRole('group', { name: QUESTION.question })

it('a question is asked with its reason, answered by a press, and then collapses to one line', async () => {
  const sent: unknown[] = []
  const { page } = await scripted('', {
    'GET /v1/models': lists(modelInfo('grande', { default: true })),
    'POST /v1/chat': async (request, before) => {
      sent.push(request.postDataJSON())
      if (before === 0) return runOf(...ASKING)
      return stream([{ ...frame(1, ENDED), run_id: 'run_2' }])
    },
  })
  await page.getByRole('button', { name: 'Model and limits' }).click()
  await page.getByText('High', { exact: true }).click()
  await page.keyboard.press('Escape')
  await ask(page, 'Write a report')
  await card(page).waitFor()
  await expect.poll(async () => card(page).innerText()).toContain('The two differ.')
  await statusLine(page).getByText('A question for you').waitFor()
  await expect.poll(async () => card(page).getByRole('button').allInnerTexts()).toEqual(QUESTION.options)
  await card(page).getByRole('button', { name: 'For the team' }).press('Enter')
  await until('it is sent', () => sent.length === 2)
  expect(sent[1]).toMatchObject({ message: 'For the team', thread_id: 'th_1', effort: 'high' })
  await card(page).getByText('Answered: For the team').waitFor()
  await expect.poll(async () => card(page).getByRole('button').count()).toBe(0)
})

it('a question that the server has not checked offers no answers', async () => {
  const [started, call] = ASKING
  const { page } = await scripted('', {
    'POST /v1/chat': async () => {
      return stream([started, call, ENDED].flatMap((body, at) => (body ? [frame(at + 1, body)] : [])))
    },
  })
  await ask(page, 'Write a report')
  await card(page).waitFor()
  await statusLine(page).getByText('A question for you').waitFor({ state: 'detached' })
  await expect.poll(async () => card(page).getByRole('button').count()).toBe(0)
})
