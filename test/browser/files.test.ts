// Files on the page: attached ones reach the thread before the message, presented ones are pictures or downloads, and
// nothing in a file ever runs or takes the page away. A real browser, answers from a script.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { EventBody } from '../../src/agent/events.ts'
import { hrefOf } from '../../src/files/path.ts'
import { sharedSatchel } from '../e2e/shared.ts'
import { until } from '../e2e/satchel.ts'
import { frame, message, RECEIPT } from '../unit/web/frames.ts'
import { ask, scripted, startBrowser, stream, type Answer } from './open.ts'

const satchel = sharedSatchel()
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())

const THREAD = '/v1/threads/th_1'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const RUNS = 'window.pwned=1;parent.pwned=1;top.pwned=1;document.title="pwned"'
const HTML = `<!doctype html><script>${RUNS}</script><img src=x onerror="${RUNS}"><h1>Report</h1>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" onload='${RUNS}'>
<script>${RUNS}</script><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/"/>
</foreignObject><image href="/v1/seen-from-svg" width="9" height="9"/><rect width="80" height="40" fill="#480"/></svg>`
/** A picture whose width opens the comment of a script; it is a page, too. */
const POLYGLOT = Buffer.concat([
  Buffer.from('GIF89a/*', 'latin1'),
  Buffer.from('0100800000ffffff0000002c00000000010001000002024401003b', 'hex'),
  Buffer.from(`*/=1;${RUNS}//<script>${RUNS}</script>`),
])

const OUTPUTS: Record<string, { readonly body: Buffer; readonly type: string }> = {
  'chart.png': { body: PIXEL, type: 'image/png' },
  'drawing.svg': { body: Buffer.from(SVG), type: 'image/svg+xml' },
  'both.gif': { body: POLYGLOT, type: 'text/html' },
  'no-picture.jpg': { body: Buffer.from(HTML), type: 'text/html' },
  'report.html': { body: Buffer.from(HTML), type: 'text/html' },
}

/** What the thread's files answer, with the names that were sent. */
function outputs(): Record<string, Answer> {
  const entries = Object.entries(OUTPUTS).map(([name, { body, type }]) => {
    const answer: Answer = async () => ({ body, headers: { 'content-type': type } })
    return [`GET ${THREAD}/files/outputs/${name}`, answer] as const
  })
  return Object.fromEntries(entries)
}

function info(path: string, at = '2026-01-02T03:04:05.000Z') {
  const href = hrefOf('th_1', path)
  const origin = path.startsWith('uploads') ? 'upload' : 'tool'
  return { path, bytes: 1_500, sha256: 'ab', media_type: 'x/y', origin, created_at: at, updated_at: at, href }
}

const made: Answer = async () => ({ status: 201, json: { thread_id: 'th_1' } })

/** Keeps what it is sent under these names, one after another. */
function keeps(...names: readonly string[]): Answer {
  return async (_, before) => ({ status: 201, json: { data: [info(`uploads/${names[before] ?? 'more'}`)] } })
}

const ended: EventBody = { type: 'run.completed', stop_reason: 'answered', receipt: RECEIPT }

function answers(...bodies: readonly EventBody[]): Answer {
  return async () => stream([...bodies, ended].map((body, at) => frame(at + 1, body)))
}

function presented(name: string): EventBody {
  const path = `/mnt/user-data/outputs/${name}`
  const href = hrefOf('th_1', `outputs/${name}`)
  return { type: 'artifact.presented', path, title: name, media_type: OUTPUTS[name]?.type ?? '', href }
}

const file = (name: string, text = 'a,b\n1,2\n') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles(names.map((name) => file(name)))
}

