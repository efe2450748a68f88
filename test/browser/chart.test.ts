// Promise: a question with a table attached is answered with a chart, drawn by the skill's script in the sandbox and
// readable in both themes. A real browser, a real server, the demo model.

import { readFile } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { ask, signedIn, visit } from './open.ts'

const MONTHS = Array.from({ length: 9 }, (_, at) => `2026-0${at + 1}`)
const CSV = `month,region,revenue\n${MONTHS.flatMap((month, at) =>
  ['north', 'south', 'a region with quite a long name'].map(
    (region, of) => `${month},${region},${(at * 37) % 11}${of}00.50`,
  ),
).join('\n')}\n`

it('turns a table into a chart whose labels do not overlap and whose background follows the theme', async () => {
  const page = await signedIn()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name: 'regions.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) })
  await ask(page, 'What stands out in this table?')
  await page.locator('.receipt').waitFor()
  const card = page.getByRole('listitem').filter({ hasText: 'regions-chart.svg' })
  // It is fetched when its card is scrolled into view.
  await card.scrollIntoViewIfNeeded()
  const picture = card.getByRole('img')
  await until('the chart is drawn', async () =>
    picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth === 800),
  )
  const saved = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Download regions-chart.svg' }).click()
  const svg = await readFile(await (await saved).path(), 'utf8')

  const alone = await visit('about:blank')
  await alone.setContent(svg)
  await expect
    .poll(async () => alone.getByRole('img', { name: 'Revenue by month and region' }).count())
    .toBe(1)
  const overlaps = await alone.evaluate(() => {
    const boxes = [...document.querySelectorAll('text')].map((text) => ({
      says: text.textContent,
      box: text.getBBox(),
    }))
    const wide = boxes.filter(({ box }) => box.x < 0 || box.x + box.width > 800)
    const over = boxes.flatMap(({ says, box: a }, at) =>
      boxes
        .slice(at + 1)
        .filter(
          ({ box: b }) =>
            a.x < b.x + b.width &&
            b.x < a.x + a.width &&
            a.y + 2 < b.y + b.height &&
            b.y + 2 < a.y + a.height,
        )
        .map((other) => `${says} / ${other.says}`),
    )
    return [...over, ...wide.map(({ says }) => `outside: ${says}`)]
  })
  expect(overlaps).toEqual([])
  const colours = async () =>
    alone.evaluate(() =>
      ['.ground', '.title'].map((one) => getComputedStyle(document.querySelector(one) ?? document.body).fill),
    )
  await expect.poll(colours).toEqual(['rgb(255, 255, 255)', 'rgb(24, 24, 27)'])
  await alone.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(colours).toEqual(['rgb(24, 24, 27)', 'rgb(244, 244, 245)'])
})
