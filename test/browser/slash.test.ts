// Guards slash commands: a message that begins with a slash is completed with the team's skills and their arguments, by
// keyboard, mouse and screen reader. The run has the called skill without a model call.

import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'

import { ADMIN_KEY, until } from '../e2e/satchel.ts'
import { ask, box, signedIn, satchel, statusLine, visit, withKey } from './open.ts'
import { drawn } from './stepped.ts'

beforeAll(async () => {
  const text =
    '---\nname: by-hand\ndescription: For people.\nargument-hint: "[file] [how]"\n' +
    'disable-model-invocation: true\n---\nDo it.\n'
  const published = await fetch(`${satchel.url}/admin/skills`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ files: { 'SKILL.md': text } }),
  })
  expect(published.status).toBe(201)
})

const offers = (page: Page) => page.getByRole('listbox', { name: 'Skills' }).getByRole('option')

it('a slash offers a skill that only people can call, and shows its arguments', async () => {
  const page = await signedIn()
  await box(page).fill('/by-h')
  await offers(page).first().waitFor()
  await expect
    .poll(async () => offers(page).first().innerText())
    .toMatch(/\/by-hand \[file\] \[how\]\s*For people\./)
  await statusLine(page).getByText('1 skill matches').waitFor()
  await box(page).press('Tab')
  await expect.poll(async () => box(page).inputValue()).toBe('/by-hand ')
  await page.getByText('Continue with: [file] [how]').waitFor()
  await box(page).pressSequentially('a.csv')
  await expect.poll(async () => page.getByText('Continue with').count()).toBe(0)
})

it('keys select and insert a skill, Escape closes only the list, and a slash inside a message offers nothing', async () => {
  const page = await signedIn()
  await box(page).fill('Look at /')
  await expect.poll(async () => offers(page).count()).toBe(0)
  await box(page).fill('/')
  await offers(page).nth(2).waitFor()
  // The list is referenced by the box, which keeps its role.
  await expect.poll(async () => box(page).getAttribute('role')).toBe(null)
  await expect.poll(async () => box(page).getAttribute('aria-expanded')).toBe(null)
  const list = (await box(page).getAttribute('aria-controls')) ?? ''
  await expect.poll(async () => page.locator(`#${list}`).getAttribute('role')).toBe('listbox')
  // The text of the option that the box names, if it is the selected one.
  const active = async (): Promise<string | null | undefined> =>
    box(page).evaluate((element) => {
      const option = document.getElementById(element.getAttribute('aria-activedescendant') ?? '')
      return option?.ariaSelected === 'true' ? option.textContent : null
    })
  await expect.poll(active).toBeTruthy()
  const first = await active()
  await box(page).press('ArrowDown')
  await expect.poll(async () => ![null, undefined, first].includes(await active())).toBe(true)
  await box(page).press('ArrowUp')
  await expect.poll(active).toBe(first)
  await box(page).press('Escape')
  await expect.poll(async () => offers(page).count()).toBe(0)
  await expect.poll(async () => box(page).inputValue()).toBe('/')
  await expect.poll(async () => box(page).getAttribute('aria-activedescendant')).toBe(null)
})

it('the selected skill stays selected when more skills have loaded', async () => {
  const page = await visit('about:blank')
  let arrive = (): void => undefined
  const gate = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/admin/skills?*', async (route) => {
    await gate
    await route.continue()
  })
  await page.goto(withKey())
  await box(page).fill('/')
  await offers(page).nth(2).waitFor()
  await box(page).press('ArrowDown')
  const selected = page.getByRole('option', { selected: true })
  const name = await selected.innerText()
  expect(name).not.toBe(await offers(page).first().innerText())
  const last = page.waitForResponse('**/admin/skills?*')
  arrive()
  await (await last).finished()
  await drawn(page)
  expect(await selected.innerText()).toBe(name)
})

it('called skills are in the run without a model call', async () => {
  const page = await signedIn()
  await box(page).pressSequentially('/code')
  await offers(page).first().waitFor()
  await expect.poll(async () => offers(page).first().innerText()).toContain('/code-review')
  await box(page).press('Enter')
  await expect.poll(async () => box(page).inputValue()).toBe('/code-review ')
  await box(page).pressSequentially('/incident')
  await offers(page).first().click()
  await expect.poll(async () => box(page).inputValue()).toBe('/code-review /incident-report ')
  await box(page).pressSequentially('What now?')
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/v1/chat'))
  await box(page).press('Enter')
  const ids = (await sent).headers()
  await statusLine(page).getByText('Answer complete').waitFor()
  await expect
    .poll(async () => page.locator('.question').innerText())
    .toBe('/code-review /incident-report What now?')
  const run = `${satchel.url}/v1/threads/${ids['x-thread-id']}/runs/${ids['x-run-id']}`
  const receipt = await fetch(run, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } })
  expect(await receipt.json()).toMatchObject({
    skills: [
      { name: 'code-review', via: 'slash' },
      { name: 'incident-report', via: 'slash' },
    ],
  })
})

it('a refusal appears at the message box, and the message is kept', async () => {
  const page = await signedIn()
  await ask(page, '/nobody it')
  await page.getByRole('alert').getByText("There is no skill 'nobody'").waitFor()
  await until('it is back', async () => (await box(page).inputValue()) === '/nobody it')
})
