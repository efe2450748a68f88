// Whoever begins a message with a slash is offered the team's skills, by keyboard and by mouse, and the run has what
// was called without a call of the model.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { ADMIN_KEY } from '../e2e/satchel.ts'
import { sharedSatchel } from '../e2e/shared.ts'
import { signIn, startBrowser, visit } from './open.ts'

const satchel = sharedSatchel()
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())

it('a slash offers a skill that is kept from the model: people are all who can call it', async () => {
  const text = '---\nname: by-hand\ndescription: For people.\ndisable-model-invocation: true\n---\nDo it.\n'
  const published = await fetch(`${satchel.url}/admin/skills`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ files: { 'SKILL.md': text } }),
  })
  expect(published.status).toBe(201)
  const { page, complaints } = await visit(browser, satchel.url)
  await signIn(page)
  await page.locator('#skills').getByText('incident-report').waitFor()
  expect(await page.locator('#skills').innerText()).not.toContain('by-hand')
  await page.getByLabel('Message').fill('/by-h')
  expect(await page.getByRole('option').first().innerText()).toContain('/by-hand')
  expect(complaints).toEqual([])
})

it('a slash offers skills, keys choose one, and the run says that it was called', async () => {
  const { page, complaints } = await visit(browser, satchel.url)
  await signIn(page)
  await page.locator('#skills').getByText('incident-report').waitFor()
  const message = page.getByLabel('Message')
  const offers = page.getByRole('option')
  await message.fill('Look at /')
  expect(await offers.count()).toBe(0)
  await message.fill('/')
  expect(await offers.count()).toBeGreaterThan(2)
  await message.press('Escape')
  expect(await offers.count()).toBe(0)
  await message.fill('')
  await message.pressSequentially('/code')
  expect(await offers.first().innerText()).toContain('/code-review')
  expect(await message.getAttribute('aria-activedescendant')).toBe('offer-0')
  await message.press('Enter')
  expect(await message.inputValue()).toBe('/code-review ')
  await message.pressSequentially('/incident')
  await offers.first().click()
  expect(await message.inputValue()).toBe('/code-review /incident-report ')
  await message.pressSequentially('What now?')
  await message.press('Enter')
  await page.locator('.receipt').waitFor()
  expect(await page.locator('.asked').innerText()).toBe('/code-review /incident-report What now?')
  const receipt = await page.locator('.receipt').innerText()
  expect(receipt).toMatch(/code-review.*via slash/s)
  expect(receipt).toMatch(/incident-report.*via slash/s)
  // A refusal is read where the message was written, and the message is still there.
  await message.fill('/nobody it')
  await message.press('Enter')
  await page.getByText("There is no skill 'nobody'").first().waitFor()
  expect(await message.inputValue()).toBe('/nobody it')
  expect(complaints).toEqual([])
})
