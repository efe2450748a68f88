// Guards how the page shows a thread's plan and its compacted windows: quiet lines that open, also by keys and after a
// reload. A real browser, scripted answers.

import { expect, it } from 'vitest'

import type { TodoItem } from '../../src/agent/todos.ts'
import { until } from '../e2e/satchel.ts'
import { frame, message, RECEIPT } from '../unit/page/frames.ts'
import { modelInfo, threadInfo } from '../unit/page/ports.ts'
import { goingOn } from './answering.ts'
import { THREAD, ask, button, list, lists, log, scripted, stream } from './open.ts'

const PLAN: readonly TodoItem[] = [
  { text: 'Read the log', status: 'completed' },
  { text: 'Find the cause <b>now</b>', status: 'in_progress' },
  { text: 'Write the report', status: 'pending' },
]

it('a plan is requested before the first message, updated as it changes, opened by keys, and kept after a reload', async () => {
  const run = goingOn()
  let plan = PLAN
  const { page } = await scripted('', {
    ...run.answers,
    [`GET ${THREAD}`]: async () => ({ json: { ...threadInfo('th_1'), plan } }),
  })
  await button(page, 'Model and limits: Model').click()
  await page.getByRole('checkbox', { name: 'Keep a plan' }).check()
  await page.keyboard.press('Escape')
  await ask(page, 'Why was it down?')
  await until('it is sent', () => run.sent.length === 1)
  expect(run.sent[0]).toMatchObject({ plan: true })
  const shown = page.locator('#composer .plan')
  await expect.poll(async () => shown.count()).toBe(0)
  run.frames({ type: 'todo.updated', items: PLAN })
  await shown.getByText('1 of 3 done').waitFor()
  await expect.poll(async () => shown.locator('li').first().isVisible()).toBe(false)
  // Only one sign of folding: the drawn chevron.
  const sign = async () =>
    shown.locator('summary').evaluate((summary) => {
      const { content, rotate } = getComputedStyle(summary, '::before')
      return [content, rotate]
    })
  await expect.poll(sign).toEqual(['""', '45deg'])
  await shown.locator('summary').focus()
  await page.keyboard.press('Enter')
  const items = shown.getByRole('listitem')
  await expect
    .poll(async () => items.allInnerTexts())
    .toEqual([
      expect.stringMatching(/Done:\s*Read the log/),
      expect.stringMatching(/In progress:\s*Find the cause <b>now<\/b>/),
      expect.stringMatching(/To do:\s*Write the report/),
    ])
  await expect.poll(sign).toEqual(['""', '135deg'])
  await expect.poll(async () => items.locator('.mark').allInnerTexts()).toEqual(['', '', ''])
  // It stays open while it changes.
  plan = PLAN.map(({ text }) => ({ text, status: 'completed' }))
  run.frames({ type: 'todo.updated', items: plan })
  await shown.getByText('3 of 3 done').waitFor()
  expect(await items.first().isVisible()).toBe(true)
  run.end()
  await button(page, 'Send').waitFor()
  await page.goto(`${page.url().split('#')[0]}#t=th_1`)
  await page.reload()
  await shown.getByText('3 of 3 done').waitFor()
})

it('a conversation is compacted by button or keys, and its summary can be opened, also after a reload', async () => {
  const compactions: unknown[] = []
  const run_id = 'run_2'
  const receipt = { ...RECEIPT, run_id, stop_reason: 'compacted', skills: [], tools: [] } as const
  const summary = 'Decided: <b>blue</b>.'
  const { page } = await scripted('&t=th_1', {
    'GET /v1/models': lists(modelInfo('demo', { window: 200_000 })),
    [`GET ${THREAD}`]: async () => ({ json: { ...threadInfo('th_1'), context_tokens: 120_000 } }),
    [`GET ${THREAD}/messages`]: lists(
      message('m_q', 'user', [{ type: 'text', text: 'Which colour?' }]),
      message('m_a', 'assistant', [{ type: 'text', text: 'Blue.' }]),
    ),
    [`GET ${THREAD}/runs`]: async () =>
      list(
        ...(compactions.length === 0
          ? []
          : [{ ...receipt, windows: [{ window: 2, message_id: null, summary }] }]),
        RECEIPT,
      ),
    [`POST ${THREAD}/compact`]: async (request) => {
      compactions.push(request.postDataJSON())
      return { status: 202, json: { thread_id: 'th_1', run_id } }
    },
    [`GET ${THREAD}/runs/${run_id}/events`]: async () => {
      const sizes = { before_tokens: 120_000, after_tokens: 4_000, way: 'model', cost_usd: 0.1 } as const
      const events = [
        frame(2, { type: 'run.accepted', status: 'running' }),
        frame(3, { type: 'context.compacted', window: 2, ...sizes, summary }),
        frame(4, { type: 'run.completed', stop_reason: 'compacted', receipt }),
      ]
      return stream(events.map((event) => ({ ...event, run_id })))
    },
  })
  await page.getByText('60% of context').waitFor()
  const line = log(page).getByText('Conversation compacted')
  await expect.poll(async () => line.count()).toBe(0)
  await page.getByRole('button', { name: /^Model and limits/ }).click()
  await page.getByText('120,000 of 200,000 tokens').waitFor()
  await page.getByLabel('What the summary must keep').fill('the colours')
  await page.keyboard.press('Enter')
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload()
    await line.waitFor()
    await expect.poll(async () => log(page).getByText(summary).isVisible()).toBe(false)
    await line.click()
    await log(page).getByText(summary).waitFor()
    // It is not an answer: it cannot be rated or asked again.
    await expect.poll(async () => log(page).getByRole('button', { name: 'Good answer' }).count()).toBe(1)
  }
  expect(compactions).toEqual([{ about: 'the colours' }])
})
