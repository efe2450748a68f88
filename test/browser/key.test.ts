// Guards the key: where the page keeps it, how it is forgotten, and that nothing is lost when the server no longer
// accepts it.

import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { SHARED_KEY_WAIT_MS } from '../../src/page/state/key/limits.ts'
import { ADMIN_KEY } from '../e2e/satchel.ts'
import { FRAMES } from '../unit/page/frames.ts'
import { threadInfo } from '../unit/page/ports.ts'
import { violations } from './accessible.ts'
import {
  ask,
  box,
  lengthenTimers,
  log,
  satchel,
  scripted,
  signIn,
  signedIn,
  stream,
  visit,
  withKey,
} from './open.ts'

const api = (page: Page) => page.getByRole('heading', { name: 'Sign in to Satchel' })
const inside = (page: Page) => page.getByRole('heading', { name: 'What shall we work on?' })
/** In the tab and in the browser. */
const kept = async (page: Page) =>
  page.evaluate(() => [sessionStorage.getItem('satchel.key'), localStorage.getItem('satchel.key')])

/** Marks the document if the key form is ever shown. */
function watchForForm(): void {
  new MutationObserver(() => {
    if (document.querySelector('#key')) document.documentElement.dataset['form'] = 'shown'
  }).observe(document, { childList: true, subtree: true })
}

