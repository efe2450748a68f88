// Guards the files of an answer: each is an inline picture or a named download, and no file can run code or navigate
// the page away. A real browser, scripted answers.

import { readFile } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { message, RECEIPT } from '../unit/page/frames.ts'
import { violations } from './accessible.ts'
import {
  answers,
  chips,
  HTML,
  info,
  isUnharmed,
  OUTPUTS,
  outputs,
  presented,
  sentNames,
} from './thread-files.ts'
import { THREAD, ask, lists, scripted } from './open.ts'

it('shows pictures inline and other files as downloads, and never runs their content', async () => {
  const { page, times } = await scripted('', {
    ...outputs(),
    'POST /v1/chat': answers(
      { type: 'file.written', path: '/mnt/user-data/outputs/report.html', bytes: HTML.length },
      ...Object.keys(OUTPUTS).map(presented),
    ),
  })
  await ask(page, 'Draw it')
  const all = page.getByRole('list', { name: 'Files of the answer' })
  const card = (name: string) => all.getByRole('listitem').filter({ hasText: name })
  for (const name of ['chart.png', 'drawing.svg', 'scalable.svg', 'both.gif']) {
    const picture = card(name).getByRole('img', { name })
    await card(name).scrollIntoViewIfNeeded()
    await picture.waitFor()
    await until(`${name} is drawn`, async () =>
      picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    )
    await expect.poll(async () => picture.getAttribute('src')).toMatch(/^blob:/)
  }
  // An image without a size fills its card.
  const box = await card('scalable.svg').getByRole('img').boundingBox()
  expect(box?.width).toBeGreaterThan(200)
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(3, 1)
  await card('no-picture.jpg').scrollIntoViewIfNeeded()
  await card('no-picture.jpg').getByText('cannot be shown as a picture').waitFor()
  await expect.poll(async () => card('report.html').innerText()).toMatch(/HTML file · \d+ bytes/)
  await expect.poll(async () => card('report.html').locator('img').count()).toBe(0)
  expect(await violations(page)).toEqual([])

  for (const [name, { body }] of Object.entries(OUTPUTS)) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: `Download ${name}` }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe(name)
    expect(download.url()).toMatch(/^blob:/)
    expect(Buffer.compare(await readFile(await download.path()), body)).toBe(0)
  }
  // The bytes of a picture are released once it is drawn.
  const again = await all
    .getByRole('img')
    .first()
    .evaluate(
      async (image) =>
        new Promise((resolve) => {
          const other = new Image()
          other.onload = () => resolve('there')
          other.onerror = () => resolve('gone')
          other.src = image.getAttribute('src') ?? ''
        }),
    )
  expect(again).toBe('gone')
  await expect.poll(async () => all.locator('iframe, object, embed, script').count()).toBe(0)
  expect(page.context().pages().length).toBe(1)
  expect(times.get('GET /v1/seen-from-svg')).toBe(undefined)
  expect(await isUnharmed(page)).toBe(true)
})

it('reports a missing file, and puts no key into a URL', async () => {
  const { page } = await scripted('', {
    'POST /v1/chat': answers(presented('chart.png')),
    [`GET ${THREAD}/files/outputs/chart.png`]: async (request) => {
      expect(request.url()).not.toContain('any-key')
      return { status: 404, json: { code: 'not_found', detail: 'There is no such file in this thread.' } }
    },
  })
  await ask(page, 'Draw it')
  await page.getByText('The picture could not be loaded. There is no such file').waitFor()
  await page.getByRole('button', { name: 'Download chart.png' }).click()
  await page.getByRole('alert').getByText('The file could not be downloaded. There is no such file').waitFor()
})

it('an older thread shows its attached, presented and unsent files again', async () => {
  const files = [
    info('outputs/chart.png'),
    info('uploads/late.csv', '2026-01-02T03:05:00.000Z'),
    info('uploads/sales.csv'),
  ]
  const paths = ['/mnt/user-data/outputs/chart.png']
  const { page, times } = await scripted('&t=th_1', {
    ...outputs(),
    [`GET ${THREAD}/runs`]: lists(RECEIPT),
    [`GET ${THREAD}/files`]: lists(...files),
    [`GET ${THREAD}/messages`]: lists(
      message('m_0', 'user', [{ type: 'text', text: 'Draw it' }]),
      message('m_1', 'assistant', [{ type: 'tool_use', id: 't_1', name: 'present_files', input: { paths } }]),
      message('m_2', 'user', [
        { type: 'tool_result', tool_use_id: 't_1', content: 'Shown.', is_error: false },
      ]),
    ),
    [`DELETE ${THREAD}/files/uploads/late.csv`]: async () => ({ status: 204 }),
  })
  await page.getByRole('img', { name: 'chart.png' }).waitFor()
  await expect
    .poll(async () => page.getByRole('list', { name: 'Files of the answer' }).innerText())
    .toMatch(/chart\.png[\s\S]*PNG picture · 1\.5 KB/)
  await expect.poll(async () => sentNames(page)).toEqual(['sales.csv'])
  await expect.poll(async () => chips(page).locator('.file-name').allInnerTexts()).toEqual(['late.csv'])
  await page.getByRole('button', { name: 'Remove late.csv' }).click()
  await until('it is taken off', async () => (await chips(page).count()) === 0)
  expect(times.get(`DELETE ${THREAD}/files/uploads/late.csv`)).toBe(1)
})
