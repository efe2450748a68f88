// Guards the thread list: a thread appears at once, can be renamed, found, exported, deleted and restored, and the
// list is the same in all tabs.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { ADMIN_KEY, until } from '../e2e/satchel.ts'
import { threadInfo } from '../unit/page/ports.ts'
import { ask, refusal, satchel, scripted, signedIn, withKey, list, lists } from './open.ts'

const side = (page: Page) => page.getByRole('navigation', { name: 'Threads' })
const line = (page: Page, title: string) => side(page).getByRole('link', { name: title })
const options = (page: Page) => page.getByRole('option')
const heading = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title })

async function choose(page: Page, title: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${title}` }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

async function api(path: string, method = 'GET'): Promise<Response> {
  return fetch(new URL(path, satchel.url), { method, headers: { authorization: `Bearer ${ADMIN_KEY}` } })
}

/** While the pointer is on the button, the time until the deletion is stopped. */
const holdUndo = async (page: Page): Promise<void> => page.getByRole('button', { name: 'Undo' }).hover()

/** Searches until the server has indexed the text. */
async function searched(page: Page, text: string): Promise<void> {
  const found = options(page).locator('mark').first()
  await until('it is found', async () => {
    await page.getByRole('combobox').fill('')
    await page.getByRole('combobox').fill(text)
    return found.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    )
  })
}

describe('a thread', () => {
  it('appears in the list of every tab with its first message, and its link works', async () => {
    const page = await signedIn()
    const other = await page.context().newPage()
    await other.goto(withKey())
    await heading(other, 'New thread').waitFor()
    await ask(page, 'Plan the garden of the north side')
    await line(page, 'Plan the garden of the north side').waitFor()
    await heading(page, 'Plan the garden of the north side').waitFor()
    await line(other, 'Plan the garden of the north side').click()
    await other.getByText('Plan the garden of the north side').nth(1).waitFor()
    await expect.poll(() => other.url()).toBe(page.url())
    await expect.poll(async () => page.title()).toBe('Plan the garden of the north side · Satchel')
    await expect.poll(async () => line(page, 'Plan the garden').getAttribute('aria-current')).toBe('page')
  })

  it('is shown as busy until the server says that it is idle', async () => {
    const listShortcuts = (status: 'busy' | 'idle') =>
      list(threadInfo('th_1', { title: 'Of a script', status }))
    const answers = {
      'GET /v1/threads': async (_: unknown, before: number) => listShortcuts(before < 2 ? 'busy' : 'idle'),
    }
    const { page } = await scripted('', answers)
    await side(page).getByText('is being answered').waitFor()
    await side(page).getByText('is being answered').waitFor({ state: 'detached' })
  })

  it('is renamed with Enter; Escape keeps its name', async () => {
    const page = await signedIn()
    await ask(page, 'A name that will change')
    await line(page, 'A name that will change').waitFor()
    // Until then the row still gets the server's title.
    await page.getByText('Answer complete').waitFor()
    await choose(page, 'A name that will change', 'Rename…')
    const field = page.getByRole('dialog', { name: 'Rename the thread' }).getByLabel('Name')
    await expect.poll(async () => field.inputValue()).toBe('A name that will change')
    await field.fill('Not this one')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await line(page, 'A name that will change').waitFor()
    // Keyboard users continue from there.
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Rename…' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await field.fill('   ')
    await field.press('Enter')
    await page.getByText('Enter a name.').waitFor()
    await field.fill('The name that stays')
    await field.press('Enter')
    await line(page, 'The name that stays').waitFor()
    await heading(page, 'The name that stays').waitFor()
    await page.reload()
    await heading(page, 'The name that stays').waitFor()
  })

  it('disappears from the list when it is deleted, returns with Undo, and is deleted for good when the page closes', async () => {
    const page = await signedIn()
    await ask(page, 'Throw this one away')
    await line(page, 'Throw this one away').waitFor()
    await page.waitForURL(/#t=/)
    const id = new URL(page.url()).hash.replace('#t=', '')
    await choose(page, 'Throw this one away', 'Delete')
    await holdUndo(page)
    await line(page, 'Throw this one away').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await line(page, 'Throw this one away').waitFor()
    await heading(page, 'Throw this one away').waitFor()
    await expect.poll(async () => (await api(`/v1/threads/${id}`)).status).toBe(200)
    await choose(page, 'Throw this one away', 'Delete')
    await line(page, 'Throw this one away').waitFor({ state: 'detached' })
    await page.goto('about:blank')
    await expect.poll(async () => (await api(`/v1/threads/${id}`)).status).toBeGreaterThanOrEqual(404)
  })

  it('returns with the reason when its deletion fails', async () => {
    const { page, times } = await scripted('', {
      'GET /v1/threads': lists(threadInfo('th_1', { title: 'Stubborn' })),
      'DELETE /v1/threads/th_1': async () => refusal(503, 'not_ready', 'The store is away.'),
    })
    await line(page, 'Stubborn').waitFor()
    await page.clock.install()
    await choose(page, 'Stubborn', 'Delete')
    await line(page, 'Stubborn').waitFor({ state: 'detached' })
    const notices = page.getByRole('status', { name: 'Notices' })
    // It stays as long as the pointer is over it.
    await notices.getByText('was deleted').hover()
    await page.clock.runFor(30_000)
    expect(times.get('DELETE /v1/threads/th_1')).toBeUndefined()
    await page.mouse.move(600, 700)
    await page.clock.runFor(6_000)
    await notices
      .getByText('“Stubborn” could not be deleted and is back in the list. The store is away.')
      .waitFor()
    await line(page, 'Stubborn').waitFor()
  })
})

describe('an export', () => {
  it('is saved as a file, from the menu of the row or of the thread', async () => {
    const page = await signedIn()
    await ask(page, 'Draft a plan: the <b>ibis</b>/heron garden')
    await page.getByText('Answer complete').waitFor()
    await heading(page, 'Draft a plan: the <b>ibis</b>/heron garden').waitFor()
    const saved = async (press: () => Promise<void>): Promise<readonly [string, string]> => {
      const [download] = await Promise.all([page.waitForEvent('download'), press()])
      return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
    }
    const [name, text] = await saved(async () => choose(page, 'Draft a plan', 'Export as Markdown'))
    expect(name).toBe('Draft a plan the b ibis b heron garden.md')
    expect(text).toMatch(
      /^# Draft a plan: the \\<b\\>ibis[\s\S]*\n> Draft a plan: the <b>ibis[\s\S]*\n## Satchel\n[\s\S]*\n\| Cost \|/,
    )
    const [jsonName, json] = await saved(async () => {
      await page.getByRole('button', { name: 'Thread', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
    })
    expect(jsonName).toBe('Draft a plan the b ibis b heron garden.json')
    const id = new URL(page.url()).hash.replace('#t=', '')
    const stored: unknown = await (await api(`/v1/threads/${id}/messages`)).json()
    expect(JSON.parse(json)).toMatchObject({ thread: { id }, runs: [{ thread_id: id }], files: [] })
    expect(JSON.parse(json)).toMatchObject({ messages: Reflect.get(stored as object, 'data') })
  })

  it('reports a failure', async () => {
    const { page } = await scripted('', {
      'GET /v1/threads': lists(threadInfo('th_1', { title: 'Stubborn' })),
      'GET /v1/threads/th_1/messages': async () => refusal(503, 'not_ready', 'The store is away.'),
    })
    await choose(page, 'Stubborn', 'Export as JSON')
    await page.getByText('“Stubborn” could not be exported. The store is away.').waitFor()
  })
})

describe('the list', () => {
  it('is grouped by day, and marks threads that wait for a person or are being answered', async () => {
    const at = (updated_at: string, title: string, given = {}) =>
      threadInfo(`th_${title}`, { updated_at, title, ...given })
    const { page } = await scripted(
      '',
      {
        'GET /v1/threads': lists(
          at('2026-03-04T07:30:00Z', 'This morning', { status: 'busy' }),
          at('2026-03-04T06:30:00Z', 'Before midnight', { status: 'busy' }),
          at('2026-02-27T12:00:00Z', 'Last week'),
          at('2026-01-10T12:00:00Z', 'In winter'),
          at('2025-12-10T12:00:00Z', 'Last year'),
        ),
        'GET /v1/approvals': lists({ thread_id: 'th_Before midnight' }),
      },
      { locale: 'en-US', timezoneId: 'America/Los_Angeles' },
    )
    await page.clock.setFixedTime(new Date('2026-03-04T18:00:00Z'))
    await page.reload()
    await side(page).getByRole('heading', { name: 'December 2025' }).waitFor()
    await expect
      .poll(async () => side(page).ariaSnapshot())
      .toBe(
        `
- navigation "Threads":
  - heading "Yesterday" [level=2]
  - list:
    - listitem:
      - link "This morning is being answered":
        - /url: "#t=th_This%20morning"
      - button "More for This morning"
    - listitem:
      - link "Before midnight Waiting":
        - /url: "#t=th_Before%20midnight"
      - button "More for Before midnight"
  - heading "Previous 7 days" [level=2]
  - list:
    - listitem:
      - link "Last week":
        - /url: "#t=th_Last%20week"
      - button "More for Last week"
  - heading "January" [level=2]
  - list:
    - listitem:
      - link "In winter":
        - /url: "#t=th_In%20winter"
      - button "More for In winter"
  - heading "December 2025" [level=2]
  - list:
    - listitem:
      - link "Last year":
        - /url: "#t=th_Last%20year"
      - button "More for Last year"
`.trim(),
      )
    await expect.poll(async () => page.title()).toBe('(1) Satchel')
  })

  it('of thousands is drawn in parts, and loads older threads on request', async () => {
    const all = Array.from({ length: 2_500 }, (_, at) =>
      threadInfo(`th_${at}`, {
        title: `Thread ${at}`,
        updated_at: new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString(),
      }),
    )
    const { page } = await scripted('', {
      'GET /v1/threads': async (request) => {
        const from = Number(new URL(request.url()).searchParams.get('cursor') ?? 0)
        const next = from + 100 < all.length ? String(from + 100) : null
        return { json: { data: all.slice(from, from + 100), next_cursor: next } }
      },
    })
    await line(page, 'Thread 99').waitFor()
    await expect.poll(async () => side(page).getByRole('listitem').count()).toBe(100)
    for (const last of [199, 299]) {
      await side(page).getByRole('button', { name: 'Show older' }).click()
      await line(page, `Thread ${last}`).waitFor()
    }
    await expect.poll(async () => side(page).getByRole('listitem').count()).toBe(300)
  })

  it('reports a failure and can be retried', async () => {
    const { page } = await scripted('', {
      'GET /v1/threads': async (_, times) => (times === 0 ? refusal(500, 'internal', 'It broke.') : list()),
    })
    const alert = side(page).getByRole('alert')
    await expect
      .poll(async () => alert.innerText())
      .toMatch(/^The threads could not be read\s+It broke\.\s+Try again\s+Details$/)
    await alert.getByText('Details').click()
    await alert.getByText('internal · request req_1').waitFor()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await side(page).getByText('Your threads will appear here.').waitFor()
  })

  it('shows a title as plain text', async () => {
    const title = '<img src=x onerror=alert(1)> \u202e <script>alert(2)</script>'
    const { page } = await scripted('', {
      'GET /v1/threads': lists(threadInfo('th_1', { title })),
    })
    await side(page).getByText('<img src=x onerror=alert(1)>').waitFor()
    await expect.poll(async () => side(page).locator('img, script').count()).toBe(0)
  })
})

describe('a question that is asked again', () => {
  it('shows its versions in place: the arrows switch, and list, search and deletion treat them as one thread', async () => {
    const page = await signedIn()
    const log = page.getByRole('region', { name: 'Conversation' })
    const top = async () => (await log.getByText('Which way at the fork').boundingBox())?.y
    await ask(page, 'Which way at the fork?')
    await page.getByText('Answer complete').waitFor()
    const first = page.url()
    await log.getByRole('button', { name: 'Edit the question' }).click()
    await log.getByLabel('Your question').fill('Which way at the fork, by the wombat?')
    await log.getByRole('button', { name: 'Send edit' }).click()
    await log.getByText('2/2').waitFor()
    await log.getByText('by the wombat?').waitFor()
    await page.getByText('Answer complete').waitFor()
    expect(page.url()).not.toBe(first)
    const before = await top()
    const previous = log.getByRole('button', { name: 'Previous version' })
    await previous.focus()
    await page.keyboard.press('Enter')
    await log.getByText('1/2').waitFor()
    await expect.poll(() => page.url()).toBe(first)
    await expect.poll(async () => log.getByText('by the wombat').count()).toBe(0)
    // The focus and the scroll position stay, and a screen reader announces it.
    await previous.and(page.locator(':focus')).waitFor()
    await expect.poll(async () => Math.abs(((await top()) ?? 0) - (before ?? 0))).toBeLessThan(2)
    await page.locator('#status').getByText('Version 1 of 2').waitFor()
    await log.getByRole('button', { name: 'Next version' }).click()
    await log.getByText('by the wombat').waitFor()
    // One entry, which opens the version that was viewed last.
    await expect.poll(async () => line(page, 'Which way at the fork').count()).toBe(1)
    await page.getByRole('button', { name: 'New thread' }).click()
    await line(page, 'Which way at the fork').click()
    await log.getByText('by the wombat').waitFor()
    await page.keyboard.press('Control+k')
    await searched(page, 'wombat')
    await expect.poll(async () => options(page).count()).toBe(1)
    await page.keyboard.press('Escape')
    // One version, which can be restored: the rest is shown as a separate thread.
    const second = page.url()
    await choose(page, 'Which way at the fork?', 'Delete this version')
    await page.getByText('A version of “Which way at the fork?” was deleted.').waitFor()
    await holdUndo(page)
    await log.getByText('by the wombat').waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).toBe(first)
    await expect.poll(async () => log.getByText('1/2').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await log.getByText('2/2').waitFor()
    await expect.poll(() => page.url()).toBe(second)
    await choose(page, 'Which way at the fork?', 'Delete thread…')
    const dialog = page.getByRole('dialog', { name: 'Delete “Which way at the fork?”?' })
    await dialog.getByText('This also deletes its 1 other version.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 versions of “Which way at the fork?” were deleted.').waitFor()
    await holdUndo(page)
    await line(page, 'Which way at the fork').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await log.getByText('by the wombat').waitFor()
    await line(page, 'Which way at the fork').waitFor()
  })
})
