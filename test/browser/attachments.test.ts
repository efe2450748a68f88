// Guards attachments: files reach the thread before the message, however they were added; a failure is explained and
// loses nothing; dropping a file never navigates away. A real browser, scripted answers.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { until } from '../e2e/satchel.ts'
import { goingOn } from './answering.ts'
import {
  answers,
  chips,
  choose,
  file,
  HTML,
  info,
  isUnharmed,
  keeps,
  made,
  sentNames,
} from './thread-files.ts'
import { THREAD, ask, box, lists, satchel, scripted, refusal, statusLine, visit } from './open.ts'

const done = (page: Page) => page.getByRole('list', { name: 'Attached files' }).locator('li.done')

/** A drag from the desktop, which the browser handles if the page does not. */
async function dropAt(page: Page, selector: string, paths: readonly string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not on the page`)
  const devtools = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 60) }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', {
      type,
      ...at,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    })
    const zone = page.getByText('Drop to attach')
    // Nobody can attach a file before signing in.
    if ((await zone.count()) > 0) await (type === 'drop' ? zone.waitFor({ state: 'hidden' }) : zone.waitFor())
  }
}

it('uploads files to a new thread before its first message is sent', async () => {
  const sent: unknown[] = []
  const { page, times } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: async (request, before) => {
      expect(request.headers()['content-type']).toMatch(/^multipart\/form-data; boundary=/)
      expect(request.headers()['authorization']).toBe('Bearer any-key-will-do')
      return keeps('sales.csv', 'notes.csv', 'image.png')(request, before)
    },
    'POST /v1/chat': async (request, before) => {
      sent.push(request.postDataJSON())
      return answers()(request, before)
    },
  })
  await choose(page, 'sales.csv', 'notes.csv')
  await box(page).evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await ask(page, 'Sum them up')
  await page.locator('.receipt').waitFor()
  expect(sent).toEqual([{ message: 'Sum them up', stream: true, thread_id: 'th_1', on_busy: 'enqueue' }])
  expect(times.get('POST /v1/threads')).toBe(1)
  await expect.poll(async () => sentNames(page)).toEqual(['sales.csv', 'notes.csv', 'image.png'])
  await expect
    .poll(async () => page.getByRole('list', { name: 'Files of the message' }).innerText())
    .toContain('1.5 KB')
  await expect.poll(async () => chips(page).count()).toBe(0)
  await expect.poll(() => new URL(page.url()).hash).toBe('#t=th_1')
})

it('a failed upload shows the reason, keeps the draft, and can be retried or removed', async () => {
  const detail = 'The thread keeps 2000 files, as many as it may.'
  const refusal = { status: 413, json: { status: 413, code: 'storage_full', detail } }
  const { page, times } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: async (request, before) => (before < 2 ? refusal : keeps()(request, before)),
    [`DELETE ${THREAD}/files/uploads/more`]: async () => ({ status: 204 }),
    'POST /v1/chat': answers(),
  })
  await choose(page, 'sales.csv', 'notes.csv')
  await ask(page, 'Sum them up')
  await page.getByRole('alert').getByText('A file could not be uploaded').waitFor()
  await expect
    .poll(async () => chips(page).allInnerTexts())
    .toEqual([expect.stringContaining(detail), expect.stringContaining(detail)])
  await expect.poll(async () => box(page).inputValue()).toBe('Sum them up')
  expect(times.get('POST /v1/chat')).toBe(undefined)
  // By keyboard alone.
  await page.getByRole('button', { name: 'Remove notes.csv' }).press('Enter')
  await expect.poll(async () => chips(page).count()).toBe(1)
  await expect
    .poll(async () => box(page).evaluate((element) => element === document.activeElement))
    .toBe(true)
  await page.getByRole('button', { name: 'Try sales.csv again' }).press('Enter')
  await done(page).waitFor()
  await choose(page, 'other.csv')
  await done(page).nth(1).waitFor()
  await page.getByRole('button', { name: 'Remove other.csv' }).click()
  await until('it is deleted', () => times.get(`DELETE ${THREAD}/files/uploads/more`) === 1)
  await box(page).press('Enter')
  await page.locator('.receipt').waitFor()
  await expect.poll(async () => (await sentNames(page)).length).toBe(1)
})

it('the button that removes a file is large enough for a finger', async () => {
  const { page } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: keeps('sales.csv'),
  })
  await choose(page, 'sales.csv')
  await done(page).waitFor()
  const target = await page.getByRole('button', { name: 'Remove sales.csv' }).boundingBox()
  expect(target?.width).toBeGreaterThanOrEqual(44)
  expect(target?.height).toBeGreaterThanOrEqual(44)
})

it('shows the progress of an upload, and sends the message after it', async () => {
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const { page, times } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: async (request, before) => {
      await gate
      return keeps('sales.csv')(request, before)
    },
    'POST /v1/chat': answers(),
  })
  await choose(page, 'sales.csv')
  await page.getByRole('progressbar', { name: 'Upload of sales.csv' }).waitFor()
  await page.getByRole('button', { name: 'Uploading…' }).waitFor()
  await ask(page, 'Sum them up')
  await statusLine(page).getByText('The message will be sent when its files are uploaded').waitFor()
  expect(times.get('POST /v1/chat')).toBe(undefined)
  open()
  await page.locator('.receipt').waitFor()
  await expect.poll(async () => sentNames(page)).toEqual(['sales.csv'])
})

it('refuses a file that is too large before it is sent, with the reason', async () => {
  const { page, times } = await scripted('', { 'POST /v1/threads': made })
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([new Uint8Array(100_000_001)], 'huge.bin'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await page.getByRole('alert').getByText('is too large; the limit is 95.4 MB').waitFor()
  await expect.poll(async () => page.getByRole('button', { name: 'Try huge.bin again' }).count()).toBe(0)
  expect(times.get('POST /v1/threads')).toBe(undefined)
})

it('keeps files with the draft when the message is refused, and after a reload of a new thread', async () => {
  const { page } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: keeps('sales.csv'),
    [`GET ${THREAD}/files`]: lists(info('uploads/sales.csv')),
    'POST /v1/chat': async () => refusal(422, 'invalid_request', 'Not so.'),
  })
  await choose(page, 'sales.csv')
  await ask(page, 'Sum them up')
  await page.getByRole('alert').getByText('Not so.').waitFor()
  await expect.poll(async () => box(page).inputValue()).toBe('Sum them up')
  await expect.poll(async () => chips(page).allInnerTexts()).toEqual([expect.stringContaining('sales.csv')])
  await page.reload()
  await chips(page).getByText('sales.csv').waitFor()
  await expect.poll(async () => box(page).inputValue()).toBe('Sum them up')
})

it('keeps files that are attached during an answer with the queued message', async () => {
  const run = goingOn()
  const { page } = await scripted('', {
    ...run.answers,
    [`POST ${THREAD}/files`]: keeps('late.csv'),
  })
  await ask(page, 'First')
  await page.locator('#status').getByText('Thinking…').waitFor()
  await choose(page, 'late.csv')
  await ask(page, 'Second')
  const next = page.getByRole('group', { name: 'Queued' })
  await next.getByText('1 file').waitFor()
  await expect.poll(async () => chips(page).count()).toBe(0)
  run.end()
  await until('it is sent', () => run.sent.length === 2)
  await expect.poll(async () => sentNames(page)).toEqual(['late.csv'])
})

it('accepts files dropped anywhere without leaving the page, and refuses a folder with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-drop-'))
  const path = join(folder, 'dropped.html')
  writeFileSync(path, HTML)
  const { page } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: keeps('dropped.html', 'dropped (2).html'),
  })
  const address = page.url()
  await page.evaluate(() => (document.body.dataset['seen'] = 'yes'))
  await dropAt(page, '#side', [path])
  await dropAt(page, '#composer', [path, folder])
  await chips(page).nth(2).waitFor()
  await done(page).nth(1).waitFor()
  await page.getByRole('alert').getByText('is a folder; attach the files in it instead').waitFor()
  expect(await page.locator('body[data-seen=yes]').count()).toBe(1)
  expect(page.url()).toBe(address)
  expect(page.context().pages().length).toBe(1)
  expect(await isUnharmed(page)).toBe(true)
})

it('ignores a file dropped on the key form', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-drop-'))
  const path = join(folder, 'dropped.html')
  writeFileSync(path, HTML)
  const page = await visit()
  await page.getByRole('heading', { name: 'Sign in to Satchel' }).waitFor()
  await dropAt(page, '#key', [path])
  await expect.poll(async () => page.getByRole('heading', { name: 'Sign in to Satchel' }).count()).toBe(1)
  expect(page.url()).toBe(new URL('/', satchel.url).href)
})

it('shows only the files of the open thread', async () => {
  const { page, times } = await scripted('', {
    'POST /v1/threads': made,
    [`POST ${THREAD}/files`]: keeps('sales.csv'),
    [`GET ${THREAD}/files`]: lists(info('uploads/sales.csv')),
  })
  await page.locator('input[type=file]').setInputFiles([file('sales.csv')])
  await done(page).waitFor()
  await page.evaluate(() => {
    location.hash = '#t=th_2'
  })
  await until('they are not shown', async () => (await chips(page).count()) === 0)
  await page.goBack()
  await done(page).waitFor()
  await expect.poll(async () => chips(page).allInnerTexts()).toEqual([expect.stringContaining('sales.csv')])
  expect(times.get('POST /v1/threads')).toBe(1)
})
