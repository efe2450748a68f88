// Guards approval cards: a card shows the request that would be sent, a decision applies to that request only, and the
// card survives a reload. The thread list marks the thread, and the inbox lists the calls of all threads.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { ApprovalInfo } from '../../src/thread/approvals/api.ts'
import { ADMIN_KEY, startSatchel, until, type Satchel } from '../e2e/satchel.ts'
import { startTickets, type Tickets } from '../e2e/tickets.ts'
import { approvalInfo } from './walk-data.ts'
import { ask, box, button, list, log, receipt, refusal, scripted, signedIn, PHONE } from './open.ts'

let tickets: Tickets
let satchel: Satchel

beforeAll(async () => {
  tickets = await startTickets()
  satchel = await startSatchel({ args: tickets.args })
  await upsertTool(tickets.definition)
})
afterAll(async () => {
  await satchel?.stop()
  await tickets?.stop()
})

async function upsertTool(definition: string): Promise<void> {
  const put = await fetch(`${satchel.url}/admin/tools/create_ticket`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: definition,
  })
  expect(put.ok, await put.text()).toBe(true)
}

async function asking(text: string): Promise<Page> {
  const page = await signedIn({}, satchel.url)
  await ask(page, text)
  await card(page).waitFor()
  return page
}

const card = (page: Page) => page.getByRole('group', { name: 'Approve the call to create_ticket?' })
/** The line of a decided call in the work of the newest answer. */
const decided = (page: Page, text: string) => log(page).locator('.decided > summary', { hasText: text })
const answered = (page: Page) => page.getByRole('button', { name: 'Good answer' })
const badge = (page: Page) => page.getByRole('navigation', { name: 'Threads' }).getByText('Waiting')

it('shows the request, waits through a reload, and sends it once after approval', async () => {
  const page = await asking('Open a ticket: the printer <b>is out</b> of paper')
  const shown = async (): Promise<string> => card(page).innerText()
  await expect.poll(shown).toContain(`POST http://127.0.0.1:${tickets.port}/tickets`)
  await expect.poll(async () => card(page).locator('strong').innerText()).toBe(`127.0.0.1:${tickets.port}`)
  await expect.poll(shown).toMatch(/title\s+the printer <b>is out<\/b> of paper/)
  await expect.poll(shown).toContain('requires approval for every call')
  await expect.poll(shown).toMatch(/Expires /)
  await log(page).getByText('Waiting for your approval').waitFor()
  // The focus is not taken from somebody who writes.
  expect(await card(page).evaluate((element) => element.contains(document.activeElement))).toBe(false)
  await card(page).getByText('Request', { exact: true }).click()
  await expect
    .poll(async () => card(page).locator('pre').innerText())
    .toContain('"title": "the printer <b>is out</b> of paper"')
  await badge(page).waitFor()
  expect(tickets.received()).toEqual([])
  await page.reload()
  await card(page).getByRole('button', { name: 'Approve', exact: true }).press('Enter')
  await answered(page).waitFor()
  await log(page).getByText('Approved by key:admin').waitFor({ state: 'attached' })
  await expect.poll(async () => card(page).count()).toBe(0)
  await receipt(page).click()
  await expect
    .poll(async () => log(page).getByRole('row', { name: 'Approvals' }).innerText())
    .toMatch(/create_ticket: approved by key:admin/)
  await badge(page).waitFor({ state: 'detached' })
  await expect.poll(() => tickets.received().length).toBe(1)
})

it('sends the note of a denial to the agent, and no request', async () => {
  const before = tickets.received().length
  const page = await asking('Open a ticket: no coffee')
  await card(page).getByRole('button', { name: 'Deny' }).click()
  await card(page).getByLabel('Reason for the agent').fill('Ask Ada first')
  await card(page).getByRole('button', { name: 'Deny' }).click()
  await log(page).getByText('The note says: Ask Ada first').first().waitFor()
  await decided(page, 'create_ticket: denied by key:admin').waitFor({ state: 'attached' })
  expect(tickets.received()).toHaveLength(before)
})

it('asks again with the new request when the tool changed before the approval', async () => {
  const page = await asking('Open a ticket: no tea')
  await upsertTool(tickets.definition.replace('"satchel"', '"somewhere else"'))
  await card(page).getByRole('button', { name: 'don’t ask again' }).click()
  await page.getByRole('menuitem', { name: 'In this thread' }).click()
  await card(page).getByText('Request', { exact: true }).click()
  await card(page).getByText('somewhere else').waitFor()
  await expect.poll(async () => card(page).innerText()).toMatch(/has changed/)
  expect(tickets.received().join('\n')).not.toContain('no tea')
  await card(page).getByRole('button', { name: 'Approve', exact: true }).click()
  await answered(page).waitFor()
  await expect.poll(() => tickets.received().filter((line) => line.includes('no tea')).length).toBe(1)
})

