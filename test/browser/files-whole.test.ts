// Guards files from end to end over the real server: attached on the page, read by the model, answered with new files,
// shown, saved, and shown again after a reload. Only the model is scripted.

import { readFile } from 'node:fs/promises'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { ADMIN_KEY, startSatchel, until, type Satchel } from '../e2e/satchel.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { chips, sentNames } from './thread-files.ts'
import { ask, signedIn } from './open.ts'

const SCRIPT = 'window.pwned=1;parent.pwned=1;document.title="pwned"'
const HTML = `<!doctype html><meta charset="utf-8"><script>${SCRIPT}</script><h1>Zürich ☕</h1>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40" onload='${SCRIPT}'><script>${SCRIPT}</script><rect width="90" height="40"/></svg>`
const OUT = '/mnt/user-data/outputs'
const CALLS = [
  { name: 'read_file', input: { path: '/mnt/user-data/uploads/sales 2025 (é).csv' } },
  { name: 'write_file', input: { path: `${OUT}/chart.svg`, content: SVG } },
  { name: 'write_file', input: { path: `${OUT}/sub/report #1.html`, content: HTML } },
  { name: 'present_files', input: { paths: [`${OUT}/chart.svg`, `${OUT}/sub/report #1.html`] } },
]

let api: MessagesApi
let satchel: Satchel

beforeAll(async () => {
  api = await startMessagesApi(({ raw }) =>
    raw.includes('"tool_result"')
      ? { content: [{ type: 'text', text: 'Here they are.' }] }
      : { content: CALLS.map((call, at) => ({ type: 'tool_use', id: `toolu_${at}`, ...call })) },
  )
  satchel = await startSatchel({ env: { ANTHROPIC_API_KEY: 'sk-ant-fake', ANTHROPIC_BASE_URL: api.url } })
})
afterAll(async () => {
  await satchel?.stop()
  await api?.close()
})

it('an attached file is read, and presented files can be viewed and saved before and after a reload', async () => {
  const page = await signedIn({}, satchel.url)
  const csv = { mimeType: 'text/csv', buffer: Buffer.from('quarter,revenue\nQ1,17\n') }
  // Above 128 KiB, a file's bytes are stored differently.
  const large = { name: 'large.bin', mimeType: '', buffer: Buffer.alloc(300_000, 7) }
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (
    await chooser
  ).setFiles([{ name: 'sales 2025 (é).csv', ...csv }, { name: 'wrong.csv', ...csv }, large])
  await until('they are there', async () => (await page.locator('.chip.done').count()) === 3)
  await page.getByRole('button', { name: 'Remove wrong.csv' }).click()
  await until('it is off', async () => (await chips(page).count()) === 2)
  await ask(page, 'Draw the revenue')
  await page.locator('.receipt').waitFor()
  await page.getByText('Here they are.').waitFor()
  const reported = JSON.stringify(api.exchanges.map(({ raw }) => raw))
  expect(reported).toContain('uploads/sales 2025')
  expect(reported).toContain('uploads/large.bin')
  expect(reported).toContain('Q1,17')
  expect(reported).not.toContain('wrong.csv')

  const look = async (): Promise<void> => {
    const picture = page.getByRole('img', { name: 'chart.svg' })
    await picture.waitFor()
    await until('the picture is drawn', async () =>
      picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth === 90),
    )
    await expect
      .poll(async () => page.getByRole('list', { name: 'Files of the answer' }).innerText())
      .toMatch(/report #1\.html[\s\S]*HTML file · \d+ bytes/)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download report #1.html' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^report .1\.html$/)
    expect(await readFile(await download.path(), 'utf8')).toBe(HTML)
    await expect
      .poll(async () => sentNames(page))
      .toEqual(expect.arrayContaining(['large.bin', 'sales 2025 (é).csv']))
    await expect.poll(async () => chips(page).count()).toBe(0)
    expect(await page.evaluate(() => 'pwned' in window || document.title === 'pwned')).toBe(false)
    expect(page.context().pages().length).toBe(1)
  }
  await look()
  await page.reload()
  await page.locator('.receipt').waitFor()
  await look()
})

it('a file that is removed before the server confirms its upload is deleted there', async () => {
  const page = await signedIn({}, satchel.url)
  const devtools = await page.context().newCDPSession(page)
  const held = new Promise<string>((resolve) =>
    devtools.on('Fetch.requestPaused', ({ requestId }) => resolve(requestId)),
  )
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/files', requestStage: 'Response' }] })
  const thread = page.waitForResponse(
    (answer) => answer.url().endsWith('/v1/threads') && answer.status() === 201,
  )
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'late.csv', mimeType: 'text/csv', buffer: Buffer.from('a') }])
  const requestId = await held
  await chips(page).getByText('is being stored').waitFor()
  await page.getByRole('button', { name: 'Remove late.csv' }).click()
  await until('it is off', async () => (await chips(page).count()) === 0)
  const list = `${satchel.url}${(await thread).headers()['location']}/files`
  const headers = { authorization: `Bearer ${ADMIN_KEY}` }
  const names = async (): Promise<string> => (await fetch(list, { headers })).text()
  await expect.poll(names).toContain('late.csv')
  const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await devtools.send('Fetch.continueRequest', { requestId })
  expect((await deleted).status()).toBe(204)
  await expect.poll(names).not.toContain('late.csv')
})
