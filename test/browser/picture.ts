// `node test/browser/picture.ts` generates the README's pictures from the real page and an answer of the demo model.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { ADMIN_KEY, ROOT, startSatchel } from '../e2e/satchel.ts'
import { startBrowser } from './browser.ts'

const OUT = join(ROOT, 'docs/images')
const SALES = `month,region,orders,revenue
2026-01,north,120,4810.50
2026-01,south,95,3990.00
2026-02,north,131,5240.00
2026-02,south,98,4120.00
2026-03,north,126,5105.00
2026-03,south,12,480.00
2026-04,north,134,5400.25
2026-04,south,101,4210.00
`
/** Existing threads, so that the side bar shows its purpose. */
const EARLIER = [
  'Write an incident report: checkout was down for 12 minutes.',
  'Review this change: we now retry the payment call three times.',
  'Write a decision record: we keep sessions in Durable Objects.',
]

const satchel = await startSatchel()
const browser = await startBrowser()
try {
  mkdirSync(OUT, { recursive: true })
  for (const [at, message] of EARLIER.entries()) {
    const answered = await satchel.client.chat({ message }, `earlier-${at}`, { onEvent: () => undefined })
    if (!answered.ok) throw new Error(`The demo model did not answer: ${JSON.stringify(answered.error)}`)
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, colorScheme })
    await page.goto(`${satchel.url}/#key=${ADMIN_KEY}`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(SALES) })
    await page.getByLabel('Message', { exact: true }).fill('What stands out in this table?')
    await page.getByLabel('Message', { exact: true }).press('Control+Enter')
    await page.getByText('Answer complete').waitFor({ timeout: 120_000 })
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.getByRole('button', { name: 'Open sales-chart.svg' }).click()
    await page.getByRole('complementary', { name: 'Files' }).getByRole('img').waitFor()
    await conversation.evaluate((log) => log.scrollTo(0, 0))
    // The pointer does not appear in the picture.
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(OUT, `page-${colorScheme}.png`) })
    console.log(`docs/images/page-${colorScheme}.png`)
    await page.close()
  }
} finally {
  await browser.close()
  await satchel.stop()
}