it('reports a decision that came after another one, and sends nothing', async () => {
  const page = await asking('Open a ticket: no milk')
  const requested = await until('it is listed', async () => pendingIn(page))
  await page.route('**/approvals/*', async (route) => {
    const { thread_id, run_id, tool_use_id, digest } = requested
    expect(route.request().postDataJSON()).toEqual({ decision: 'approve', digest })
    await satchel.client.decideCall(thread_id, run_id, tool_use_id, { decision: 'deny' })
    await route.continue()
  })
  await card(page).getByRole('button', { name: 'Approve', exact: true }).click()
  await answered(page).waitFor()
  await decided(page, 'create_ticket: denied by').waitFor({ state: 'attached' })
  expect(tickets.received().join('\n')).not.toContain('no milk')
})

it('shows a decision from one tab in the other', async () => {
  const page = await asking('Open a ticket: no sugar')
  const other = await page.context().newPage()
  await other.goto(page.url().replace('#', `#key=${encodeURIComponent(ADMIN_KEY)}&`))
  await card(other).waitFor()
  await card(other).getByRole('button', { name: 'Deny' }).click()
  await card(other).getByLabel('Reason for the agent').press('Enter')
  await decided(page, 'create_ticket: denied by key:admin').waitFor({ state: 'attached' })
  await expect.poll(async () => card(page).count()).toBe(0)
})

it('says that the browser is offline, and shows the decision once it is back online', async () => {
  const page = await asking('Open a ticket: no salt')
  const { thread_id, run_id, tool_use_id } = await until('it is listed', async () => pendingIn(page))
  await page.context().setOffline(true)
  await card(page).getByRole('button', { name: 'Approve', exact: true }).click()
  await card(page).getByText('You are offline.').waitFor()
  expect(tickets.received().join('\n')).not.toContain('no salt')
  await satchel.client.decideCall(thread_id, run_id, tool_use_id, { decision: 'deny' })
  await page.context().setOffline(false)
  await decided(page, 'create_ticket: denied by key:admin').waitFor({ state: 'attached' })
  await answered(page).waitFor()
  await expect.poll(async () => page.getByRole('article').count()).toBe(1)
})

it('the inbox lists the waiting calls of all threads, and moves on to the next call after each decision', async () => {
  const page = await asking('Open a ticket: no bread')
  await button(page, 'New thread').click()
  await ask(page, 'Open a ticket: no butter')
  await card(page).waitFor()
  await expect.poll(async () => page.title()).toMatch(/^\(2\) /)
  const entry = page.getByRole('link', { name: 'Needs you 2 waiting' })
  await entry.click()
  const inbox = page.getByRole('region', { name: 'Needs you' })
  const calls = inbox.getByRole('list', { name: 'Calls' }).getByRole('listitem')
  await inbox.getByText('2 calls are waiting for your approval.').waitFor()
  await expect.poll(async () => calls.first().innerText()).toContain('no bread')
  await expect.poll(async () => page.title()).toBe('(2) Needs you · Satchel')
  await calls.first().getByRole('button', { name: 'Approve', exact: true }).press('Enter')
  await calls.first().locator('summary', { hasText: 'create_ticket: approved by key:admin' }).waitFor()
  await inbox.getByText('1 call is waiting for your approval.').waitFor()
  await calls.nth(1).getByRole('heading').and(page.locator(':focus')).waitFor()
  await calls.nth(1).getByRole('button', { name: 'Deny' }).click()
  await calls.nth(1).getByLabel('Reason for the agent').press('Enter')
  await inbox.getByText('All calls are answered.').waitFor()
  await expect.poll(async () => page.title()).toBe('Needs you · Satchel')
  await calls.first().getByRole('link', { name: 'Open a ticket: no bread' }).click()
  await answered(page).waitFor()
  await expect.poll(() => tickets.received().filter((line) => /no bread|no butter/.test(line)).length).toBe(1)
  await page.goBack()
  await inbox.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
})

