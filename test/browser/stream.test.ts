// Guards that the page shows the same transcript after lost connections, after a reload and in a second tab. A real
// browser, scripted answers. page.test.ts kills the server; approval.test.ts takes the browser offline.

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { frame, FRAMES, message, RECEIPT, RUN, ENDED, textDelta } from '../unit/page/frames.ts'
import { goingOn } from './answering.ts'
import { ask, list, lists, log, openWork, satchel, stream, scripted, type Answers } from './open.ts'

const EVENTS = `GET /v1/threads/th_1/runs/${RUN}/events`
const RUNNING = { ...RECEIPT, status: 'running', stop_reason: null, ended_at: null, skills: [] }
const answered = (page: Page) => page.getByRole('button', { name: 'Good answer' })

/** The text of the conversation that two tabs share, without buttons. */
async function transcript(page: Page): Promise<string> {
  if ((await log(page).locator('.work').count()) > 0) await openWork(page)
  return (await log(page).getByRole('article').allInnerTexts()).join('\n')
}

it('resumes a lost stream after the last frame it saw and shows the answer once', async () => {
  const resumed: (string | undefined)[] = []
  const { page, times } = await scripted('', {
    'POST /v1/chat': async () => stream(FRAMES.slice(0, 20)),
    [EVENTS]: async (request, before) => {
      resumed.push(request.headers()['last-event-id'])
      return before === 0 ? stream(FRAMES.slice(15, 45)) : stream(FRAMES.slice(45))
    },
  })
  await ask(page, 'What happened?')
  await answered(page).waitFor()
  expect(resumed).toEqual(['20', '45'])
  expect(times.get('POST /v1/chat')).toBe(1)
  const shown = await transcript(page)
  expect(shown.match(/I load it 👋🏽 now\./gu)).toHaveLength(1)
  expect(shown.match(/All is well\./g)).toHaveLength(1)
  expect(shown).not.toContain('Rubbish')
  await expect.poll(async () => log(page).getByRole('heading', { name: 'Report' }).count()).toBe(1)
})

it('shows the same after a reload as live', async () => {
  const stored: Answers = {
    'GET /v1/threads/th_1/runs': lists(RUNNING),
    'GET /v1/threads/th_1/messages': async () => {
      const requested = message('msg_0', 'user', [{ type: 'text', text: 'What happened?' }])
      return list(requested)
    },
    'POST /v1/chat': async () => stream(FRAMES),
    [EVENTS]: async () => stream(FRAMES),
  }
  const { page } = await scripted('', stored)
  await ask(page, 'What happened?')
  await answered(page).waitFor()
  await page.getByRole('heading', { name: 'Report' }).waitFor()
  const before = await transcript(page)
  // During the answer: its messages are not stored yet, and its frames are read from the first.
  await page.reload()
  await answered(page).waitFor()
  // Until the parser has loaded, the answer is shown as written.
  await page.getByRole('heading', { name: 'Report' }).waitFor()
  await expect.poll(async () => transcript(page)).toBe(before)
})

it('shows a run that another tab started, live and without repetition', async () => {
  const run = goingOn()
  const { page } = await scripted('', run.answers)
  const other = await page.context().newPage()
  let let_go: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (let_go = resolve))
  const text = textDelta('Here it is.')
  await other.route(`${satchel.url}/v1/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.endsWith('/events')) {
      await gate
      return route.fulfill(stream([frame(2, text), frame(3, ENDED)]))
    }
    const info = { id: 'th_1', title: '', status: 'idle', model: 'demo', context_tokens: 0, branches: [] }
    const charged = { tokens: 0, usd: 0, estimated: false }
    return route.fulfill({
      json: pathname === '/v1/threads/th_1' ? { ...info, charged } : { data: [], next_cursor: null },
    })
  })
  await other.goto(`${satchel.url}/#key=any-key-will-do&t=th_1`)
  await other.getByRole('button', { name: 'Send' }).waitFor()
  await ask(page, 'What happened?')
  await log(other).getByText('What happened?').waitFor()
  let_go()
  run.frames(text)
  run.end()
  for (const tab of [page, other]) {
    await answered(tab).waitFor()
    await log(tab).getByText('Here it is.', { exact: true }).waitFor()
    await expect.poll(async () => log(tab).getByRole('article').count()).toBe(1)
  }
  expect(await transcript(other)).toBe(await transcript(page))
})
