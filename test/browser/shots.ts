import { join } from 'node:path'
import { ADMIN_KEY, startSatchel } from '../e2e/satchel.ts'
import { startBrowser } from './browser.ts'
const OUT = process.argv[2] ?? '/work/w/shots'
const SALES = `month,region,orders,revenue
2026-01,north,120,4810.50
2026-01,south,95,3990.00
2026-02,north,131,5240.00
2026-02,south,98,4120.00
2026-03,north,126,5105.00
2026-03,south,12,480.00
`
const satchel = await startSatchel()
const browser = await startBrowser()
try {
  for (const [at, message] of [
    'Write an incident report: checkout was down for 12 minutes.',
    'Review this change: we now retry the payment call three times.',
  ].entries())
    await satchel.client.chat({ message }, `earlier-${at}`, { onEvent: () => undefined })
  for (const [name, options] of Object.entries({
    light: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
    phone: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'light' },
  } as const)) {
    if (process.argv[3] && !process.argv[3].split(',').includes(name)) continue
    const page = await (await browser.newContext(options)).newPage()
    await page.goto(`${satchel.url}/#key=${ADMIN_KEY}`)
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await page.waitForTimeout(600)
    await page.screenshot({ path: join(OUT, `${name}-1-empty.png`) })
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(SALES) })
    await page.getByLabel('Message', { exact: true }).fill('What stands out in this table?')
    await page.getByLabel('Message', { exact: true }).press('Control+Enter')
    await page.waitForTimeout(900)
    await page.screenshot({ path: join(OUT, `${name}-2-working.png`) })
    await page.getByText('Answer complete').waitFor({ timeout: 120_000 })
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(OUT, `${name}-3-answer.png`) })
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.evaluate((log) => log.scrollTo(0, 1e6))
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(OUT, `${name}-4-end.png`) })
    for (const d of await conversation.locator('details').all())
      await d.evaluate((e) => e.setAttribute('open', ''))
    await page.waitForTimeout(400)
    await conversation.evaluate((log) => log.scrollTo(0, 0))
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(OUT, `${name}-5-open.png`) })
    await conversation.evaluate((log) => log.scrollTo(0, 1e6))
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(OUT, `${name}-6-openend.png`) })
    await page.close()
  }
} finally {
  await browser.close()
  await satchel.stop()
}
