// Guards the frame around the conversation: the title, the side bar, the menu on a phone, the connection status, the
// theme and the keyboard shortcuts.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { ENDED, textDelta } from '../unit/page/frames.ts'
import { threadInfo } from '../unit/page/ports.ts'
import { box, lists, runOf, scripted } from './open.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const ANSWERS = {
  'GET /v1/threads/th_1': async () => ({ json: threadInfo('th_1', { title: 'An older one' }) }),
  'GET /v1/threads': async () => ({
    json: { data: [threadInfo('th_1', { title: 'An older one' })], next_cursor: null },
  }),
}
const focused = async (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)

it('prints only the conversation, in full and in the light theme', async () => {
  const question = Array.from({ length: 80 }, (_, line) => `Line ${line}`).join('\n\n')
  const { page } = await scripted('', { 'POST /v1/chat': async () => runOf(textDelta('The end.'), ENDED) })
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
  await box(page).fill(question)
  await box(page).press('Enter')
  await page.getByText('The end.').waitFor()
  await page.emulateMedia({ media: 'print' })
  await expect.poll(async () => box(page).isVisible()).toBe(false)
  await expect.poll(async () => page.getByRole('navigation').first().isVisible()).toBe(false)
  const sizes = await page.evaluate(() => {
    const [log, clamp] = [document.querySelector('#log'), document.querySelector('.question .clamp')]
    return {
      log: (log?.scrollHeight ?? 0) - (log?.clientHeight ?? 0),
      question: (clamp?.scrollHeight ?? 0) - (clamp?.clientHeight ?? 0),
      pages: document.body.scrollHeight > 2 * window.innerHeight,
      scheme: getComputedStyle(document.documentElement).colorScheme,
    }
  })
  expect(sizes).toEqual({ log: 0, question: 0, pages: true, scheme: 'light' })
})

