// Guards a whole run in a real browser over the real server: the page shows the skill, the file, the answer and the
// receipt as they arrive, and its policy admits no foreign content.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { ADMIN_KEY } from '../e2e/satchel.ts'
import { ask, box, log, openWork, receipt, satchel, signIn, signedIn, visit } from './open.ts'

const QUESTION = 'The checkout was down for forty minutes after a deploy. Write an incident report.'

const turns = (page: Page) => log(page).getByRole('article')
const answered = (page: Page, nth = 0) => page.getByRole('button', { name: 'Good answer' }).nth(nth)

describe('a new visitor', () => {
  it('sees the agent load a skill, read a file and answer, and sees it all again after a reload', async () => {
    const page = await signedIn()
    await ask(page, QUESTION)
    await answered(page).waitFor()
    await log(page)
      .getByText(/^Worked for [\d.]+ m?s · incident-report · \d tool calls$/)
      .waitFor()
    await openWork(page)
    await log(page)
      .locator('summary', { hasText: /Loaded incident-report/ })
      .waitFor()
    await log(page)
      .locator('summary', { hasText: /^Read [\w-]+\.md/ })
      .first()
      .waitFor()
    await expect
      .poll(async () => receipt(page).innerText())
      .toMatch(/incident-report · \d skill files? read · \$[\d.]+ · [\d.]+ m?s$/)
    await receipt(page).click()
    for (const row of ['Outcome', 'Skills', 'Skill files', 'Tools', 'Steps', 'Tokens', 'Cost', 'Time'])
      await expect
        .poll(async () => log(page).getByRole('rowheader', { name: row, exact: true }).count(), {
          message: row,
        })
        .toBe(1)
    const answer = (await turns(page).innerText()).match(/I would work on this[^]*?\./)?.[0] ?? 'none'

    await page.reload()
    await answered(page).waitFor()
    await expect.poll(async () => turns(page).innerText()).toContain(QUESTION)
    await expect.poll(async () => turns(page).innerText()).toContain(answer)
    await openWork(page)
    await log(page)
      .locator('summary', { hasText: /Loaded incident-report/ })
      .waitFor()
    await expect.poll(async () => log(page).getByRole('table').isVisible()).toBe(false)
  })

  it('continues a thread, starts another, and returns through the list', async () => {
    const page = await signedIn()
    await ask(page, 'First question about an incident report')
    await answered(page).waitFor()
    await ask(page, 'And a second question')
    await answered(page, 1).waitFor()
    const thread = new URL(page.url()).hash
    await page.getByRole('button', { name: 'New thread' }).click()
    await expect.poll(async () => turns(page).count()).toBe(0)
    await ask(page, 'Another thread')
    await answered(page).waitFor()
    await expect.poll(() => new URL(page.url()).hash).not.toBe(thread)
    await page.getByRole('navigation', { name: 'Threads' }).locator(`a[href$="${thread}"]`).click()
    await turns(page).nth(1).waitFor()
    await expect.poll(async () => turns(page).nth(0).innerText()).toContain('First question')
    await expect.poll(async () => turns(page).nth(1).innerText()).toContain('And a second question')
  })
})

describe('the page itself', () => {
  it('has a policy that blocks other hosts, and requests nothing from them', async () => {
    const html = await (await fetch(satchel.url)).text()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?:\/\//)
    const built = [...html.matchAll(/\/page\/[\w.-]+/g)].map(([path]) => path)
    expect(built.length).toBeGreaterThan(1)
    for (const path of ['/', '/icon.svg', ...built]) {
      const { headers } = await fetch(new URL(path, satchel.url))
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, path).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(policy).not.toContain('unsafe')
      // Pictures may be made from bytes, and two workers are our own. The only document that can be framed
      // is that for HTML files; objects stay with default-src.
      expect(policy).toContain("; img-src 'self' blob:;")
      expect(policy).toContain("; worker-src 'self';")
      expect(policy).toContain("; frame-src 'self';")
      expect(policy).toContain("; frame-ancestors 'none';")
      expect(policy).toMatch(/require-trusted-types-for 'script'; trusted-types satchel-worker$/)
      expect(policy).not.toMatch(/object-src|child-src|data:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      // Hosts of links are not resolved before a click, even on http origins.
      expect(headers.get('x-dns-prefetch-control')).toBe('off')
      // Nothing opens connections in advance.
      expect(headers.get('link') ?? headers.get('speculation-rules')).toBe(null)
    }
    // Only the page's own font is preloaded.
    expect(html.match(/rel="preload"[^>]*/g)?.map((link) => /href="([^"]*)"/.exec(link)?.[1])).toEqual([
      expect.stringMatching(/^\/page\/inter-latin-wght-normal-\w+\.woff2$/),
    ])
    expect(html).not.toMatch(/dns-prefetch|preconnect|rel="(?:prefetch|prerender)|speculationrules/)
  })

  it('fits the screen of a phone', async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
    const page = await visit(satchel.url, phone)
    await signIn(page)
    await box(page).fill(QUESTION)
    await page.getByRole('button', { name: 'Send' }).click()
    await answered(page).waitFor()
    const closed = log(page).locator('details:not([open]) > summary:visible')
    while ((await closed.count()) > 0) await closed.first().click()
    await expect.poll(async () => log(page).locator('.skeleton').count()).toBe(0)
    await expect.poll(async () => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  it('explains what went wrong', async () => {
    const page = await visit(`${satchel.url}/#t=no-such-thread&key=${encodeURIComponent(ADMIN_KEY)}`)
    const alert = log(page).getByRole('alert')
    await alert.waitFor()
    await alert.getByText('This thread does not exist or was deleted.').waitFor()
    await alert.getByText('Details').click()
    await alert.getByText('not_found').waitFor()
    await alert.getByRole('button', { name: 'New thread' }).click()
    await page.getByText('What shall we work on?').waitFor()
  })
})