it('a call in the inbox stays undecided when it has changed or the server is unavailable', async () => {
  let digest = 'first'
  const { page } = await scripted(
    '&inbox=',
    {
      'GET /v1/approvals': async () => list(approvalInfo('c', { digest })),
      'POST /v1/threads/th_1/runs/run_1/approvals/c': async (_, times) => {
        digest = 'second'
        return times === 0
          ? refusal(409, 'tool_changed', 'The tool has changed.')
          : refusal(503, 'not_ready', 'Not now.')
      },
    },
    PHONE,
  )
  await button(page, 'Menu, 1 waiting').waitFor()
  await button(page, 'Approve').tap()
  await card(page).getByText('This call has changed. Check it again.').waitFor()
  await button(page, 'Approve').tap()
  await card(page).getByText('Not now.').waitFor()
  await expect.poll(async () => page.title()).toBe('(1) Needs you · Satchel')
})

it('a notification appears only if enabled, and opens the inbox', async () => {
  const shown: string[] = []
  const calls: unknown[] = []
  const { page } = await scripted(
    '',
    { 'GET /v1/approvals': async () => list(...calls) },
    {},
    async (tab) => {
      await tab.exposeFunction('record', (text: string) => void shown.push(text))
      await tab.addInitScript(() => {
        // Replaces notifications: a headless browser shows none.
        class Stub extends EventTarget {
          static permission = 'default'
          static async requestPermission(): Promise<string> {
            Object.assign(globalThis, { wasRequested: true })
            return (Stub.permission = 'granted')
          }
          constructor(_: string, { body }: { readonly body: string }) {
            super()
            Object.assign(globalThis, { newest: this })
            Reflect.get(globalThis, 'record')(body)
          }
          close(): void {}
        }
        Object.assign(globalThis, { Notification: Stub })
        document.hasFocus = () => false
      })
    },
  )
  await box(page).waitFor()
  const refresh = async (): Promise<void> =>
    page.evaluate(() => new BroadcastChannel('satchel').postMessage({ kind: 'threads' }))
  calls.push(approvalInfo('a'))
  await refresh()
  await page.getByRole('link', { name: 'Needs you 1 waiting' }).click()
  expect([shown, await page.evaluate(() => 'wasRequested' in globalThis)]).toEqual([[], false])
  await page.getByLabel('Notify me on this device').check()
  await expect
    .poll(() => shown.splice(0))
    .toEqual(['You will be notified here when a call needs your approval.'])
  await button(page, 'New thread').click()
  calls.push(approvalInfo('b'))
  await refresh()
  await expect.poll(() => shown).toEqual(['Approve the call to create_ticket?'])
  await page.evaluate(() => Reflect.get(globalThis, 'newest').dispatchEvent(new Event('click')))
  await page.getByRole('region', { name: 'Needs you' }).waitFor()
})

async function pendingIn(page: Page): Promise<ApprovalInfo | null> {
  const list = await satchel.client.listApprovals()
  if (!list.ok) return null
  return list.value.find(({ thread_id }) => page.url().includes(thread_id)) ?? null
}

it('a card taller than the screen scrolls inside, keeps its buttons in view, and shows that there is more', async () => {
  const body = Array.from({ length: 90 }, (_, at) => `Line ${at} of the ticket`).join('\n')
  for (const options of [{ viewport: { width: 1280, height: 800 } }, PHONE]) {
    const { page } = await scripted(
      '&inbox=',
      { 'GET /v1/approvals': async () => list(approvalInfo('a', { input: { body } })) },
      options,
    )
    await button(page, 'Approve').waitFor()
    const buttons = await button(page, 'Approve').boundingBox()
    expect((buttons?.y ?? 9_999) + (buttons?.height ?? 0)).toBeLessThan(options.viewport.height)
    const request = page.getByRole('group', { name: 'Request to be sent' })
    await until('it takes the focus', async () => (await request.getAttribute('tabindex')) === '0')
    const fade = async () =>
      request.evaluate((element) => [
        getComputedStyle(element).getPropertyValue('--fade'),
        // Browsers without the fade show a border where it ends.
        getComputedStyle(element).borderBottomWidth,
      ])
    await expect.poll(fade).toEqual(['40px', '1px'])
    await request.focus()
    await page.keyboard.press('End')
    await until('it scrolls', async () => request.evaluate((element) => element.scrollTop > 100))
    await until('nothing continues', async () => (await fade())[0] === '0px')
    // Both halves of the button keep their colours while its menu is open.
    await page.getByRole('button', { name: 'don’t ask again' }).click()
    await page.getByRole('menuitem', { name: 'In this thread' }).waitFor()
    const colours = await page
      .locator('.split > .button')
      .evaluateAll((halves) => halves.map((half) => getComputedStyle(half).color))
    expect(new Set(colours).size).toBe(1)
  }
})