async function settings(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const REFUSED = {
  status: 401,
  json: { status: 401, code: 'unauthorized', detail: 'This key is not known.', request_id: 'req_1' },
}
const LISTED = { json: { data: [threadInfo('th_1', { title: 'Kept in sight' })], next_cursor: null } }

describe('the key form', () => {
  it('says where to find a key and why one is invalid, and stores no invalid key', async () => {
    const page = await visit()
    await page.getByText('Where do I find my key?').click()
    await page.getByText('npm start').waitFor()
    await page.getByLabel('Key', { exact: true }).focus()
    await expect.poll(async () => page.evaluate(() => document.activeElement?.id)).toBe('key')
    for (const [given, message] of [
      ['', 'Enter a key.'],
      ['two words', 'A key contains only letters, digits and punctuation, without spaces.'],
      ['sk_default_nobody_wrong', 'This key isn’t valid.'],
    ] as const) {
      await page.getByLabel('Key', { exact: true }).fill(given)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('alert').getByText(message).waitFor()
    }
    await expect.poll(async () => page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0)
  })

  it('reports an invalid key in a link', async () => {
    const page = await visit(`${satchel.url}/#key=nobody-has-this`)
    await page.getByRole('alert').getByText('The server does not accept the stored key.').waitFor()
    expect(page.url()).not.toContain('nobody')
    await expect.poll(async () => kept(page)).toEqual([null, null])
  })

  it('says that the server cannot be reached, and continues when it can', async () => {
    const page = await visit('about:blank')
    let up = false
    await page.clock.install()
    await page.route(/\/(v1|healthz)/, async (route) =>
      up ? route.continue() : route.abort('connectionrefused'),
    )
    await page.goto(withKey())
    await page
      .getByRole('region', { name: 'Connection' })
      .getByText('The server cannot be reached.')
      .waitFor()
    await page.getByRole('alert').getByText('Is it running?').first().waitFor()
    up = true
    await page.unroute(/\/(v1|healthz)/)
    await page.clock.runFor(10_000)
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
    await page.getByRole('navigation').getByRole('alert').waitFor({ state: 'detached' })
  })
})

describe('a key', () => {
  it('is removed from the URL, kept in the tab, and deleted on request', async () => {
    const page = await signedIn()
    await inside(page).waitFor()
    expect(page.url()).not.toContain(ADMIN_KEY)
    await expect.poll(async () => kept(page)).toEqual([ADMIN_KEY, null])
    await settings(page, 'Your key…')
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await api(page).waitFor()
    await expect.poll(async () => kept(page)).toEqual([null, null])
  })

  it('with caps shows what its runs may still use', async () => {
    const answer = await fetch(`${satchel.url}/admin/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ role: 'chat', user: 'ann', caps: { month: { usd: 10, runs: 5 } } }),
    })
    // The cast is safe: the API answers so.
    const { key } = (await answer.json()) as { readonly key: string }
    const page = await visit()
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Continue' }).click()
    await inside(page).waitFor()
    await settings(page, 'Your key…')
    await page.getByText('Your key, this month: $10.00 of $10.00, 5 of 5 runs left').waitFor()
  })

  it('is shared by all tabs when it is remembered, and removed from all when it is forgotten', async () => {
    const page = await visit()
    const remember = page.getByLabel('Remember it in this browser')
    await expect.poll(async () => remember.isChecked()).toBe(true)
    await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY)
    await page.getByLabel('Key', { exact: true }).blur()
    await page.getByText('An admin’s key can change everything').waitFor()
    await expect.poll(async () => remember.isChecked()).toBe(false)
    await remember.check()
    await signIn(page)
    const other = await page.context().newPage()
    await other.goto(satchel.url)
    await inside(other).waitFor()
    await settings(other, 'Your key…')
    await other.getByText('Your key is stored in this browser').waitFor()
    await other.getByRole('button', { name: 'Forget the key' }).click()
    await Promise.all([api(page).waitFor(), api(other).waitFor()])
    await expect.poll(async () => kept(page)).toEqual([null, null])
  })

  it('is passed to a new tab, and forgotten in both', async () => {
    const page = await signedIn()
    await inside(page).waitFor()
    await expect.poll(async () => kept(page)).toEqual([ADMIN_KEY, null])
    const other = await page.context().newPage()
    await other.addInitScript(watchForForm)
    await lengthenTimers(other, SHARED_KEY_WAIT_MS)
    await other.goto(`${satchel.url}/#skills`)
    await other.getByRole('heading', { name: 'Skills' }).waitFor()
    expect(await other.evaluate(() => document.documentElement.dataset['form']), 'the form was shown').toBe(
      undefined,
    )
    await expect.poll(async () => kept(other)).toEqual([null, null])
    await settings(other, 'Your key…')
    await other.getByRole('button', { name: 'Forget the key' }).click()
    await Promise.all([api(page).waitFor(), api(other).waitFor()])
    await other.reload()
    await api(other).waitFor()
  })

  it('from a link asks before it replaces another key', async () => {
    const page = await signedIn()
    await inside(page).waitFor()
    await expect.poll(async () => kept(page)).toEqual([ADMIN_KEY, null])
    const link = `${satchel.url}/#key=of-somebody-else`
    await page.goto(link)
    const question = page.getByRole('dialog', { name: 'This link has another key' })
    await question.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await page.reload()
    await inside(page).waitFor()
    await page.goto(link)
    await question.getByRole('button', { name: 'Use the link’s key in this tab' }).click()
    await page.getByRole('alert').getByText('The server does not accept the stored key').waitFor()
  })
})

describe('an expired key', () => {
  it('is asked for in a dialog; the list, the open thread and the draft stay', async () => {
    let expired = false
    const { page } = await scripted('', {
      'GET /v1/threads': async (request) =>
        expired && request.headers()['authorization'] !== 'Bearer a-new-key' ? REFUSED : LISTED,
    })
    await page.getByRole('link', { name: 'Kept in sight' }).waitFor()
    await box(page).fill('Half a thought')
    expired = true
    await page.clock.install()
    await page.clock.runFor(5_000)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    const dialog = page.getByRole('dialog', { name: 'Enter your key again' })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const bar = page.getByRole('region', { name: 'Connection' })
    await bar.getByText('The server no longer accepts your key.').waitFor()
    // Shown once, with one button.
    await expect.poll(async () => page.getByRole('button', { name: 'Enter the key' }).count()).toBe(1)
    await bar.getByRole('button', { name: 'Enter the key' }).click()
    await dialog.getByLabel('Key', { exact: true }).fill('a-new-key')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => box(page).inputValue()).toBe('Half a thought')
    await page.getByRole('link', { name: 'Kept in sight' }).waitFor()
    await expect.poll(async () => bar.innerText()).toBe('')
  })

  it('interrupts a message, which is sent once with the new key without retyping', async () => {
    const isNew = (request: Request): boolean => request.headers()['authorization'] === 'Bearer a-new-key'
    const { page } = await scripted('', {
      'GET /v1/threads': async () => LISTED,
      'POST /v1/chat': async (request) => (isNew(request) ? stream(FRAMES) : REFUSED),
    })
    await page.getByRole('link', { name: 'Kept in sight' }).waitFor()
    await ask(page, 'What happened?')
    const dialog = page.getByRole('dialog', { name: 'Enter your key again' })
    await dialog.getByLabel('Key', { exact: true }).fill('a-new-key')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await log(page).getByRole('button', { name: 'Send again' }).click()
    await log(page).getByRole('button', { name: 'Good answer' }).waitFor()
    await expect.poll(async () => log(page).getByRole('article').count()).toBe(1)
    await expect.poll(async () => box(page).inputValue()).toBe('')
  })

  it('keeps the draft after a reload', async () => {
    let expired = false
    const { page } = await scripted('', {
      'GET /v1/threads': async () => LISTED,
    })
    await box(page).fill('Half a thought')
    expired = true
    await page.route(`${satchel.url}/v1/**`, async (route) =>
      expired ? route.fulfill(REFUSED) : route.fallback(),
    )
    await page.reload()
    await page.getByText('The server does not accept the stored key.').waitFor()
    expired = false
    // It belongs to that key: another one does not see it (test/unit/page/composer.test.ts).
    await page.getByLabel('Key', { exact: true }).fill('any-key-will-do')
    await page.getByRole('button', { name: 'Continue' }).click()
    await inside(page).waitFor()
    await expect.poll(async () => box(page).inputValue()).toBe('Half a thought')
  })
})
