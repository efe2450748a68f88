// Guards what the page shows of a thread's plan and windows: quiet lines that open, by keys too, also after a reload. A
// real browser, scripted answers.

import { expect, it } from 'vitest'

import type { TodoItem } from '../../src/agent/todos.ts'
import { until } from '../e2e/satchel.ts'
import { threadInfo } from '../unit/page/ports.ts'
import { goingOn } from './answering.ts'
import { THREAD, ask, button, scripted } from './open.ts'

const PLAN: readonly TodoItem[] = [
  { text: 'Read the log', status: 'completed' },
  { text: 'Find the cause <b>now</b>', status: 'in_progress' },
  { text: 'Write the report', status: 'pending' },
]

it('a plan is chosen before the first message, shown as it changes, opened by keys, and there after a reload', async () => {
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
  expect(await shown.count()).toBe(0)
  run.frames({ type: 'todo.updated', items: PLAN })
  await shown.getByText('1 of 3 done').waitFor()
  expect(await shown.locator('li').first().isVisible()).toBe(false)
  await shown.locator('summary').focus()
  await page.keyboard.press('Enter')
  const items = shown.getByRole('listitem')
  expect(await items.allInnerTexts()).toEqual([
    expect.stringMatching(/Done:\s*Read the log/),
    expect.stringMatching(/In progress:\s*Find the cause <b>now<\/b>/),
    expect.stringMatching(/To do:\s*Write the report/),
  ])
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
