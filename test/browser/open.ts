// A real browser from npm, pages in it that tell every complaint of the console, and what every visitor does.

import sparticuz from '@sparticuz/chromium'
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
  type Request,
  type Route,
} from 'playwright-core'

import type { Event } from '../../src/agent/events.ts'
import { ADMIN_KEY } from '../e2e/satchel.ts'
import { RUN } from '../unit/page/frames.ts'

/** Quiet and offline: the browser talks to the server under test and to nobody else. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args: FLAGS })
}

export interface Opened {
  readonly page: Page
  /** Errors of scripts and of the content security policy. Answers with an error status are not among them. */
  readonly complaints: readonly string[]
}

/** A fresh visitor: no key, no memory. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const network = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !network) complaints.push(message.text())
  })
  await page.goto(url)
  return { page, complaints }
}

/** As the admin. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.getByLabel('Message', { exact: true }).press('Enter')
}

export type Answer = (request: Request, times: number) => Promise<Parameters<Route['fulfill']>[0]>

/** A visitor whose requests are answered by method and path; a list with nothing in it for the rest. */
export async function scripted(
  browser: Browser,
  url: string,
  fragment: string,
  answers: Record<string, Answer>,
  options: BrowserContextOptions = {},
): Promise<Opened & { readonly times: ReadonlyMap<string, number> }> {
  const opened = await visit(browser, 'about:blank', options)
  const times = new Map<string, number>()
  await opened.page.route(/^[^?#]*\/(?:v1|admin)\//, async (route) => {
    const request = route.request()
    const name = `${request.method()} ${new URL(request.url()).pathname}`
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    const answer = answers[name]
    await route.fulfill(answer ? await answer(request, before) : { json: emptyAt(name) })
  })
  await opened.page.goto(`${url}/#key=any-key-will-do${fragment}`)
  await opened.page.getByRole('main').waitFor()
  return { ...opened, times }
}

function emptyAt(name: string): unknown {
  const id = /^GET \/v1\/threads\/([^/]+)$/.exec(name)?.[1]
  if (id === undefined) return { data: [], next_cursor: null }
  const charged = { tokens: 0, usd: 0, estimated: false }
  return { id, title: '', status: 'idle', model: 'demo', charged, context_tokens: 0, branches: [] }
}

/** The events as the server sends them. */
export function stream(events: readonly Event[]): Parameters<Route['fulfill']>[0] {
  const frames = events.map(
    (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  )
  const headers = { 'x-thread-id': 'th_1', 'x-run-id': RUN, 'content-type': 'text/event-stream' }
  return { headers, body: `retry: 2000\n\n${frames.join('')}` }
}
