// The page shows a run as it happens, in a real browser over the real server: index, skill, file, answer, receipt.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ADMIN_KEY } from '../e2e/satchel.ts'
import { sharedSatchel } from '../e2e/shared.ts'
import { ask, signIn, startBrowser, visit } from './open.ts'

const QUESTION = 'The checkout was down for forty minutes after a deploy. Write an incident report.'

const satchel = sharedSatchel()
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())

describe('a new visitor', () => {
  it('is told where the key is, and why a wrong one does not work', async () => {
    const { page, complaints } = await visit(browser, satchel.url)
    await page.getByText('npm start').waitFor()
    expect(await page.getByLabel('Message').isVisible()).toBe(false)
    await page.getByLabel('Key', { exact: true }).fill('sk_default_nobody_wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByRole('alert').innerText()).not.toBe('')
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
    expect(complaints).toEqual([])
  })

  it('watches the agent go from the index over a skill and a file to the answer, and gets a receipt', async () => {
    const { page, complaints } = await visit(browser, satchel.url)
    await signIn(page)
    await page.locator('#skills').getByText('incident-report').waitFor()
    await ask(page, QUESTION)
    await page.locator('.receipt').waitFor()
    expect(await page.locator('.node.index').innerText()).toMatch(/\d+ skills.*demo model/s)
    expect(await page.locator('.node.skill.done').first().innerText()).toMatch(
      /incident-report.*built-in.*[0-9a-f]{10}/s,
    )
    expect(await page.locator('.node.file.done').first().innerText()).toContain('incident-report/')
    const answer = await page.locator('.answer').last().innerText()
    expect(answer).toMatch(/demo model/i)
    const receipt = await page.locator('.receipt').innerText()
    expect(receipt).toMatch(/Outcome\s+Answered/)
    for (const row of ['Skills', 'Files', 'Tools', 'Steps', 'Tokens', 'Cost', 'Time'])
      expect(receipt).toContain(row)
    expect(await page.locator('#threads [aria-current]').count()).toBe(1)

    await page.reload()
    await page.locator('.receipt').waitFor()
    expect(await page.locator('.asked').innerText()).toBe(QUESTION)
    expect(await page.locator('.answer').last().innerText()).toBe(answer)
    expect(await page.locator('.node.skill.done').first().innerText()).toContain('incident-report')
    expect(complaints).toEqual([])
  })

  it('goes on in the same thread, starts another, and comes back by the list', async () => {
    const { page } = await visit(browser, satchel.url)
    await signIn(page)
    await ask(page, 'First question about an incident report')
    await page.locator('.receipt').waitFor()
    await ask(page, 'And a second question')
    await page.locator('.receipt').nth(1).waitFor()
    const thread = new URL(page.url()).hash
    await page.getByRole('button', { name: 'New thread' }).click()
    expect(await page.locator('.turn').count()).toBe(0)
    await ask(page, 'Another thread')
    await page.locator('.receipt').waitFor()
    expect(new URL(page.url()).hash).not.toBe(thread)
    await page.locator(`#threads a[href="${thread}"]`).click()
    await page.locator('.turn').nth(1).waitFor()
    expect(await page.locator('.asked').allInnerTexts()).toEqual([
      'First question about an incident report',
      'And a second question',
    ])
  })
})

describe('the key', () => {
  it('is taken out of the address and forgotten with the tab, unless its owner says otherwise', async () => {
    const { page } = await visit(browser, `${satchel.url}/#key=${encodeURIComponent(ADMIN_KEY)}`)
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
    expect(page.url()).not.toContain(ADMIN_KEY)
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([1, 0])
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.getByRole('heading', { name: 'Enter your key' }).waitFor()
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0])

    await page.getByLabel('Remember it on this device').check()
    await signIn(page)
    const tab = await page.context().newPage()
    await tab.goto(satchel.url)
    await tab.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
  })
})

describe('the page itself', () => {
  it('is served with a policy that lets nothing foreign in, and asks for nothing foreign', async () => {
    for (const path of ['/', '/app.js', '/app.css', '/icon.svg']) {
      const { headers } = await fetch(new URL(path, satchel.url))
      expect(headers.get('content-security-policy'), path).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      // Pictures may be made from bytes; frames and objects stay with default-src.
      expect(headers.get('content-security-policy')).toContain("; img-src 'self' blob:;")
      expect(headers.get('content-security-policy')).not.toMatch(
        /frame-src|object-src|child-src|worker-src|data:/,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
    const html = await (await fetch(satchel.url)).text()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?:\/\//)
  })

  it('works on a phone: nothing hangs over the edge, the menu opens and Escape closes it', async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
    const { page } = await visit(browser, satchel.url, phone)
    await signIn(page)
    await ask(page, QUESTION)
    await page.locator('.receipt').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await page.locator('#threads').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await page.locator('#threads').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('#threads').isVisible()).toBe(false)
  })

  it('says in words what went wrong', async () => {
    const { page } = await visit(
      browser,
      `${satchel.url}/#t=no-such-thread&key=${encodeURIComponent(ADMIN_KEY)}`,
    )
    const problem = page.locator('#log .problem')
    await problem.waitFor()
    expect(await problem.innerText()).toMatch(/This thread could not be shown[\s\S]*not_found/)
  })
})
