// Guards keyboard use: every part of the page is reachable by keys, the focus is visible and returns after a layer
// closes, and Escape closes only the topmost layer. These tests never click, and focus nothing except by keys.

import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import { ADMIN_KEY, until } from '../e2e/satchel.ts'
import { RUN } from '../unit/page/frames.ts'
import { goingOn } from './answering.ts'
import { file } from './thread-files.ts'
import { asking } from './walk-data.ts'
import {
  THREAD,
  box,
  button,
  log,
  receipt,
  refusal,
  satchel,
  scripted,
  signedIn,
  visit,
  runOf,
} from './open.ts'

/** More presses than any path through the page takes. */
const FAR = 400
const has = async (target: Locator): Promise<boolean> =>
  (await target.count()) > 0 && target.first().evaluate((element) => element === document.activeElement)
const focused = async (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing')

/** The focused element is on the screen, and something around it shows the focus. */
async function isSeen(page: Page): Promise<void> {
  // An element is laid out only when it is near the viewport.
  await expect.poll(async () => unseen(page)).toBeNull()
}

/** What is wrong with the focused element; null if nothing. */
async function unseen(page: Page): Promise<string | null> {
  const wrong = await page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return 'nothing has the focus'
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const on =
      right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right > left && bottom > top
    if (!on) return 'it is not on the screen'
    // Headings and dialogs that are read from the beginning are not controls.
    if (element.tabIndex < 0 || !element.matches(':focus-visible')) return null
    for (let at: HTMLElement | null = element; at; at = at.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
      if ((outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none')
        return null
      if (at.matches('form, aside, main')) break
    }
    return 'nothing tells that it has the focus'
  })
  return wrong && `${wrong}: ${await focused(page)}`
}

async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let times = 0; times < FAR; times++) {
    if (await has(target)) return
    await page.keyboard.press(key)
    // After the last element of the page, the focus moves to the browser's own frame.
    if (!(await page.evaluate(() => document.activeElement === document.body))) await isSeen(page)
  }
  throw new Error(`${String(target)} cannot be reached; the focus is at ${await focused(page)}`)
}
const backTo = async (page: Page, target: Locator): Promise<void> => tabTo(page, target, 'Shift+Tab')