describe('on a phone', () => {
  it('the menu opens over the page, takes the focus, and returns it', async () => {
    const { page } = await scripted('', ANSWERS, PHONE)
    const menu = page.getByRole('button', { name: 'Menu' })
    const thread = page.getByRole('link', { name: 'An older one' })
    await expect.poll(async () => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await expect
      .poll(async () => [await menu.getAttribute('aria-expanded'), await thread.isVisible()])
      .toEqual(['false', false])
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
    await expect.poll(async () => menu.getAttribute('aria-expanded')).toBe('false')

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

describe('the side bar', () => {
  const side = (page: Page) => page.getByRole('complementary', { name: 'Threads and skills' })
  const hide = (page: Page) => page.getByRole('button', { name: 'Hide the side bar' })
  const show = (page: Page) => page.getByRole('button', { name: 'Show the side bar, 1 waiting' })
  const width = async (page: Page) => (await side(page).boundingBox())?.width ?? 0
  const answers = { ...ANSWERS, 'GET /v1/approvals': lists({ thread_id: 'th_1' }) }

  it('is hidden by its button or a shortcut, and stays hidden in this browser', async () => {
    const { page } = await scripted('', answers, { reducedMotion: 'reduce' })
    // It does not look like a button with an open menu.
    await expect
      .poll(async () => hide(page).evaluate((button) => getComputedStyle(button).backgroundColor))
      .toBe('rgba(0, 0, 0, 0)')
    await hide(page).click()
    await side(page).waitFor({ state: 'hidden' })
    await show(page).and(page.locator(':focus')).waitFor()
    await expect.poll(async () => (await page.getByRole('main').boundingBox())?.x).toBe(0)
    await page.getByRole('button', { name: 'New thread' }).waitFor()
    await page.reload()
    await show(page).click()
    await hide(page).and(page.locator(':focus')).waitFor()
    await box(page).fill('Half a thought')
    await page.keyboard.press('Control+b')
    await side(page).waitFor({ state: 'hidden' })
    // The focus is not taken from somebody who writes.
    await expect.poll(async () => focused(page)).toBe('message')
    await page.keyboard.press('Control+b')
    await page.getByRole('link', { name: 'An older one' }).waitFor()
    await expect.poll(async () => box(page).inputValue()).toBe('Half a thought')
  })

  it('is resized by pointer or arrow keys, within limits, and keeps its width after a reload', async () => {
    const { page } = await scripted('', answers, { reducedMotion: 'reduce' })
    const edge = page.getByRole('separator', { name: 'Width of the side bar' })
    await expect.poll(async () => width(page)).toBe(272)
    await page.mouse.move(272, 400)
    await page.mouse.down()
    await page.mouse.move(360, 400, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => width(page)).toBe(360)
    await page.reload()
    await edge.focus()
    await expect.poll(async () => width(page)).toBe(360)
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(async () => [await width(page), await edge.getAttribute('aria-valuenow')])
      .toEqual([376, '24'])
    await page.keyboard.press('Home')
    await expect.poll(async () => width(page)).toBe(208)
    await page.keyboard.press('End')
    await expect.poll(async () => width(page)).toBe(448)
    await edge.dblclick()
    await expect.poll(async () => width(page)).toBe(272)
    await edge.press('Enter')
    await show(page).and(page.locator(':focus')).waitFor()
  })

  it('shows the menu of a row on hover and on focus, and always on a touch screen', async () => {
    const { page } = await scripted('', ANSWERS)
    const more = page.getByRole('button', { name: 'More for An older one' })
    const opacity = async () => more.evaluate((button) => getComputedStyle(button).opacity)
    await more.waitFor()
    await expect.poll(opacity).toBe('0')
    await page.getByRole('link', { name: 'An older one' }).hover()
    await expect.poll(opacity).toBe('1')
    await page.mouse.move(800, 400)
    await expect.poll(opacity).toBe('0')
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor()
    await expect.poll(opacity).toBe('1')
    const TABLET = { viewport: { width: 1000, height: 700 }, hasTouch: true, isMobile: true }
    const { page: tablet } = await scripted('', ANSWERS, TABLET)
    const row = tablet.getByRole('button', { name: 'More for An older one' })
    await row.waitFor()
    await expect.poll(async () => row.evaluate((button) => getComputedStyle(button).opacity)).toBe('1')
    const grip = await tablet.getByRole('separator').boundingBox()
    expect(Math.min(grip?.width ?? 0, grip?.height ?? 0)).toBeGreaterThanOrEqual(44)
    // A finger on the menu of a row does not touch the resize handle.
    expect((grip?.x ?? 0) + 1).toBeGreaterThan(((await row.boundingBox())?.x ?? 0) + 44)
  })
})

describe('the connection bar', () => {
  it('says that the browser is offline, and the message box stays usable', async () => {
    const { page } = await scripted('', ANSWERS)
    const bar = page.getByRole('region', { name: 'Connection' })
    await expect.poll(async () => bar.innerText()).toBe('')
    await page.context().setOffline(true)
    await bar.getByText('You’re offline.').waitFor()
    const header = await page.locator('#head').boundingBox()
    await expect.poll(async () => (await bar.boundingBox())?.y).toBe((header?.y ?? 0) + (header?.height ?? 0))
    await expect.poll(async () => bar.innerText()).not.toContain('draft')
    await box(page).fill('Written without a line')
    await bar.getByText('Your draft is saved.').waitFor()
    await page.context().setOffline(false)
    await bar.getByText('You’re offline.').waitFor({ state: 'detached' })
    await expect.poll(async () => box(page).inputValue()).toBe('Written without a line')
  })
})

describe('the theme', () => {
  it('follows the system until another one is chosen, and remembers the choice', async () => {
    const { page } = await scripted('', ANSWERS, { colorScheme: 'dark' })
    const paper = async () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const dark = await paper()
    await page.getByRole('button', { name: 'Settings' }).click()
    const light = page.getByRole('menuitemradio', { name: 'Light' })
    await expect.poll(async () => light.getAttribute('aria-checked')).toBe('false')
    await light.click()
    const bright = await paper()
    expect(bright).not.toBe(dark)
    await page.reload()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await expect.poll(paper).toBe(bright)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    await expect.poll(paper).toBe(dark)
  })
})

describe('keyboard shortcuts', () => {
  it('open the message box, the search, a new thread and their own help', async () => {
    const { page } = await scripted('&t=th_1', ANSWERS)
    await page.getByRole('heading', { level: 1, name: 'An older one' }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('/')
    await expect.poll(async () => focused(page)).toBe('message')
    await page.keyboard.type('/?')
    await expect.poll(async () => box(page).inputValue()).toBe('/?')
    await box(page).fill('')
    await page.keyboard.press('Control+k')
    await expect.poll(async () => focused(page)).toBe('Search threads, skills and actions')
    await page.keyboard.press('Escape')
    await expect.poll(async () => focused(page)).toBe('message')
    await page.keyboard.press('Control+Shift+O')
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
    await expect.poll(async () => focused(page)).toBe('message')

    await page.getByRole('heading', { level: 1 }).click()
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Search threads, skills and actions').waitFor()
    await help.getByLabel('Single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await expect.poll(async () => focused(page)).toBe('Search threads, skills and actions')
    await expect.poll(async () => help.count()).toBe(0)
  })

  it('reach the message box by the first link of the page', async () => {
    const { page } = await scripted('&t=th_1', ANSWERS)
    const before = page.url()
    const link = page.getByRole('link', { name: 'Go to the message' })
    const first = await page.evaluate(() => document.querySelector('a, button, input, textarea')?.textContent)
    expect(first?.trim()).toBe('Go to the message')
    await link.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => focused(page)).toBe('message')
    expect(page.url()).toBe(before)
  })

  it('move through a menu and return the focus to its button', async () => {
    const { page } = await scripted('', ANSWERS)
    const settings = page.getByRole('button', { name: 'Settings' })
    await settings.focus()
    await page.keyboard.press('Enter')
    const marked = async () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(marked).toBe('System')
    await page.keyboard.press('ArrowDown')
    await expect.poll(marked).toBe('Light')
    await page.keyboard.press('End')
    await expect.poll(marked).toBe('Your key…')
    await page.keyboard.press('k')
    await expect.poll(marked).toMatch(/^Keyboard/)
    await page.keyboard.press('Escape')
    await expect.poll(async () => settings.evaluate((button) => button === document.activeElement)).toBe(true)
    await expect.poll(async () => settings.getAttribute('aria-expanded')).toBe('false')
  })
})
