// The walks through a conversation and everything around it.

import { ENDED, RECEIPT, RUN, textDelta } from '../unit/page/frames.ts'
import { modelInfo, threadInfo } from '../unit/page/ports.ts'
import { goingOn } from './answering.ts'
import { send, type Ways } from './walk.ts'
import { ASKING, asking, failed, REPORT, skill, STEPS } from './walk-data.ts'
import { THREAD, box, button, list, lists, never, openWork, receipt, refusal, runOf, log } from './open.ts'

const MODELS = [
  modelInfo('grande', { name: 'Claude Opus 5.5', default: true, window: 1_000_000 }),
  modelInfo('local/a-model-with-a-name-that-is-very-long', { window: null, price: null }),
  ...Array.from({ length: 12 }, (_, at) => modelInfo(`model-${at}`, { name: `Claude Sonnet ${at}.5` })),
]
const THREADS = [
  threadInfo('th_1', { title: 'An outage on Monday', status: 'busy' }),
  threadInfo('th_2', { title: 'Waits for a yes' }),
  threadInfo('th_3', { title: 'An older one', updated_at: '2025-12-10T12:00:00Z' }),
]

export const CHAT_WAYS: Ways = [
  [
    'an empty chat, its menus and dialogs',
    () => ({
      answers: {
        'GET /v1/threads': async (request) => {
          const query = new URL(request.url()).searchParams.get('q')
          if (query === null) return list(...THREADS)
          if (query !== 'shop') return list()
          return list({ ...THREADS[0], match: { before: 'the outage of the ', hit: 'shop', after: '' } })
        },
        'GET /v1/approvals': lists({ thread_id: 'th_2' }),
        'GET /v1/skills': lists(skill('incident-report', { argument_hint: '[what]' }), skill('api-design')),
        'GET /v1/models': lists(...MODELS),
      },
      go: async ({ page, isPhone, look }) => {
        const item = async (name: string): Promise<void> => page.getByRole('menuitem', { name }).click()
        const side = async (): Promise<void> => {
          if (isPhone) await page.getByRole('button', { name: 'Menu' }).click()
        }
        await page.getByRole('list', { name: 'Ideas' }).waitFor()
        await look('an empty chat')
        await box(page).fill('/')
        await page.getByRole('option').first().waitFor()
        await look('the list of skills behind a slash')
        await box(page).fill('/incident-report ')
        await page.getByText('Continue with').waitFor()
        await look('what to write behind a skill')
        await page.getByRole('button', { name: 'Model and limits' }).click()
        await page.getByRole('group', { name: 'Effort' }).waitFor()
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
        await page.getByLabel('Name', { exact: true }).fill('')
        await button(page, 'Rename').click()
        await page.getByText('Enter a name.').waitFor()
        await look('rename without a name')
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'More for An older one' }).click()
        await item('Delete')
        // The notice stays while its button has the focus.
        await page.getByRole('button', { name: 'Undo' }).focus()
        await look('a deleted thread that may come back')
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('button', { name: 'Settings' }).click()
        await look('the settings')
        await item('Your key…')
        await page.getByRole('dialog', { name: 'Your key' }).waitFor()
        await look('the key')
        await page.keyboard.press('Escape')
        if (!isPhone) {
          await page.getByRole('button', { name: 'Settings' }).click()
          await item('Keyboard shortcuts')
          await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
          await look('the keys of the keyboard')
          await page.keyboard.press('Escape')
        }
        await page.getByRole('button', { name: 'Search' }).click()
        const field = page.getByRole('combobox')
        await page.getByRole('option', { name: 'New thread' }).waitFor()
        await look('the palette')
        await field.fill('shop')
        await page.locator('mark').waitFor()
        await look('what a search found')
        await field.fill('nothing')
        await page.getByText('No results for').waitFor()
        await look('a search that found nothing')
        await page.keyboard.press('Escape')
        if (isPhone) return
        await page.getByRole('button', { name: 'Hide the side bar' }).click()
        await page.getByRole('button', { name: 'Show the side bar' }).waitFor()
        await look('a hidden side bar')
      },
    }),
  ],
  [
    'a streaming answer and its actions',
    () => {
      const going = goingOn()
      return {
        answers: {
          ...going.answers,
          [`POST ${THREAD}/runs/${RUN}/rating`]: async () => ({
            json: { ...RECEIPT, rating: { value: 'down', note: null, by: 'a', at: RECEIPT.accepted_at } },
          }),
        },
        go: async ({ page, look }) => {
          await send(page, 'What happened?')
          await page.getByRole('button', { name: 'Stop' }).waitFor()
          await look('a message that was sent')
          going.frames({ type: 'thinking.delta', step: 1, block: 0, offset: 0, text: 'An outage.' })
          await log(page).getByText('Thinking').first().click()
          await look('thinking')
          going.frames(...STEPS, textDelta(REPORT.slice(0, 700)))
          await log(page).getByRole('table').first().waitFor()
          await look('an answer as it is written')
          await send(page, 'And then?')
          await page.getByRole('group', { name: 'Queued' }).waitFor()
          await look('a message that waits')
          await page.getByRole('button', { name: 'Remove the queued message' }).click()
          going.frames({
            type: 'todo.updated',
            items: [
              { text: 'Read the log', status: 'completed' },
              { text: 'Find the cause', status: 'in_progress' },
              { text: 'Write the report', status: 'pending' },
            ],
          })
          await page.getByText('1 of 3 done').click()
          await look('a plan')
          await page.getByText('1 of 3 done').click()
          going.frames(textDelta(REPORT.slice(700), 700))
          going.end()
          await log(page).getByRole('button', { name: 'Good answer' }).waitFor()
          await log(page).locator('.hl-keyword').first().waitFor()
          await look('an answer')
          const openAll = async (): Promise<void> =>
            log(page).evaluate((element) => {
              for (const details of element.querySelectorAll('details')) details.open = true
            })
          await openAll()
          await log(page).locator('.raw').first().waitFor()
          await openAll()
          await receipt(page).click()
          await look('steps and receipt, open')
          await log(page).getByRole('button', { name: 'Poor answer' }).click()
          await log(page).getByLabel('What was wrong? (optional)').waitFor()
          await look('a note with a rating')
          await log(page).getByRole('button', { name: 'Edit the question' }).click()
          await log(page).getByLabel('Your question').waitFor()
          await look('a question that is edited')
        },
      }
    },
  ],
  [
    'failures',
    () => {
      let expired = false
      return {
        answers: {
          'GET /v1/threads': async (_, times) =>
            expired
              ? refusal(401, 'unauthorized', 'Not known.')
              : times === 0
                ? refusal(500, 'internal', 'It broke.')
                : list(),
          'POST /v1/chat': async (_, times) =>
            times === 0
              ? runOf(textDelta('So far'), failed)
              : refusal(429, 'rate_limited', 'Too many a minute.'),
        },
        go: async ({ page, isPhone, look }) => {
          await page.clock.install()
          await send(page, 'Why?')
          await page.getByRole('button', { name: 'Try again' }).first().waitFor()
          await look('a run that failed')
          await send(page, 'And why?')
          await page.getByRole('button', { name: 'Send again' }).waitFor()
          await look('a message that was refused')
          await page.context().setOffline(true)
          await page.getByText('You’re offline.').waitFor()
          await look('no network')
          await page.context().setOffline(false)
          await page.getByText('You’re offline.').waitFor({ state: 'detached' })
          if (isPhone) await page.getByRole('button', { name: 'Menu' }).click()
          expired = true
          await page.clock.runFor(5_000)
          await page.evaluate(() => window.dispatchEvent(new Event('focus')))
          await page.getByRole('dialog', { name: 'Enter your key again' }).waitFor()
          await look('a key that has expired')
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Enter the key' }).first().waitFor({ state: 'attached' })
          await look('the page without a good key')
        },
      }
    },
  ],
  [
    'an approval',
    () => ({
      answers: {
        'POST /v1/chat': async () => runOf(...asking),
        [`GET ${THREAD}/runs/${RUN}/events`]: never,
      },
      go: async ({ page, look }) => {
        await send(page, 'Open two tickets')
        await button(page, 'Approve').waitFor()
        await look('a call that waits, and one that was denied')
        await openWork(page)
        await page.getByText('denied by').click()
        await look('a denied call, open')
      },
    }),
  ],
  [
    'a question',
    () => ({
      answers: {
        'POST /v1/chat': async (_, times) =>
          times === 0 ? runOf(...ASKING) : runOf(textDelta('Good.'), ENDED),
      },
      go: async ({ page, look }) => {
        await send(page, 'Write a report')
        const card = page.getByRole('group', { name: 'For customers or for the team?' })
        await card.waitFor()
        await look('a question')
        await card.getByRole('button', { name: 'For the team' }).click()
        await card.getByText('Answered: For the team').waitFor()
        await look('an answered question')
      },
    }),
  ],
]