it('enters the key, then reads, copies, rates, asks again and edits', async () => {
  const page = await visit(satchel.url, {
    permissions: ['clipboard-read', 'clipboard-write'],
    // A step that unfolds slowly would stop the smooth scroll to the end.
    reducedMotion: 'reduce',
  })
  await page.getByLabel('Key', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(ADMIN_KEY)
  await page.keyboard.press('Enter')
  await box(page).waitFor()
  await tabTo(page, box(page))
  await page.keyboard.type('The checkout was down for forty minutes. Write an incident report.')
  await page.keyboard.press('Enter')
  await button(page, 'Good answer').waitFor()
  await expect.poll(async () => has(box(page))).toBe(true)
  // Backwards: the answer is above the box, and its last element is the receipt.
  await backTo(page, receipt(page))
  await page.keyboard.press('Enter')
  await expect.poll(async () => log(page).getByRole('row', { name: 'Outcome' }).isVisible()).toBe(true)
  await page.keyboard.press('Enter')
  await backTo(page, button(page, 'Poor answer'))
  await backTo(page, button(page, 'Copy'))
  await Promise.all([button(page, 'Copied').waitFor(), page.keyboard.press('Enter')])
  await expect
    .poll(async () => page.evaluate(async () => navigator.clipboard.readText()))
    .toContain('incident-report')
  // The work, and its first step.
  const work = log(page).locator('.work > summary')
  const step = log(page).locator('.step > summary', { hasText: 'Loaded incident-report' }).first()
  await backTo(page, work)
  await page.keyboard.press('Space')
  await step.waitFor()
  await tabTo(page, step)
  await page.keyboard.press('Space')
  await expect
    .poll(async () => log(page).getByRole('link', { name: 'incident-report' }).first().isVisible())
    .toBe(true)
  // If it is longer than the screen, arrow keys scroll it.
  if (await log(page).evaluate((element) => element.scrollHeight > element.clientHeight + 50)) {
    await backTo(page, log(page))
    await page.keyboard.press('End')
    // The browser scrolls smoothly: a move before the scroll has ended would be overridden.
    await until('it is at its end', async () =>
      log(page).evaluate(
        ({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop < 1,
      ),
    )
  }
  await tabTo(page, button(page, 'Edit the question'))
  await page.keyboard.press('Enter')
  await until('the question is edited', async () => has(page.getByRole('textbox', { name: 'Your question' })))
  await page.keyboard.press('Escape')
  await until('the focus is back', async () => has(button(page, 'Edit the question')))
  const old = page.url()
  await backTo(page, button(page, 'Ask again'))
  await page.keyboard.press('Enter')
  await until('the branch is shown', () => page.url() !== old)
  await log(page).getByText('2/2').waitFor()
  // The button is gone, so the focus moves to the message box.
  await until('the focus is in the message box', async () => has(box(page)))
  await button(page, 'Good answer').waitFor()
  await backTo(page, button(page, 'Previous version'))
  await page.keyboard.press('Enter')
  await until('the old one is shown', () => page.url() === old)
  await log(page).getByText('1/2').waitFor()
  await button(page, 'Good answer').waitFor()
  await tabTo(page, box(page))
  await page.keyboard.press('ArrowUp')
  await until('the question is edited', async () => has(page.getByRole('textbox', { name: 'Your question' })))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Hello')
  await page.keyboard.press('Enter')
  await until('another branch is shown', () => page.url() !== old)
  await log(page).locator('.question').getByText('Hello', { exact: true }).waitFor()
  await until('the focus is in the message box', async () => has(box(page)))
})

it('attaches, removes and sends files, and opens and closes one in the panel', async () => {
  const page = await signedIn()
  // A persistent listener: the driver switches its file chooser off and on again with the listeners.
  page.on('filechooser', () => undefined)
  const attach = async (name: string): Promise<void> => {
    await tabTo(page, button(page, 'Attach files'))
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    // The file chooser belongs to the system.
    await (await chooser).setFiles([file(name)])
    await button(page, `Remove ${name}`).waitFor()
  }
  await attach('wrong.csv')
  await until('the focus is in the box', async () => has(box(page)))
  await backTo(page, button(page, 'Remove wrong.csv'))
  await page.keyboard.press('Enter')
  await button(page, 'Remove wrong.csv').waitFor({ state: 'detached' })
  await until('the focus is in the box', async () => has(box(page)))
  await attach('sales.csv')
  await page.keyboard.type('Look at it')
  await page.keyboard.press('Enter')
  await button(page, 'Good answer').waitFor()
  const chip = page.getByRole('list', { name: 'Files of the message' }).getByRole('button')
  await backTo(page, chip)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Files' })
  await panel.getByRole('table').waitFor()
  await tabTo(page, panel.getByRole('button', { name: 'All files' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, panel.getByRole('button', { name: 'Delete sales.csv' }))
  await page.keyboard.press('Enter')
  const sure = page.getByRole('dialog', { name: 'Delete sales.csv?' })
  await sure.waitFor()
  await page.keyboard.press('Escape')
  await sure.waitFor({ state: 'detached' })
  // The layer below is still there, and so is the focus.
  expect(await panel.isVisible()).toBe(true)
  await until('the focus is back', async () => has(panel.getByRole('button', { name: 'Delete sales.csv' })))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await until('the focus is back', async () => has(chip))
})

it('approves a waiting call with one key, and denies one with a note', async () => {
  const given: unknown[] = []
  const wait: EventBody[] = asking.filter((body) => !('tool_use_id' in body && body.tool_use_id === 'x'))
  const run = goingOn()
  const { page } = await scripted('', {
    ...run.answers,
    'POST /v1/chat': async () => runOf(...wait),
    [`POST ${THREAD}/runs/${RUN}/approvals/c`]: async (request, times) => {
      given.push(request.postDataJSON())
      return times === 0 ? refusal(503, 'not_ready', 'Not now.') : { status: 204 }
    },
  })
  await tabTo(page, box(page))
  await page.keyboard.type('Open a ticket')
  await page.keyboard.press('Enter')
  const card = page.getByRole('group', { name: 'Approve the call to create_ticket?' })
  await card.waitFor()
  // It takes no focus by itself.
  expect(await has(box(page))).toBe(true)
  await backTo(page, card.getByRole('button', { name: 'Deny' }))
  await page.keyboard.press('Enter')
  const note = card.getByLabel('Reason for the agent')
  await until('the note has the focus', async () => has(note))
  await page.keyboard.type('Ask Ada first')
  await page.keyboard.press('Enter')
  await card.getByText('Not now.').waitFor()
  await expect.poll(async () => has(note)).toBe(true)
  await page.keyboard.press('Escape')
  await backTo(page, card.getByRole('button', { name: 'don’t ask again' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('menuitem', { name: 'In this answer' }))
  await page.keyboard.press('Enter')
  await until('both were sent', () => given.length === 2)
  expect(given[0]).toMatchObject({ decision: 'deny', note: 'Ask Ada first' })
  expect(given[1]).toMatchObject({ decision: 'approve', remember: 'run' })
  await until('the focus is somewhere', async () => !(await focused(page)).startsWith('<body'))
  await isSeen(page)
})

it('finds, renames, deletes and restores threads', async () => {
  const page = await signedIn()
  await tabTo(page, box(page))
  await page.keyboard.type('A heron in the garden pond')
  await page.keyboard.press('Enter')
  await button(page, 'Good answer').waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search threads' })
  await until('the search has the focus', async () => has(search))
  await page.keyboard.type('heron')
  const found = page.getByRole('option', { name: /heron in the garden/ })
  await found.waitFor()
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })
  await until('the focus is back', async () => has(box(page)))
  await page.keyboard.press('Control+Shift+O')
  await log(page).getByText('What shall we work on?').waitFor()
  await page.keyboard.press('Control+k')
  await until('the search has the focus', async () => has(search))
  await page.keyboard.type('heron')
  await found.waitFor()
  await page.keyboard.press('Enter')
  await button(page, 'Good answer').waitFor()
  await backTo(page, button(page, 'More for A heron in the garden pond'))
  await page.keyboard.press('Enter')
  const rename = page.getByRole('menuitem', { name: 'Rename…' })
  await until('the menu has the focus', async () => has(rename))
  await isSeen(page)
  // Escape closes the menu and nothing else.
  await page.keyboard.press('Escape')
  await until('the focus is back', async () => has(button(page, 'More for A heron in the garden pond')))
  await page.keyboard.press('Enter')
  await until('the menu has the focus', async () => has(rename))
  await page.keyboard.press('Enter')
  const name = page.getByRole('textbox', { name: 'Name' })
  await until('the name has the focus', async () => has(name))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('The heron')
  await page.keyboard.press('Enter')
  const line = page.getByRole('navigation', { name: 'Threads' }).getByRole('link', { name: 'The heron' })
  await line.waitFor()
  const more = button(page, 'More for The heron')
  await until('the focus is back', async () => has(more))
  await page.keyboard.press('Enter')
  await until('the menu has the focus', async () => has(rename))
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await line.waitFor({ state: 'detached' })
  await tabTo(page, button(page, 'Undo'))
  await page.keyboard.press('Enter')
  await line.waitFor()
  await until('the focus is somewhere', async () => !(await focused(page)).startsWith('<body'))
})

it('stops an answer with Escape only when no layer is open above the page', async () => {
  const run = goingOn()
  const { page, times } = await scripted('', run.answers)
  await tabTo(page, box(page))
  await page.keyboard.type('A long one')
  await page.keyboard.press('Enter')
  await button(page, 'Stop').waitFor()
  const stopped = (): number => times.get(`POST ${THREAD}/runs/${RUN}/cancel`) ?? 0
  await backTo(page, button(page, 'Settings'))
  await page.keyboard.press('Enter')
  await until('the menu has the focus', async () => has(page.getByRole('menuitemradio', { name: 'System' })))
  await page.keyboard.type('k')
  await page.keyboard.press('Enter')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  await isSeen(page)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await until('the focus is back', async () => has(button(page, 'Settings')))
  expect(stopped()).toBe(0)
  await page.keyboard.press('Escape')
  await until('it is stopped', () => stopped() === 1)
  await until('the focus is in the box', async () => has(box(page)))
})
