// A scripted server whose thread accepts files and already has some: uploads, presented files, and files with active
// content.

import type { Page } from 'playwright-core'

import type { EventBody } from '../../src/agent/events.ts'
import { hrefOf } from '../../src/files/path.ts'
import { frame, ENDED } from '../unit/page/frames.ts'
import { THREAD, stream, type Answer, type Answers } from './open.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const RUNS = 'window.pwned=1;parent.pwned=1;top.pwned=1;document.title="pwned"'
export const HTML = `<!doctype html><script>${RUNS}</script><img src=x onerror="${RUNS}"><h1>Report</h1>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" onload='${RUNS}'>
<script>${RUNS}</script><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/"/>
</foreignObject><image href="/v1/seen-from-svg" width="9" height="9"/><rect width="80" height="40" fill="#480"/></svg>`
const SCALABLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><rect width="300" height="100" fill="#480"/></svg>'
/** A picture whose width opens a comment of a script; it is also a valid page. */
const POLYGLOT = Buffer.concat([
  Buffer.from('GIF89a/*', 'latin1'),
  Buffer.from('0100800000ffffff0000002c00000000010001000002024401003b', 'hex'),
  Buffer.from(`*/=1;${RUNS}//<script>${RUNS}</script>`),
])

export const OUTPUTS: Record<string, { readonly body: Buffer; readonly type: string }> = {
  'chart.png': { body: PIXEL, type: 'image/png' },
  'drawing.svg': { body: Buffer.from(SVG), type: 'image/svg+xml' },
  'scalable.svg': { body: Buffer.from(SCALABLE), type: 'image/svg+xml' },
  'both.gif': { body: POLYGLOT, type: 'text/html' },
  'no-picture.jpg': { body: Buffer.from(HTML), type: 'text/html' },
  'report.html': { body: Buffer.from(HTML), type: 'text/html' },
}

/** The responses of the thread's files, with the names that were sent. */
export function outputs(): Answers {
  const entries = Object.entries(OUTPUTS).map(([name, { body, type }]) => {
    const answer: Answer = async () => ({ body, headers: { 'content-type': type } })
    return [`GET ${THREAD}/files/outputs/${name}`, answer] as const
  })
  return Object.fromEntries(entries)
}

export function info(path: string, at = '2026-01-02T03:04:05.000Z', bytes = 1_500) {
  const href = hrefOf('th_1', path)
  const origin = path.startsWith('uploads') ? 'upload' : 'tool'
  return { path, bytes, sha256: 'ab', media_type: 'x/y', origin, created_at: at, updated_at: at, href }
}

export const made: Answer = async () => ({ status: 201, json: { thread_id: 'th_1' } })

/** Stores uploads under these names, one after another. */
export function keeps(...names: readonly string[]): Answer {
  return async (_, before) => ({ status: 201, json: { data: [info(`uploads/${names[before] ?? 'more'}`)] } })
}

export function answers(...bodies: readonly EventBody[]): Answer {
  return async () => stream([...bodies, ENDED].map((body, at) => frame(at + 1, body)))
}

export function presented(name: string): EventBody {
  const path = `/mnt/user-data/outputs/${name}`
  const href = hrefOf('th_1', `outputs/${name}`)
  return { type: 'artifact.presented', path, title: name, media_type: OUTPUTS[name]?.type ?? '', href }
}

export const file = (name: string, text = 'a,b\n1,2\n') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

export async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  // While a listener exists, the browser keeps intercepting the dialog.
  page.on('filechooser', () => undefined)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles(names.map((name) => file(name)))
}

/** The chips of the next message. */
export const chips = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')

/** The names of the files that went with messages. */
export async function sentNames(page: Page): Promise<readonly string[]> {
  return page.getByRole('list', { name: 'Files of the message' }).locator('.file-name').allInnerTexts()
}

export async function isUnharmed(page: Page): Promise<boolean> {
  return !(await page.evaluate(() => 'pwned' in window || document.title === 'pwned'))
}
