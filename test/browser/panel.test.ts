// Guards the files panel: previews are pictures, tables, prose or text and never run; files appear during an answer, and only
// uploads can be deleted, after a confirmation. Answers are scripted.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { RECEIPT } from '../unit/page/frames.ts'
import { goingOn } from './answering.ts'
import { HTML, info, isUnharmed, outputs } from './thread-files.ts'
import {
  PHONE,
  THREAD,
  ask,
  lists,
  refusal,
  scripted,
  type Answer,
  list,
  statusLine,
  type Answers,
} from './open.ts'

const ROWS = Array.from({ length: 1_200 }, (_, at) => `"Zürich, ${at}",${at},<img src=x>`)
const TEXTS: Record<string, string> = {
  'outputs/rows.csv': `place,amount,note\n${ROWS.join('\n')}\n`,
  'outputs/few.tsv': 'a\tb\n1\t\n',
  'outputs/notes.md': '# Findings\n\nAll is **well**.\n',
  'outputs/page.html': HTML,
  'outputs/run.py': 'print("hello")\n',
  'outputs/data.bin': 'x',
  'outputs/odd.txt': 'a\0b',
  'outputs/empty.txt': '',
  'outputs/long.log': 'line of a log\n'.repeat(60_000),
}
const LIST = [
  ...Object.entries(TEXTS).map(([path, text]) => info(path, undefined, text.length)),
  info('outputs/drawing.svg'),
  info('uploads/sales.csv'),
  info('workspace/scratch/try.py'),
]