/** A drag from the desktop, which the browser itself handles where the page does not. */
async function dropAt(page: Page, selector: string, paths: readonly string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not on the page`)
  const devtools = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 60) }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', {
      type,
      ...at,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    })
}

const chips = (page: Page) => page.locator('#attached .chip')
const isUnharmed = async (page: Page): Promise<boolean> =>
  !(await page.evaluate(() => 'pwned' in window || document.title === 'pwned'))

describe('attached files', () => {
  it('go to a thread of their own before the message of a new conversation', async () => {
    const sent: unknown[] = []
    const { page, complaints, times } = await scripted(browser, satchel.url, '', {
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
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.getElementById('message')?.dispatchEvent(paste)
    })
    await ask(page, 'Sum them up')
    await page.locator('.receipt').waitFor()
    expect(sent).toEqual([{ message: 'Sum them up', stream: true, thread_id: 'th_1' }])
    expect(times.get('POST /v1/threads')).toBe(1)
    expect(await page.locator('.turn .chip .name').allInnerTexts()).toEqual([
      'sales.csv',
      'notes.csv',
      'image.png',
    ])
    expect(await page.locator('.turn .chip').first().innerText()).toContain('1.5 KB')
    expect(await chips(page).count()).toBe(0)
    expect(new URL(page.url()).hash).toBe('#t=th_1')
    expect(complaints).toEqual([])
  })

  it('that cannot be uploaded say why, keep the draft, and can be tried again or taken off', async () => {
    const detail = 'The thread keeps 2000 files, as many as it may.'
    const refusal = { status: 413, json: { status: 413, code: 'storage_full', detail } }
    const { page, times } = await scripted(browser, satchel.url, '', {
      'POST /v1/threads': made,
      [`POST ${THREAD}/files`]: async (request, before) => (before < 2 ? refusal : keeps()(request, before)),
      [`DELETE ${THREAD}/files/uploads/more`]: async () => ({ status: 204 }),
      'POST /v1/chat': answers(),
    })
    await choose(page, 'sales.csv', 'notes.csv')
    await page.getByLabel('Message').fill('Sum them up')
    await page.getByLabel('Message').press('Enter')
    await page.locator('#status').getByText('Not sent').waitFor()
    expect(await chips(page).allInnerTexts()).toEqual([
      expect.stringContaining(detail),
      expect.stringContaining(detail),
    ])
    expect(await page.getByLabel('Message').inputValue()).toBe('Sum them up')
    expect(times.get('POST /v1/chat')).toBe(undefined)
    // By keyboard alone.
    await page.getByRole('button', { name: 'Take off notes.csv' }).press('Enter')
    expect(await chips(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Try sales.csv again' }).press('Enter')
    await page.locator('#attached .chip.done').waitFor()
    await choose(page, 'other.csv')
    await page.locator('#attached .chip.done').nth(1).waitFor()
    await page.getByRole('button', { name: 'Take off other.csv' }).click()
    await until('it is deleted', () => times.get(`DELETE ${THREAD}/files/uploads/more`) === 1)
    await page.getByLabel('Message').press('Enter')
    await page.locator('.receipt').waitFor()
    expect(await page.locator('.turn .chip').count()).toBe(1)
  })

  it('stay with the draft when the message is refused', async () => {
    const { page } = await scripted(browser, satchel.url, '', {
      'POST /v1/threads': made,
      [`POST ${THREAD}/files`]: keeps('sales.csv'),
      'POST /v1/chat': async () => ({
        status: 409,
        json: { status: 409, code: 'thread_busy', detail: 'Busy.' },
      }),
    })
    await choose(page, 'sales.csv')
    await ask(page, 'Sum them up')
    await page.locator('#log .problem').waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe('Sum them up')
    expect(await chips(page).allInnerTexts()).toEqual([expect.stringContaining('sales.csv')])
  })

  it('may be dropped anywhere: the page stays, and a folder is refused in words', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-drop-'))
    const path = join(folder, 'dropped.html')
    writeFileSync(path, HTML)
    const { page, complaints } = await scripted(browser, satchel.url, '', {
      'POST /v1/threads': made,
      [`POST ${THREAD}/files`]: keeps('dropped.html', 'dropped (2).html'),
    })
    const address = page.url()
    await page.evaluate(() => (document.body.dataset['seen'] = 'yes'))
    await dropAt(page, '#side', [path])
    await dropAt(page, '#composer', [path, folder])
    await page.locator('#attached .chip').nth(2).waitFor()
    await page.locator('#attached .chip.done').nth(1).waitFor()
    expect(await page.locator('#attached .chip.failed').innerText()).toContain('is a folder')
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.getByRole('heading', { name: 'Enter your key' }).waitFor()
    await page.evaluate(() => (document.body.dataset['seen'] = 'yes'))
    await dropAt(page, '#key-form', [path])
    expect(await page.locator('body[data-seen=yes]').count()).toBe(1)
    expect(page.url()).toBe(new URL('/', address).href)
    expect(page.context().pages().length).toBe(1)
    expect(await isUnharmed(page)).toBe(true)
    expect(complaints).toEqual([])
  })
})

describe('files of an answer', () => {
  it('are pictures in place or downloads with a name, and run nothing whatever is in them', async () => {
    const { page, complaints, times } = await scripted(browser, satchel.url, '', {
      ...outputs(),
      'POST /v1/chat': answers(
        { type: 'file.written', path: '/mnt/user-data/outputs/report.html', bytes: HTML.length },
        ...Object.keys(OUTPUTS).map(presented),
      ),
    })
    await ask(page, 'Draw it')
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    for (const name of ['chart.png', 'drawing.svg', 'both.gif']) {
      const picture = card(name).getByRole('img', { name })
      await picture.scrollIntoViewIfNeeded()
      await until(`${name} is drawn`, async () =>
        picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
      )
      expect(await picture.getAttribute('src')).toMatch(/^blob:/)
    }
    await card('no-picture.jpg').scrollIntoViewIfNeeded()
    await card('no-picture.jpg').getByText('cannot be shown as a picture').waitFor()
    expect(await card('report.html').innerText()).toMatch(/HTML file · \d+ bytes/)
    expect(await card('report.html').locator('img').count()).toBe(0)

    for (const [name, { body }] of Object.entries(OUTPUTS)) {
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: `Download ${name}` }).click()
      const download = await saved
      expect(download.suggestedFilename()).toBe(name)
      expect(download.url()).toMatch(/^blob:/)
      expect(Buffer.compare(await readFile(await download.path()), body)).toBe(0)
    }
    // The bytes of a picture are let go once it is drawn.
    const again = await page
      .locator('.artifact img')
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
    expect(await page.locator('#log').locator('svg, iframe, object, embed, script').count()).toBe(0)
    expect(page.context().pages().length).toBe(1)
    expect(times.get('GET /v1/seen-from-svg')).toBe(undefined)
    expect(await isUnharmed(page)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('that are gone say so, and nothing of the key is in an address', async () => {
    const { page } = await scripted(browser, satchel.url, '', {
      'POST /v1/chat': answers(presented('chart.png')),
      [`GET ${THREAD}/files/outputs/chart.png`]: async (request) => {
        expect(request.url()).not.toContain('any-key')
        return { status: 404, json: { code: 'not_found', detail: 'There is no such file in this thread.' } }
      },
    })
    await ask(page, 'Draw it')
    await page.getByText('The picture could not be loaded. There is no such file').waitFor()
    await page.getByRole('button', { name: 'Download chart.png' }).click()
    await page.getByRole('alert').getByText('It could not be downloaded. There is no such file').waitFor()
  })
})

it('an older conversation shows its files again: attached, presented, and still to be sent', async () => {
  const list = [
    info('outputs/chart.png'),
    info('uploads/late.csv', '2026-01-02T03:05:00.000Z'),
    info('uploads/sales.csv'),
  ]
  const paths = ['/mnt/user-data/outputs/chart.png']
  const { page, complaints, times } = await scripted(browser, satchel.url, '&t=th_1', {
    ...outputs(),
    [`GET ${THREAD}/runs`]: async () => ({ json: { data: [RECEIPT], next_cursor: null } }),
    [`GET ${THREAD}/files`]: async () => ({ json: { data: list, next_cursor: null } }),
    [`GET ${THREAD}/messages`]: async () => {
      const all = [
        message('m_0', 'user', [{ type: 'text', text: 'Draw it' }]),
        message('m_1', 'assistant', [
          {
            type: 'tool_use',
            id: 't_0',
            name: 'write_file',
            input: { path: '/mnt/user-data/workspace/a.py', content: 'x' },
          },
          { type: 'tool_use', id: 't_1', name: 'present_files', input: { paths } },
        ]),
        message('m_2', 'user', [
          { type: 'tool_result', tool_use_id: 't_0', content: 'Written.', is_error: false },
          { type: 'tool_result', tool_use_id: 't_1', content: 'Shown.', is_error: false },
        ]),
      ]
      return { json: { data: all, next_cursor: null } }
    },
    [`DELETE ${THREAD}/files/uploads/late.csv`]: async () => ({ status: 204 }),
  })
  await page.getByRole('img', { name: 'chart.png' }).waitFor()
  expect(await page.locator('.artifact .head').innerText()).toMatch(/chart\.png[\s\S]*PNG picture · 1\.5 KB/)
  expect(await page.locator('.node.file').first().innerText()).toMatch(/File written\s*workspace\/a\.py/)
  expect(await page.locator('.turn .chip .name').allInnerTexts()).toEqual(['sales.csv'])
  expect(await chips(page).locator('.name').allInnerTexts()).toEqual(['late.csv'])
  await page.getByRole('button', { name: 'Take off late.csv' }).click()
  await until('it is taken off', async () => (await chips(page).count()) === 0)
  expect(times.get(`DELETE ${THREAD}/files/uploads/late.csv`)).toBe(1)
  expect(complaints).toEqual([])
})
