// Ways through the page on which every view and state of it is looked at once. What is looked for is the caller's.

import { expect } from 'vitest'
import type { BrowserContextOptions, Page } from 'playwright-core'

import type { EventBody } from '../../src/agent/events.ts'
import { frame, message, RECEIPT, RUN } from '../unit/web/frames.ts'
import { threadInfo } from '../unit/web/ports.ts'
import { goingOn, THREAD } from './answering.ts'
import { stream, type Answer } from './open.ts'
import { choose, info, made, OUTPUTS, outputs } from './thread-files.ts'
import { answered, ASKING, asking, ended, failed, REPORT, skill, STEPS, TEXTS } from './walk-data.ts'

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 800 },
  hasTouch: true,
  isMobile: true,
}

export interface Walk {
  readonly page: Page
  readonly isPhone: boolean
  /** The page stands as it is named. */
  look(state: string): Promise<void>
}

export interface Way {
  readonly name: string
  /** Behind the key in the address. */
  readonly fragment?: string
  readonly answers: () => Record<string, Answer>
  readonly go: (walk: Walk) => Promise<void>
}

const never = async (): Promise<never> => new Promise(() => undefined)
const list = (...data: readonly unknown[]) => ({ json: { data, next_cursor: null } })
const lists =
  (...data: readonly unknown[]): Answer =>
  async () =>
    list(...data)
const refusal = (status: number, code: string, detail: string) => ({
  status,
  json: { status, code, detail, request_id: 'req_1' },
})
const run = (...bodies: readonly EventBody[]) => stream(bodies.map((body, at) => frame(at + 1, body)))

export async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

const THREADS = [
  threadInfo('th_1', { title: 'An outage on Monday', status: 'busy' }),
  threadInfo('th_2', { title: 'Waits for a yes' }),
  threadInfo('th_3', { title: 'An older one', updated_at: '2025-12-10T12:00:00Z' }),
]

