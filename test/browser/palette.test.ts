// Guards the palette: one shortcut opens it; it finds threads, messages, skills and actions; the keyboard is enough.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { threadInfo } from '../unit/page/ports.ts'
import { skill } from './walk-data.ts'
import { ask, list, lists, scripted, signedIn } from './open.ts'

const line = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Threads' }).getByRole('link', { name: title })
const options = (page: Page) => page.getByRole('option')

it('finds text of a message and opens its thread', async () => {
  const page = await signedIn()
  await ask(page, `Tell me of the weather. ${'It may rain. '.repeat(20)}\n\nMind the quokkas behind the shed`)
  await line(page, 'Tell me of the weather').waitFor()
  await page.getByRole('button', { name: 'New thread' }).click()
  await page.keyboard.press('Control+k')
  // A new message can be found a moment later.
  await expect
    .poll(async () => {
      await page.getByRole('combobox').fill('')
      await page.getByRole('combobox').fill('quokk')
      const found = options(page).filter({ hasText: 'quokkas' })
      return found.waitFor({ timeout: 10_000 }).then(
        async () => found.locator('mark').innerText(),
        () => 'nothing',
      )
    })
    .toMatch(/^quokk/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tell me of the weather' }).waitFor()
})

it('opens with one shortcut, shows matches without Markdown, and says when nothing was found', async () => {
  const { page, times } = await scripted('', {
    'GET /v1/threads': async (request) => {
      const query = new URL(request.url()).searchParams.get('q')
      if (query === null) return list(threadInfo('th_0', { title: 'Listed' }))
      if (query !== 'outage') return list()
      const match = { before: '## The **report** of the `', hit: 'outage', after: '` on [Monday](/a)' }
      return list({ ...threadInfo('th_1', { title: 'Found' }), match })
    },
  })
  await line(page, 'Listed').waitFor()
  const before = times.get('GET /v1/threads') ?? 0
  await page.keyboard.press('Control+k')
  await page.keyboard.type('outage')
  const found = options(page).first()
  await found.locator('mark').waitFor()
  await expect.poll(async () => found.innerText()).toMatch(/^Found\s+The report of the outage on Monday$/)
  await expect.poll(async () => found.locator('mark').textContent()).toBe('outage')
  // One request for text typed in one go, with some tolerance for a slow machine.
  expect((times.get('GET /v1/threads') ?? 0) - before).toBeLessThan(6)
  await page.getByText('1 result', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('combobox').fill('nothing like it')
  await page.getByText('No results for “nothing like it”').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox').waitFor({ state: 'detached' })
})

it('lists recent threads, skills and actions; ↑ and ↓ select, and Enter opens', async () => {
  const { page } = await scripted('', {
    'GET /v1/threads': async (request) =>
      new URL(request.url()).searchParams.has('q')
        ? list({ ...threadInfo('th_9', { title: 'A late one' }), match: null })
        : lists(threadInfo('th_1', { title: 'Incidents of May' }), threadInfo('th_2', { title: 'A plan' }))(
            request,
            0,
          ),
    'GET /v1/skills': lists(skill('incident-report'), skill('api-design')),
    'GET /v1/skills/incident-report': async () => ({
      json: skill('incident-report', { body: 'A body.', manifest: [{ path: 'SKILL.md' }] }),
    }),
  })
  await line(page, 'A plan').waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  const field = page.getByRole('combobox')
  await options(page).first().waitFor()
  const group = (name: string) => page.getByRole('group', { name }).getByRole('option')
  await expect
    .poll(async () => group('Recent threads').allInnerTexts())
    .toEqual(['Incidents of May', 'A plan'])
  await expect
    .poll(async () => (await group('Actions').allInnerTexts()).join())
    .toMatch(/New thread[\s\S]*Needs you,Skills,Tools,Hide the side bar[\s\S]*,Use the dark theme/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await group('Actions').filter({ hasText: 'Use the light theme' }).waitFor()
  await page.emulateMedia({ colorScheme: 'light' })
  // The first is selected; ↑ wraps around to the last.
  const selected = page.locator('[aria-selected=true]')
  await expect.poll(async () => selected.innerText()).toBe('Incidents of May')
  await field.press('ArrowUp')
  await expect.poll(async () => selected.innerText()).toMatch(/^Keyboard shortcuts/)
  await field.fill('inci')
  await options(page).filter({ hasText: 'A late one' }).waitFor()
  await expect
    .poll(async () => options(page).allInnerTexts())
    .toEqual(['Incidents of May', expect.stringMatching(/^incident-report\s+Use when/), 'A late one'])
  await field.press('ArrowDown')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'))
  await field.press('Enter')
  await field.waitFor({ state: 'detached' })
  await page.waitForURL(/#skill=incident-report$/)
  await page.keyboard.press('Control+k')
  await field.fill('dark')
  await field.press('Enter')
  await expect.poll(async () => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.keyboard.press('Control+k')
  await field.fill('inbox')
  await options(page).filter({ hasText: 'Needs you' }).click()
  await page.getByRole('region', { name: 'Needs you' }).waitFor()
  await page.keyboard.press('Control+k')
  await field.press('Control+k')
  await field.waitFor({ state: 'detached' })
})
