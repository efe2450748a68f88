// Guards the actions on an answer: copy its source, ask again or edit the question in a branch, and rate it. A real
// browser and a real server.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { ask, log, receipt, signedIn } from './open.ts'

const QUESTION = 'The checkout was down for forty minutes after a deploy. Write an incident report.'

const button = (page: Page, name: string) => log(page).getByRole('button', { name, exact: true })
const turns = (page: Page) => log(page).getByRole('article')
const thread = (page: Page): string => new URL(page.url()).hash

async function answered(options: BrowserContextOptions = {}, ...questions: readonly string[]): Promise<Page> {
  const page = await signedIn(options)
  for (const [n, question] of questions.entries()) {
    await ask(page, question)
    await button(page, 'Good answer').nth(n).waitFor()
  }
  return page
}

it('copies the source of the answer without the labels of its buttons', async () => {
  const page = await answered({ permissions: ['clipboard-read', 'clipboard-write'] }, QUESTION)
  await Promise.all([button(page, 'Copied').waitFor(), button(page, 'Copy').last().click()])
  const copied = await page.evaluate(async () => navigator.clipboard.readText())
  expect(copied).toMatch(/incident-report/)
  expect(copied).not.toMatch(/Copy|I'll load it\./)
  // The confirmation stays for a while.
  await button(page, 'Copied').waitFor({ state: 'detached' })
})

it('asks again in a branch that keeps the earlier turns, and links both versions', async () => {
  const page = await answered({}, 'Hello', QUESTION)
  const old = thread(page)
  await button(page, 'Ask again').nth(1).click()
  await until('the branch is shown', () => thread(page) !== old)
  await button(page, 'Good answer').last().waitFor()
  await until('the same was asked', async () => (await turns(page).count()) === 2)
  await expect.poll(async () => turns(page).nth(0).innerText()).toContain('Hello')
  await expect.poll(async () => turns(page).nth(1).innerText()).toContain(QUESTION)
  const branch = thread(page)
  await button(page, 'Previous version').click()
  await until('the old one is shown', () => thread(page) === old)
  await turns(page).nth(1).waitFor()
  await button(page, 'Next version').click()
  await until('the branch is shown', () => thread(page) === branch)
})

it('edits a question in place: Escape discards the edit, sending forks the thread', async () => {
  const page = await answered({}, 'Hello', 'Hello again')
  const old = thread(page)
  await button(page, 'Edit the question').nth(1).press('Enter')
  const box = page.getByRole('textbox', { name: 'Your question' })
  await expect.poll(async () => box.inputValue()).toBe('Hello again')
  await expect.poll(async () => box.evaluate((element) => element === document.activeElement)).toBe(true)
  await box.fill('Something else')
  await box.press('Escape')
  await expect.poll(async () => box.count()).toBe(0)
  await expect.poll(async () => turns(page).nth(1).innerText()).toContain('Hello again')
  // The focus is back where it was.
  await page.keyboard.press('Enter')
  await box.fill('Something else')
  await box.press('Enter')
  await until('the branch is shown', () => thread(page) !== old)
  await button(page, 'Good answer').last().waitFor()
  await until('it was asked', async () => (await turns(page).nth(1).innerText()).includes('Something else'))
  await expect.poll(async () => turns(page).count()).toBe(2)
  await expect.poll(async () => turns(page).nth(0).innerText()).toContain('Hello')
  await page.reload()
  await turns(page).nth(1).waitFor()
  await expect.poll(async () => turns(page).nth(1).innerText()).toContain('Something else')
})

it('keeps a rating and its note after a reload, and can remove it', async () => {
  const page = await answered({}, QUESTION)
  await button(page, 'Poor answer').click()
  await log(page).getByLabel('What was wrong? (optional)').fill('Too short <b>')
  await button(page, 'Save the note').click()
  await button(page, 'Save the note').waitFor({ state: 'detached' })
  await page.reload()
  const poor = button(page, 'Poor answer')
  await poor.waitFor()
  await expect.poll(async () => poor.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(async () => button(page, 'Good answer').getAttribute('aria-pressed')).toBe('false')
  await receipt(page).click()
  await expect
    .poll(async () => log(page).getByRole('row', { name: 'Rating' }).innerText())
    .toMatch(/poor: Too short <b>/)
  await poor.click()
  await until('it is taken back', async () => (await poor.getAttribute('aria-pressed')) === 'false')
  await page.reload()
  await poor.waitFor()
  await expect.poll(async () => poor.getAttribute('aria-pressed')).toBe('false')
})