export const WAYS: readonly Way[] = [
  {
    name: 'an empty chat, its menus and dialogs',
    answers: () => ({
      'GET /v1/threads': async (request) => {
        const words = new URL(request.url()).searchParams.get('q')
        if (words === null) return list(...THREADS)
        if (words !== 'outage') return list()
        return list({ ...THREADS[0], match: { before: 'the ', hit: 'outage', after: ' of the shop' } })
      },
      'GET /v1/approvals': lists({ thread_id: 'th_2' }),
      'GET /v1/skills': lists(skill('incident-report', { argument_hint: '[what]' }), skill('api-design')),
      'GET /v1/models': lists({ id: 'grande', default: true, demo: false, window: 1_000 }),
    }),
    go: async ({ page, isPhone, look }) => {
      const item = async (name: string): Promise<void> => page.getByRole('menuitem', { name }).click()
      const side = async (): Promise<void> => {
        if (isPhone) await page.getByRole('button', { name: 'Menu' }).click()
      }
      await page.getByRole('list', { name: 'Ideas' }).waitFor()
      await look('an empty chat')
      await page.getByLabel('Message', { exact: true }).fill('/')
      await page.getByRole('option').first().waitFor()
      await look('the list of skills behind a slash')
      await page.getByLabel('Message', { exact: true }).fill('/incident-report ')
      await page.getByText('Go on with').waitFor()
      await look('what to write behind a skill')
      await page.getByRole('button', { name: 'Model and limits' }).click()
      await page.getByLabel('Effort').waitFor()
      await look('the menu of model and limits')
      await page.keyboard.press('Escape')
      await side()
      await page.getByRole('link', { name: 'Waits for a yes' }).waitFor()
      await look('the threads')
      await page.getByRole('button', { name: 'More for An older one' }).click()
      await look('the menu of a thread')
      await item('Rename…')
      await page.getByRole('dialog', { name: 'Rename the thread' }).waitFor()
      await look('rename')
      await page.getByLabel('Name').fill('')
      await page.getByRole('button', { name: 'Rename', exact: true }).click()
      await page.getByText('A thread needs a name.').waitFor()
      await look('rename without a name')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'More for An older one' }).click()
      await item('Delete')
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await look('a deleted thread that may come back')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await look('the settings')
      await item('Your key…')
      await page.getByRole('dialog', { name: 'Your key' }).waitFor()
      await look('the key')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Settings' }).click()
      await item('Keyboard')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await look('the keys of the keyboard')
      await page.keyboard.press('Escape')
      await page.getByLabel('Search threads').fill('outage')
      await page.getByRole('list', { name: 'Found threads' }).waitFor()
      await look('what a search found')
      await page.getByLabel('Search threads').fill('nothing')
      await page.getByText('No thread has').waitFor()
      await look('a search that found nothing')
    },
  },
  {
    name: 'an answer as it comes, and what can be done with it',
    answers: () => going.answers,
    go: async ({ page, look }) => {
      const log = page.getByRole('region', { name: 'Conversation' })
      await send(page, 'What happened?')
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      await look('a message that was sent')
      going.frames({ type: 'thinking.delta', step: 1, block: 0, offset: 0, text: 'An outage.' })
      await log.getByText('Thinking').first().click()
      await look('thinking')
      going.frames(...STEPS, { type: 'text.delta', step: 1, block: 1, offset: 0, text: REPORT.slice(0, 700) })
      await log.getByRole('table').first().waitFor()
      await look('an answer as it is written')
      await send(page, 'And then?')
      await page.getByRole('group', { name: 'Queued' }).waitFor()
      await look('a message that waits')
      await page.getByRole('button', { name: 'Take off what is next' }).click()
      going.frames({ type: 'text.delta', step: 1, block: 1, offset: 700, text: REPORT.slice(700) })
      going.end()
      await log.getByRole('button', { name: 'Good answer' }).waitFor()
      await log.locator('.hljs-keyword').first().waitFor()
      await look('an answer')
      for (const closed of await log.locator('details:not([open]) > summary').all())
        if (await closed.isVisible()) await closed.click()
      for (const inner of await log.locator('details details:not([open]) > summary').all()) await inner.click()
      await look('steps and receipt, open')
      await log.getByRole('button', { name: 'Poor answer' }).click()
      await log.getByLabel('What was wrong? (optional)').waitFor()
      await look('a note with a rating')
      await log.getByRole('button', { name: 'Edit the question' }).click()
      await log.getByLabel('Your question').waitFor()
      await look('a question that is edited')
    },
  },
  {
    name: 'what goes wrong',
    answers: () => ({
      'GET /v1/threads': async (_, times) =>
        times === 0 ? refusal(500, 'internal', 'It broke.') : refusal(401, 'unauthorized', 'Not known.'),
      'POST /v1/chat': async (_, times) =>
        times === 0 ? run(answered('So far'), failed) : refusal(429, 'rate_limited', 'Too many a minute.'),
    }),
    go: async ({ page, isPhone, look }) => {
      await send(page, 'Why?')
      await page.getByRole('button', { name: 'Try again' }).first().waitFor()
      await look('a run that failed')
      await send(page, 'And why?')
      await page.getByRole('button', { name: 'Send again' }).waitFor()
      await look('a message that was refused')
      await page.context().setOffline(true)
      await page.getByText('You are offline.').waitFor()
      await look('no network')
      await page.context().setOffline(false)
      await page.getByText('You are offline.').waitFor({ state: 'detached' })
      if (isPhone) await page.getByRole('button', { name: 'Menu' }).click()
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await page.getByRole('dialog', { name: 'Enter your key again' }).waitFor()
      await look('a key that has expired')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Enter the key' }).waitFor({ state: 'attached' })
      await look('the page without a good key')
    },
  },
  {
    name: 'an approval',
    answers: () => ({
      'POST /v1/chat': async () => run(...asking),
      [`GET ${THREAD}/runs/${RUN}/events`]: never,
    }),
    go: async ({ page, look }) => {
      await send(page, 'Open two tickets')
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await look('a call that waits, and one that was denied')
      await page.getByText('denied by').click()
      await look('a denied call, open')
    },
  },
  {
    name: 'a question',
    answers: () => ({
      'POST /v1/chat': async (_, times) => (times === 0 ? run(...ASKING) : run(answered('Good.'), ended)),
    }),
    go: async ({ page, look }) => {
      await send(page, 'Write a report')
      const card = page.getByRole('group', { name: 'For customers or for the team?' })
      await card.waitFor()
      await look('a question')
      await card.getByRole('button', { name: 'For the team' }).click()
      await card.getByText('Answered: For the team').waitFor()
      await look('an answered question')
    },
  },
  {
    name: 'files that are brought',
    answers: () => ({
      'POST /v1/threads': made,
      [`POST ${THREAD}/files`]: async (_, times) =>
        times === 1 ? refusal(413, 'storage_full', 'The thread keeps 2000 files.') : never(),
    }),
    go: async ({ page, look }) => {
      await choose(page, 'sales.csv', 'notes.csv')
      await page.getByText('The thread keeps 2000 files.').waitFor()
      await page.getByRole('progressbar', { name: 'Upload of sales.csv' }).waitFor()
      await look('a file on its way, and one that failed')
    },
  },
  {
    name: 'files that are made',
    fragment: '&t=th_1',
    answers: () => ({
      ...outputs(),
      ...Object.fromEntries(
        Object.entries(TEXTS).map(([path, body]): [string, Answer] => [
          `GET ${THREAD}/files/${path}`,
          async () => ({ body, headers: { 'content-type': 'text/plain' } }),
        ]),
      ),
      [`GET ${THREAD}/files/outputs/data.csv`]: async () => refusal(404, 'not_found', 'It is gone.'),
      [`GET ${THREAD}/runs`]: lists(RECEIPT),
      [`GET ${THREAD}/messages`]: lists(message('m_0', 'user', [{ type: 'text', text: 'See' }])),
      [`GET ${THREAD}/files`]: lists(
        ...Object.keys(TEXTS).map((path) => info(path)),
        info('outputs/chart.png', undefined, OUTPUTS['chart.png']?.body.length),
        info('uploads/sales.csv'),
        info('workspace/try.py'),
      ),
    }),
    go: async ({ page, isPhone, look }) => {
      const panel = isPhone
        ? page.getByRole('dialog', { name: 'Files' })
        : page.getByRole('complementary', { name: 'Files' })
      const open = async (name: string): Promise<void> => {
        await panel.getByRole('button', { name: new RegExp(`^${name}`) }).click()
        await panel.getByRole('heading', { name, exact: true }).waitFor()
      }
      const back = async (): Promise<void> => panel.getByRole('button', { name: 'All files' }).click()
      await page.getByRole('button', { name: /^Files \d+$/ }).click()
      await panel.getByRole('list', { name: 'Made here' }).waitFor()
      await look('the files of a thread')
      await open('chart.png')
      await panel.getByRole('img').waitFor()
      await look('a picture')
      await back()
      await open('rows.csv')
      await panel.getByRole('table').waitFor()
      await look('a table of values')
      await back()
      await open('notes.md')
      await panel.getByText('All is well.').waitFor()
      await look('prose')
      await back()
      await open('run.py')
      await panel.getByText('print').waitFor()
      await look('text')
      await back()
      await panel.getByRole('button', { name: 'Delete sales.csv' }).click()
      await page.getByRole('dialog', { name: 'Delete sales.csv?' }).waitFor()
      await look('an upload that shall go')
    },
  },
  {
    name: 'the library',
    fragment: '&skills=',
    answers: () => ({
      'GET /v1/skills': async (request, times) => {
        const query = new URL(request.url()).searchParams
        if (query.get('for') === 'person') return list()
        if (times === 0) return refusal(500, 'internal', 'It broke.')
        const from = Number(query.get('cursor') ?? 0)
        const data = Array.from({ length: 100 }, (_, at) => skill(`skill-${from + at}`))
        return { json: { data, next_cursor: from < 4_900 ? String(from + 100) : null } }
      },
      'GET /v1/skills/skill-0': async () => ({
        json: skill('skill-0', {
          body: REPORT,
          manifest: [{ path: 'SKILL.md' }, { path: 'scripts/run.py' }],
          argument_hint: '[what]',
          diagnostics: [{ message: 'No licence is named.' }],
        }),
      }),
      'GET /v1/skills/skill-0/files/scripts/run.py': async () => ({ body: 'print("hello")\n' }),
      'GET /v1/skills/skill-1': async () => refusal(404, 'not_found', 'There is no such skill.'),
    }),
    go: async ({ page, look }) => {
      const library = page.getByRole('region', { name: 'Skills' })
      await library.getByRole('alert').waitFor()
      await look('a library that could not be read')
      await library.getByRole('button', { name: 'Try again' }).click()
      await library.getByText('5,000 skills').waitFor()
      await look('a library of 5,000 skills')
      await page.getByLabel('Filter skills').fill('nothing like it')
      await library.getByText('No skill has').waitFor()
      await look('a filter that fits nothing')
      await page.getByLabel('Filter skills').fill('skill-1')
      await library.getByRole('link', { name: /^skill-1 / }).first().click()
      await page.getByText('There is no such skill.').waitFor()
      await look('a skill that is not there')
      await page.goBack()
      await page.getByLabel('Filter skills').fill('skill-0')
      await library.getByRole('link', { name: /^skill-0/ }).click()
      await page.getByRole('article', { name: 'SKILL.md' }).getByRole('table').first().waitFor()
      await look('a skill')
      await page.getByRole('button', { name: 'scripts/run.py' }).click()
      await page.getByRole('dialog').getByText('print').waitFor()
      await look('a file of a skill')
    },
  },
  {
    name: 'a library that loads',
    fragment: '&skills=',
    answers: () => ({ 'GET /v1/skills': never, 'GET /v1/threads': never }),
    go: async ({ page, look }) => {
      await page.getByText('Skills are loading').waitFor({ state: 'attached' })
      await look('a library that loads')
    },
  },
  {
    name: 'a library with nothing in it',
    fragment: '&skills=',
    answers: () => ({}),
    go: async ({ page, look }) => {
      await page.getByText('There are no skills here yet.').waitFor()
      await look('a library with nothing in it')
    },
  },
  {
    name: 'a branch, and a thread that is not there',
    fragment: '&t=th_1',
    answers: () => ({
      [`GET ${THREAD}`]: async () => ({
        json: threadInfo('th_1', {
          forked_from: { thread_id: 'th_3', message_id: 'm_0' },
          branches: [{ thread_id: 'th_2', message_id: 'm_0', created_at: RECEIPT.accepted_at }],
        }),
      }),
      [`GET ${THREAD}/runs`]: lists(RECEIPT),
      [`GET ${THREAD}/messages`]: lists(message('m_0', 'user', [{ type: 'text', text: 'See' }])),
      'GET /v1/threads/th_2': async () => refusal(404, 'not_found', 'There is no such thread.'),
      'GET /v1/threads/th_2/messages': async () => refusal(404, 'not_found', 'There is no such thread.'),
      'GET /v1/threads/th_2/runs': async () => refusal(404, 'not_found', 'There is no such thread.'),
    }),
    go: async ({ page, look }) => {
      await page.getByRole('link', { name: 'Branch of' }).waitFor()
      await look('a branch')
      await page.getByRole('button', { name: '1 branch' }).click()
      await look('the branches of a thread')
      await page.getByRole('menuitem').click()
      await page.getByText('This thread could not be shown').waitFor()
      await look('a thread that is not there')
    },
  },
]

let going = goingOn()

/** Before each way. */
export function afresh(): void {
  going = goingOn()
}

/** What stands on the screen is not wider than it. */
export async function fits(page: Page, state: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(over, `${state} hangs over the edge`).toBeLessThanOrEqual(0)
}
