// What every test of the page starts from: the shared server, one browser for each file, visitors, scripted responses,
// and locators for common parts of the page. After each test it checks that no visitor's page reported an error, and
// closes the visitors.

import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

import type { Event, EventBody } from '../../src/agent/events.ts'
import { JOB_TIMEOUT_MS } from '../../src/page/markdown/limits.ts'
import { BUILTINS } from '../../src/tools/builtins.ts'
import { ADMIN_KEY, UNTIL_MS } from '../e2e/satchel.ts'
import { sharedSatchel } from '../e2e/shared.ts'
import { frame, RUN } from '../unit/page/frames.ts'
import { startBrowser } from './browser.ts'

export const satchel = sharedSatchel()
export const THREAD = '/v1/threads/th_1'
export const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const

let browser: Browser
/** Errors of scripts and of the content security policy. A test that expects one removes it. */
export const complaints: string[] = []

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => browser?.close())
afterEach(async () => {
  await Promise.all(browser.contexts().map(async (context) => context.close()))
  expect(complaints.splice(0), 'complaints of visitors').toEqual([])
})

/** A new visitor: no key, no storage. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  context.setDefaultTimeout(UNTIL_MS)
  await lengthenTimers(context, JOB_TIMEOUT_MS)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    // Error statuses are set by the tests.
    const network = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !network) complaints.push(message.text())
  })
  return context
}

/** Makes timers of this duration in ms four times as long: what is ample for people can pass on a busy machine. */
export async function lengthenTimers(where: Pick<Page, 'addInitScript'>, limitMs: number): Promise<void> {
  await where.addInitScript((limit) => {
    const real = window.setTimeout.bind(window)
    const lengthened = (run: () => void, ms = 0): number => real(run, ms === limit ? 4 * ms : ms)
    window.setTimeout = lengthened as typeof setTimeout
  }, limitMs)
}

export async function visit(url = satchel.url, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await newContext(options)).newPage()
  await page.goto(url)
  return page
}

/** The URL that contains the admin's key. */
export function withKey(fragment = '', url = satchel.url): string {
  return `${url}/#key=${encodeURIComponent(ADMIN_KEY)}${fragment}`
}

/** The admin, in a new thread. */
export async function signedIn(options: BrowserContextOptions = {}, url = satchel.url): Promise<Page> {
  const page = await visit(withKey('', url), options)
  await box(page).waitFor()
  return page
}

/** As the admin, by hand. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor()
}

export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
export const log = (page: Page) => page.getByRole('region', { name: 'Conversation' })
export const statusLine = (page: Page) => page.locator('#status')
/** The chip of the receipt under the newest answer. */
export const receipt = (page: Page) => log(page).locator('.receipt').last()
/** Opens the folded work of every answer. */
export async function openWork(page: Page): Promise<void> {
  await log(page).locator('.work').first().waitFor()
  const closed = log(page).locator('.work:not([open]) > summary')
  while ((await closed.count()) > 0) await closed.first().click()
  for (const steps of await log(page).locator('.work-steps').all()) await steps.waitFor()
}
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export async function ask(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}

type Answered = Parameters<Route['fulfill']>[0]
export type Answer = (request: Request, times: number) => Promise<Answered>
/** By method and path. */
export type Answers = Record<string, Answer>

export const never = async (): Promise<never> => new Promise(() => undefined)
export const list = (...data: readonly unknown[]) => ({ json: { data, next_cursor: null } })
export const lists =
  (...data: readonly unknown[]): Answer =>
  async () =>
    list(...data)
export const refusal = (status: number, code: string, detail: string) => ({
  status,
  json: { status, code, detail, request_id: 'req_1' },
})

/** The events as sent by the server. */
export function stream(events: readonly Event[]): Exclude<Answered, undefined> {
  const frames = events.map(
    (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  )
  const runId = events[0]?.run_id ?? RUN
  const headers = { 'x-thread-id': 'th_1', 'x-run-id': runId, 'content-type': 'text/event-stream' }
  return { headers, body: `retry: 2000\n\n${frames.join('')}` }
}

/** The first frames of a run. */
export const runOf = (...bodies: readonly EventBody[]) =>
  stream(bodies.map((body, at) => frame(at + 1, body)))

export interface Scripted {
  readonly page: Page
  /** How often each was requested. */
  readonly times: ReadonlyMap<string, number>
}

/** A visitor whose requests are answered by a script, by default with an empty list. */
export async function scripted(
  fragment: string,
  answers: Answers,
  options: BrowserContextOptions = {},
  prepare?: (page: Page) => Promise<void>,
): Promise<Scripted> {
  const page = await visit('about:blank', options)
  await prepare?.(page)
  const times = new Map<string, number>()
  await page.route(/^[^?#]*\/(?:v1|admin)\//, async (route) => {
    const request = route.request()
    const name = `${request.method()} ${new URL(request.url()).pathname}`
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    const answer = answers[name]
    await route.fulfill(answer ? await answer(request, before) : { json: emptyAt(name) })
  })
  await page.goto(`${satchel.url}/#key=any-key-will-do${fragment}`)
  await page.getByRole('main').waitFor()
  // A reload finds the key only after the server has accepted it.
  await page.waitForFunction(() => sessionStorage.getItem('satchel.key') !== null)
  return { page, times }
}

function emptyAt(name: string): unknown {
  const id = /^GET \/v1\/threads\/([^/]+)$/.exec(name)?.[1]
  const tools = name === 'GET /v1/tools' ? BUILTINS : []
  const data = tools.map(({ spec, label }) => ({ name: spec.name, label }))
  if (name === 'GET /v1/me') return { workspace: 'default', role: 'admin', user: null, caps: [] }
  if (id === undefined) return { data, next_cursor: null }
  const charged = { tokens: 0, usd: 0, estimated: false }
  return { id, root: id, title: '', status: 'idle', model: 'demo', charged, context_tokens: 0, branches: [] }
}