function thread(list: () => readonly unknown[] = () => LIST): Answers {
  const texts = Object.entries(TEXTS).map(([path, body]): [string, Answer] => [
    `GET ${THREAD}/files/${path}`,
    async () => ({ body, headers: { 'content-type': 'text/html' } }),
  ])
  return {
    ...outputs(),
    ...Object.fromEntries(texts),
    [`GET ${THREAD}/runs`]: lists(RECEIPT),
    [`GET ${THREAD}/files`]: async () => ({ json: { data: list(), next_cursor: null } }),
  }
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Files' })
const toggle = (page: Page) => page.getByRole('button', { name: /^Files \d+$/ })
const look = async (page: Page, name: string): Promise<void> => {
  await panel(page)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await panel(page).getByRole('heading', { name, exact: true }).waitFor()
}
const back = async (page: Page): Promise<void> =>
  panel(page).getByRole('button', { name: 'All files' }).click()

describe('the panel', () => {
  it('groups files by origin; keys alone open a file, go back and close', async () => {
    const { page } = await scripted('&t=th_1', thread())
    await toggle(page).press('Enter')
    await panel(page).getByRole('list', { name: 'Created here' }).waitFor()
    await expect
      .poll(async () => panel(page).getByRole('list', { name: 'Created here' }).getByRole('listitem').count())
      .toBe(10)
    await expect
      .poll(async () => panel(page).getByRole('list', { name: 'Uploads' }).innerText())
      .toContain('sales.csv')
    await expect.poll(async () => panel(page).getByText('try.py').isVisible()).toBe(false)
    await panel(page).getByText('Working files (1)').click()
    await expect.poll(async () => panel(page).getByText('scratch · PY file').isVisible()).toBe(true)
    const row = panel(page).getByRole('button', { name: /^notes\.md/ })
    await row.press('Enter')
    await panel(page).getByRole('heading', { name: 'notes.md' }).waitFor()
    await panel(page).getByRole('button', { name: 'All files' }).press('Enter')
    await expect.poll(async () => row.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(async () => panel(page).count()).toBe(0)
    await expect
      .poll(async () => toggle(page).evaluate((element) => element === document.activeElement))
      .toBe(true)
  })

  it('opens a file from its message, and closes with its thread', async () => {
    const { page } = await scripted('&t=th_1', {
      ...thread(),
      [`GET ${THREAD}/messages`]: async () => {
        const output = {
          id: 'm_0',
          run_id: RECEIPT.run_id,
          role: 'user',
          content: [{ type: 'text', text: 'See' }],
        }
        return list(output)
      },
    })
    await page.getByRole('button', { name: /^sales\.csv/ }).click()
    await panel(page).getByRole('heading', { name: 'sales.csv' }).waitFor()
    await page.getByRole('button', { name: 'New thread' }).click()
    await until('it is closed', async () => (await panel(page).count()) === 0)
  })

  it('is a full-height dialog where there is no room beside the conversation', async () => {
    const { page } = await scripted('&t=th_1', thread(), PHONE)
    await toggle(page).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Files' })
    await dialog.getByRole('button', { name: /^notes\.md/ }).click()
    await dialog.getByText('Findings').waitFor()
    await expect.poll(async () => (await dialog.boundingBox())?.height).toBe(800)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => dialog.count()).toBe(0)
  })

  it('shows files while an answer creates them', async () => {
    const run = goingOn()
    let list: readonly unknown[] = []
    const { page } = await scripted('', { ...thread(() => list), ...run.answers })
    await ask(page, 'Make it')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await expect.poll(async () => toggle(page).count()).toBe(0)
    list = LIST.slice(0, 1)
    run.frames({ type: 'file.written', path: '/mnt/user-data/outputs/rows.csv', bytes: 10 })
    await toggle(page).click()
    await panel(page).getByText('rows.csv').waitFor()
    list = LIST.slice(0, 3)
    run.frames({ type: 'file.written', path: '/mnt/user-data/outputs/notes.md', bytes: 10 })
    await panel(page).getByText('notes.md').waitFor()
    run.end()
    await statusLine(page).getByText('Answer complete').waitFor()
    await expect.poll(async () => panel(page).getByText('notes.md').isVisible()).toBe(true)
  })

  it('deletes an upload after a confirmation, and offers no deletion for files of the agent', async () => {
    let list = LIST
    const { page, times } = await scripted('&t=th_1', {
      ...thread(() => list),
      [`DELETE ${THREAD}/files/uploads/sales.csv`]: async () => {
        list = list.filter(({ path }) => path !== 'uploads/sales.csv')
        return { status: 204 }
      },
    })
    await toggle(page).click()
    await panel(page).getByRole('button', { name: 'Delete sales.csv' }).waitFor()
    await expect
      .poll(async () =>
        panel(page)
          .getByRole('button', { name: /^Delete/ })
          .count(),
      )
      .toBe(1)
    const remove = panel(page).getByRole('button', { name: 'Delete sales.csv' })
    await remove.click()
    const dialog = page.getByRole('dialog', { name: 'Delete sales.csv?' })
    await dialog.getByRole('button', { name: 'Keep' }).click()
    expect(times.get(`DELETE ${THREAD}/files/uploads/sales.csv`)).toBe(undefined)
    await remove.click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await until('it is gone', async () => (await panel(page).getByText('sales.csv').count()) === 0)
    expect(times.get(`DELETE ${THREAD}/files/uploads/sales.csv`)).toBe(1)
  })
})

describe('a file', () => {
  it('with separated values is a table of its first rows, with the total', async () => {
    const { page } = await scripted('&t=th_1', thread())
    await toggle(page).click()
    await look(page, 'rows.csv')
    const table = panel(page).getByRole('table')
    await table.waitFor()
    await panel(page).getByText('The first 1,000 of 1,200 rows, 3 columns').waitFor()
    await expect
      .poll(async () => table.getByRole('columnheader').allInnerTexts())
      .toEqual(['place', 'amount', 'note'])
    await expect.poll(async () => table.getByRole('row').count()).toBe(1_001)
    await expect
      .poll(async () => table.getByRole('row').nth(1).getByRole('cell').allInnerTexts())
      .toEqual(['Zürich, 0', '0', '<img src=x>'])
    await back(page)
    await look(page, 'few.tsv')
    await panel(page).getByText('1 row, 2 columns').waitFor()
  })

  it('is shown by its kind: Markdown as prose, HTML in a frame, code as text, SVG as a picture, and runs nothing', async () => {
    const { page } = await scripted('&t=th_1', thread())
    await toggle(page).click()
    await look(page, 'notes.md')
    await panel(page).locator('strong').getByText('well').waitFor()
    await panel(page).getByRole('button', { name: 'Source' }).click()
    await panel(page).locator('pre').getByText('All is **well**.').waitFor()
    await back(page)
    await look(page, 'page.html')
    await panel(page).locator('iframe').contentFrame().getByRole('heading', { name: 'Report' }).waitFor()
    await back(page)
    await look(page, 'run.py')
    await panel(page).locator('pre').getByText('print("hello")').waitFor()
    await back(page)
    await look(page, 'drawing.svg')
    const picture = panel(page).getByRole('img', { name: 'drawing.svg' })
    await picture.waitFor()
    await expect.poll(async () => picture.getAttribute('src')).toMatch(/^blob:/)
    await expect.poll(async () => panel(page).locator('script, iframe, object, embed').count()).toBe(0)
    expect(await isUnharmed(page)).toBe(true)
  })

  it('without a preview says so, and a long file is shown in part', async () => {
    const { page } = await scripted('&t=th_1', thread())
    await toggle(page).click()
    for (const [name, message] of [
      ['data.bin', 'This kind of file has no preview'],
      ['odd.txt', 'This file is not text'],
      ['empty.txt', 'This file is empty'],
      ['long.log', 'The first 512 KB are shown'],
    ] as const) {
      await look(page, name)
      await panel(page).getByText(message).waitFor()
      await back(page)
    }
  })

  it('that cannot be read shows the reason and can be retried', async () => {
    const gone = refusal(503, 'unavailable', 'Just a moment.')
    const { page } = await scripted('&t=th_1', {
      ...thread(),
      [`GET ${THREAD}/files/outputs/run.py`]: async (_, before) =>
        before === 0 ? gone : { body: 'print(1)' },
    })
    await toggle(page).click()
    await look(page, 'run.py')
    await panel(page).getByText('Just a moment.').waitFor()
    await panel(page).getByRole('button', { name: 'Try again' }).click()
    await panel(page).getByText('print(1)').waitFor()
  })
})
