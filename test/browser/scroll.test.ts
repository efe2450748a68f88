// Guards scrolling: a question moves to the top, its answer is read from the beginning, the view follows the end only on request,
// and content inserted above moves nothing.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { Message } from '../../src/agent/message.ts'
import { TURNS_PER_BATCH } from '../../src/page/chat/limits.ts'
import { RECEIPT } from '../unit/page/frames.ts'
import { drawn, stepped, type Stepped } from './stepped.ts'
import { lists, type Answers, ask } from './open.ts'

const LINES = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `Line ${from + n} of the answer.\n\n`).join('')

const top = async (page: Page): Promise<number> => page.locator('#log').evaluate((log) => log.scrollTop)
const below = async (page: Page): Promise<number> =>
  page.locator('#log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)
/** px from the upper edge of the log. */
async function height(page: Page, text: string): Promise<number> {
  const [box, log] = await Promise.all([
    page.getByText(text, { exact: true }).boundingBox(),
    page.locator('#log').boundingBox(),
  ])
  if (!box || !log) throw new Error(`${text} is not there`)
  return box.y - log.y
}

/** A thread of `count` turns, as the server stores them. */
function stored(count: number): Answers {
  const at = '2026-01-02T03:04:05.000Z'
  const messages = Array.from({ length: count }, (_, n): Message[] => {
    const common = { run_id: `run_${n + 1}`, created_at: at }
    return [
      {
        ...common,
        id: `m_${n}q`,
        role: 'user',
        model: null,
        content: [{ type: 'text', text: `Question ${n + 1}` }],
      },
      {
        ...common,
        id: `m_${n}a`,
        role: 'assistant',
        model: 'demo',
        content: [{ type: 'text', text: `Answer ${n + 1}\n\n${LINES(1, n % 9)}` }],
      },
    ]
  }).flat()
  const receipts = Array.from({ length: count }, (_, n) => ({
    ...RECEIPT,
    run_id: `run_${n + 1}`,
  })).toReversed()
  return {
    'GET /v1/threads/th_1/runs': lists(...receipts),
    'GET /v1/threads/th_1/messages': lists(...messages),
  }
}

/** An open thread, with its newest turns drawn and formatted. */
async function opened(count: number): Promise<Stepped> {
  const visitor = await stepped(stored(count), { fragment: '&t=th_1' })
  const { page } = visitor
  await page.getByText(`Question ${count}`, { exact: true }).waitFor()
  await expect.poll(async () => page.locator('.turn').count()).toBe(Math.min(count, TURNS_PER_BATCH))
  // Until the code that renders Markdown has loaded, the texts are plain.
  await expect.poll(async () => page.locator('.prose > .plain').count()).toBe(0)
  return visitor
}

describe('an answer', () => {
  it('is read from its beginning: the question moves to the top, and the view does not scroll while the answer grows', async () => {
    const { page, announce, finish } = await opened(20)
    await ask(page, 'And now?')
    await announce('Line 0.\n\n')
    await page.getByText('Line 0.', { exact: true }).waitFor()
    const offset = await height(page, 'And now?')
    expect(offset).toBeLessThan(64)
    // What people see: a turn above gets its real height when the browser draws it, and the scroll offset changes with
    // it.
    for (let n = 0; n < 8; n++) {
      await announce(LINES(n * 10 + 1, 10))
      expect(Math.abs((await height(page, 'And now?')) - offset)).toBeLessThan(2)
    }
    await finish()
    expect(Math.abs((await height(page, 'And now?')) - offset)).toBeLessThan(2)
  })

  it('is followed after a jump to its end, until the reader scrolls up', async () => {
    const { page, announce, finish } = await opened(3)
    await ask(page, 'And now?')
    await announce(LINES(1, 60))
    const jump = page.getByRole('button', { name: 'Jump to the end' })
    await jump.click()
    await expect.poll(async () => jump.count()).toBe(0)
    for (let n = 1; n < 5; n++) {
      await announce(LINES(n * 60, 20))
      await expect.poll(async () => below(page)).toBeLessThan(4)
    }
    await page.locator('#log').hover()
    await page.mouse.wheel(0, -400)
    await jump.waitFor()
    const offset = await top(page)
    for (let n = 6; n < 10; n++) await announce(LINES(n * 60, 20))
    await finish()
    expect(await top(page)).toBe(offset)
    await page.locator('#log').evaluate((log) => log.scrollTo(0, log.scrollHeight))
    await expect.poll(async () => jump.count()).toBe(0)
  })

  it('does not move the view of a reader who has scrolled up', async () => {
    const { page, announce, finish } = await opened(30)
    await ask(page, 'And now?')
    await announce(LINES(1, 10))
    await page.locator('#log').hover()
    await page.mouse.wheel(0, -3_000)
    await page.getByRole('button', { name: 'Jump to the end' }).waitFor()
    const where = await height(page, 'Question 28')
    const offset = await top(page)
    for (let n = 1; n < 6; n++) await announce(LINES(n * 10, 30))
    await finish()
    expect(await top(page)).toBe(offset)
    expect(await height(page, 'Question 28')).toBe(where)
  })

  it('changes nothing in finished turns', async () => {
    const { page, announce, finish } = await opened(5)
    await ask(page, 'And now?')
    await announce('Begin.\n\n')
    await page.evaluate(() => {
      const seen = { changes: 0 }
      Object.assign(window, { seen })
      const watch = new MutationObserver((records) => (seen.changes += records.length))
      const turns = [...document.querySelectorAll('.turn')].slice(0, -1)
      for (const turn of turns)
        watch.observe(turn, { childList: true, subtree: true, characterData: true, attributes: true })
    })
    for (let n = 0; n < 10; n++) await announce(LINES(n, 5))
    await finish()
    expect(await page.evaluate(() => (window as unknown as { seen: { changes: number } }).seen.changes)).toBe(
      0,
    )
  })
})

it('shows a line below the header while the beginning of the conversation is out of view', async () => {
  const { page } = await opened(9)
  const line = page.locator('.log-room.scrolled')
  await line.waitFor()
  await page.locator('#log').evaluate((log) => log.scrollTo(0, 0))
  await line.waitFor({ state: 'detached' })
})

describe('a long thread', () => {
  it('opens at its end with its newest 60 turns, and adds earlier ones without moving the view', async () => {
    const { page } = await opened(150)
    await expect.poll(async () => below(page)).toBeLessThan(4)
    // The turns above the visible ones are drawn one by one.
    await expect.poll(async () => page.locator('.slot').count()).toBe(60)
    await expect.poll(async () => below(page)).toBeLessThan(4)
    const earlier = page.getByRole('button', { name: /^Show earlier/ })
    await page.locator('#log').evaluate((log) => log.scrollTo(0, 0))
    await page.getByText('Question 91', { exact: true }).waitFor()
    const offset = await height(page, 'Question 91')
    // Not all browsers keep the visible text in place themselves.
    await page.locator('.log-content').evaluate((content) => (content.style.overflowAnchor = 'none'))
    await earlier.click()
    await expect.poll(async () => page.locator('.turn').count()).toBe(120)
    await drawn(page)
    expect(Math.abs((await height(page, 'Question 91')) - offset)).toBeLessThan(2)
    await expect.poll(async () => page.evaluate(() => document.activeElement?.id)).toBe('log')
    await page.locator('#log').evaluate((log) => log.scrollTo(0, 0))
    await earlier.click()
    await expect.poll(async () => page.locator('.turn').count()).toBe(150)
    await expect.poll(async () => earlier.count()).toBe(0)
  })
})
