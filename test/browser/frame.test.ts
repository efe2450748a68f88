// Guards the frame around the conversation: the title, the menu on a phone, the connection status, the theme and the
// keyboard shortcuts.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { threadInfo } from '../unit/page/ports.ts'
import { box, scripted } from './open.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const ANSWERS = {
  'GET /v1/threads/th_1': async () => ({ json: threadInfo('th_1', { title: 'An older one' }) }),
  'GET /v1/threads': async () => ({
    json: { data: [threadInfo('th_1', { title: 'An older one' })], next_cursor: null },
  }),
}
const focused = async (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)

describe('on a phone', () => {
  it('the menu opens over the page, has the focus, and gives it back', async () => {
    const { page } = await scripted('', ANSWERS, PHONE)
    const menu = page.getByRole('button', { name: 'Menu' })
    const thread = page.getByRole('link', { name: 'An older one' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect([await menu.getAttribute('aria-expanded'), await thread.isVisible()]).toEqual(['false', false])
    await menu.click()
    await thread.waitFor()
    await expect.poll(async () => focused(page)).toBe('Close')
    // The content behind the drawer cannot be reached.
    for (let times = 0; times < 20; times++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('#room'))).toBeNull()
    }
    await page.keyboard.press('Escape')
    await expect.poll(async () => focused(page)).toBe('Menu')
    await thread.waitFor({ state: 'hidden' })
    expect(await menu.getAttribute('aria-expanded')).toBe('false')

    // On a slow device the focus is set before the first frame of the open menu is drawn.
    await page.evaluate(() => {
      window.requestAnimationFrame = (callback) => {
        queueMicrotask(() => callback(performance.now()))
        return 0
      }
    })
    await menu.click()
    await expect.poll(async () => focused(page)).toBe('Close')
    await page.mouse.click(350, 400)
    await thread.waitFor({ state: 'hidden' })
    await menu.click()
    await thread.click()
    await thread.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1, name: 'An older one' }).waitFor()
  })
})

describe('the line', () => {
  it('that is broken is said in a bar, and the message box stays usable', async () => {
    const { page } = await scripted('', ANSWERS)
    const bar = page.getByRole('status', { name: 'Connection' })
    expect(await bar.innerText()).toBe('')
    await page.context().setOffline(true)
    await bar.getByText('You are offline.').waitFor()
    await box(page).fill('Written without a line')
    await page.context().setOffline(false)
    await bar.getByText('You are offline.').waitFor({ state: 'detached' })
    expect(await box(page).inputValue()).toBe('Written without a line')
  })
})

describe('the theme', () => {
  it('goes by the system until another one is chosen, and that is kept', async () => {
    const { page } = await scripted('', ANSWERS, { colorScheme: 'dark' })
    const paper = async () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const dark = await paper()
    await page.getByRole('button', { name: 'Settings' }).click()
    const light = page.getByRole('menuitemradio', { name: 'Light' })
    expect(await light.getAttribute('aria-checked')).toBe('false')
    await light.click()
    const bright = await paper()
    expect(bright).not.toBe(dark)
    await page.reload()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    expect(await paper()).toBe(bright)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemradio', { name: 'Same as the system' }).click()
    expect(await paper()).toBe(dark)
  })
})

describe('the keyboard', () => {
  it('leads to the message, to a search, to a new thread and to its own help', async () => {
    const { page } = await scripted('&t=th_1', ANSWERS)
    await page.getByRole('heading', { level: 1, name: 'An older one' }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('/')
    expect(await focused(page)).toBe('message')
    await page.keyboard.type('/?')
    expect(await box(page).inputValue()).toBe('/?')
    await box(page).fill('')
    await page.keyboard.press('Control+k')
    await expect.poll(async () => focused(page)).toBe('search')
    await page.keyboard.press('Control+Shift+O')
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
    await expect.poll(async () => focused(page)).toBe('message')

    await page.getByRole('heading', { level: 1 }).click()
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await help.getByText('Search threads').waitFor()
    await help.getByLabel('Single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await expect.poll(async () => focused(page)).toBe('search')
    expect(await help.count()).toBe(0)
  })

  it('comes to the message by the first link of the page', async () => {
    const { page } = await scripted('&t=th_1', ANSWERS)
    const before = page.url()
    const link = page.getByRole('link', { name: 'Go to the message' })
    const first = await page.evaluate(() => document.querySelector('a, button, input, textarea')?.textContent)
    expect(first?.trim()).toBe('Go to the message')
    await link.focus()
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('message')
    expect(page.url()).toBe(before)
  })

  it('goes through a menu, and comes back to its button', async () => {
    const { page } = await scripted('', ANSWERS)
    const settings = page.getByRole('button', { name: 'Settings' })
    await settings.focus()
    await page.keyboard.press('Enter')
    const marked = async () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(marked).toBe('Same as the system')
    await page.keyboard.press('ArrowDown')
    expect(await marked()).toBe('Light')
    await page.keyboard.press('End')
    expect(await marked()).toBe('Forget the key')
    await page.keyboard.press('k')
    expect(await marked()).toMatch(/^Keyboard/)
    await page.keyboard.press('Escape')
    await expect.poll(async () => settings.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await settings.getAttribute('aria-expanded')).toBe('false')
  })
})
