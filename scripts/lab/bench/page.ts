// The page in a real browser: bytes of its first load, when it accepts keys, and the longest delay of a key during
// an answer of 200 KB, in a thread of 500 messages and beside long lists. The browser measures.

import { gzipSync } from 'node:zlib'

import sparticuz from '@sparticuz/chromium'
import { chromium, type Browser, type Page } from 'playwright-core'

import { longLibrary, longThreadList, type PagedAnswer } from './page-lists.ts'
import { streamPieces, watchPage } from './page-in-browser.ts'
import { longStream, longThread, STREAM_HEADERS } from './page-texts.ts'
import { ms, plain, under, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { withSatchel } from '../rig/worker.ts'

const ROUNDS = 5
const MESSAGES = 500
const SKILLS = 5_000
const THREADS = 3_000
const BRANCHES_PER_THREAD = 3
/** Number of entries per page of a list, and of rows that "Show older" adds. */
const PAGE_ENTRIES = 100
const OLDER_PRESSES = 29
/** Size without the font, which does not block rendering. */
const FIRST_LOAD_KB = 100
const FIRST_ANSWER_KB = 170
const READY_MS = 1_000
const KEY_MS = 50
const KEY_PAUSE_MS = 90
/** The value used for events below 16 ms, which the browser does not report. */
const SHORTEST_MS = 16

/** The response for the thread itself, which the page does not need. */
const NOT_FOUND = { status: 404, code: 'not_found', detail: 'Not here.' }

interface Load {
  readonly bytes: Readonly<Record<'first' | 'answer' | 'colours' | 'font', number>>
  readonly readyMs: readonly number[]
  readonly paintMs: readonly number[]
}

interface Typing {
  readonly keyMs: number
  readonly longTaskMs: number
  readonly frames: number
}

interface LongList extends Typing {
  readonly openMs: number
  /** Number of requests that read the list. */
  readonly requests: number
}

async function open(browser: Browser, answers: Readonly<Record<string, unknown>> = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.addInitScript(watchPage)
  await page.route(/^[^?#]*\/(?:v1|admin)\//, async (route) => {
    const address = new URL(route.request().url())
    const { pathname } = address
    const answer = answers[pathname]
    if (isPaged(answer)) return route.fulfill({ json: answer(address) })
    if (/^\/v1\/threads\/[^/]+$/.test(pathname)) return route.fulfill({ status: 404, json: NOT_FOUND })
    await route.fulfill({ json: answer ?? { data: [], next_cursor: null } })
  })
  return page
}

function isPaged(answer: unknown): answer is PagedAnswer {
  return typeof answer === 'function'
}

const messageBox = (page: Page) => page.getByLabel('Message', { exact: true })

async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const bytes = { first: 0, answer: 0, colours: 0, font: 0 }
  const readyMs: number[] = []
  const paintMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open(browser)
    let phase: 'first' | 'answer' = 'first'
    const seen: Promise<void>[] = []
    page.on('response', (response) => {
      const address = new URL(response.url())
      if (round > 0 || address.pathname.startsWith('/v1/')) return
      const isFont = address.pathname.endsWith('.woff2')
      const of = isFont ? 'font' : address.pathname.includes('worker') ? 'colours' : phase
      seen.push(response.body().then((body) => void (bytes[of] += gzipSync(body, { level: 9 }).length)))
    })
    await page.goto(`${url}/#key=any-key-will-do`)
    await messageBox(page).waitFor()
    await page.waitForLoadState('networkidle')
    const observations = await page.evaluate(() => window.satchelObservations)
    readyMs.push(observations.readyMs ?? Number.NaN)
    paintMs.push(observations.paintMs)
    phase = 'answer'
    const pieces = longStream().slice(0, 12)
    await page.evaluate(streamPieces, { pieces, headers: STREAM_HEADERS })
    await send(page)
    await page.locator('.hl-keyword').first().waitFor()
    await Promise.all(seen)
    await page.context().close()
  }
  return { bytes, readyMs, paintMs }
}

async function send(page: Page): Promise<void> {
  await messageBox(page).fill('Tell me all of it.')
  await messageBox(page).press('Enter')
}

/** Types until `isOver`, and returns how long the slowest key took. */
async function measureTyping(
  page: Page,
  isOver: () => Promise<boolean>,
  field = messageBox(page),
): Promise<Typing> {
  await field.focus()
  await page.evaluate(() => {
    window.satchelObservations.keys.length = 0
    window.satchelObservations.longTasks.length = 0
  })
  let presses = 0
  while (!(await isOver())) {
    await page.keyboard.press('abcdefgh '.charAt((presses += 1) % 9))
    await page.waitForTimeout(KEY_PAUSE_MS)
  }
  const { keys, longTasks } = await page.evaluate(() => window.satchelObservations)
  return { keyMs: Math.max(SHORTEST_MS, ...keys), longTaskMs: Math.max(0, ...longTasks), frames: presses }
}

async function measureStream(browser: Browser, url: string, follow: boolean): Promise<Typing> {
  const page = await open(browser)
  await page.goto(`${url}/#key=any-key-will-do`)
  await messageBox(page).waitFor()
  await page.evaluate(streamPieces, { pieces: longStream(), headers: STREAM_HEADERS })
  await send(page)
  if (follow) await page.getByRole('button', { name: 'Jump to the end' }).click()
  const typing = await measureTyping(page, async () =>
    page.evaluate(() => window.satchelObservations.piecesLeft === 0),
  )
  await page.context().close()
  return typing
}

async function measureThread(browser: Browser, url: string): Promise<Typing & { readonly openMs: number }> {
  const page = await open(browser, longThread(MESSAGES))
  await page.goto(`${url}/#key=any-key-will-do&t=th_1`)
  await page.getByText(`Question ${MESSAGES / 2}`, { exact: true }).waitFor()
  const openMs = await page.evaluate(
    async () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))),
      ),
  )
  const { longTasks } = await page.evaluate(() => window.satchelObservations)
  let keys = 0
  const typing = await measureTyping(page, async () => (keys += 1) > 30)
  await page.context().close()
  return { ...typing, openMs, longTaskMs: Math.max(typing.longTaskMs, ...longTasks) }
}

/** Opens the library, waits for all its skills, and types into the filter. */
async function measureLibrary(browser: Browser, url: string): Promise<LongList> {
  const page = await open(browser, longLibrary(SKILLS))
  let requests = 0
  page.on('request', (request) => void (requests += new URL(request.url()).pathname === '/v1/skills' ? 1 : 0))
  await page.goto(`${url}/#key=any-key-will-do`)
  await messageBox(page).waitFor()
  const startedAt = performance.now()
  await page.getByRole('link', { name: 'Skills', exact: true }).click()
  await page.getByText(`${SKILLS.toLocaleString('en-US')} skills`).waitFor()
  const openMs = performance.now() - startedAt
  let keys = 0
  const filter = page.getByLabel('Filter skills')
  const typing = await measureTyping(page, async () => (keys += 1) > 30, filter)
  await page.context().close()
  return { ...typing, openMs, requests }
}

/** Shows all threads of a long list, page by page, and types a message beside it. */
async function measureThreads(browser: Browser, url: string): Promise<LongList> {
  const page = await open(browser, longThreadList(THREADS, BRANCHES_PER_THREAD))
  let requests = 0
  page.on(
    'request',
    (request) => void (requests += new URL(request.url()).pathname === '/v1/threads' ? 1 : 0),
  )
  await page.goto(`${url}/#key=any-key-will-do`)
  await page.getByText('What was said about subject 0', { exact: true }).waitFor()
  const openMs = await page.evaluate(() => performance.now())
  for (let press = 1; press <= OLDER_PRESSES; press++) {
    await page.getByRole('button', { name: 'Show older' }).click()
    const last = (press + 1) * PAGE_ENTRIES - 1
    await page.getByText(`What was said about subject ${last}`, { exact: true }).waitFor()
  }
  let keys = 0
  const typing = await measureTyping(page, async () => (keys += 1) > 30)
  await page.context().close()
  return { ...typing, openMs, requests }
}

const worst = (values: readonly number[]): number => Math.max(...values)

/** Takes half a minute. */
export async function measurePage(tell: ReportProgress): Promise<PartResult> {
  return withSatchel(async ({ url }) => {
    const browser = await chromium.launch({
      executablePath: await sparticuz.executablePath(),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    })
    try {
      tell('page: first load')
      const load = await measureLoad(browser, url)
      tell('page: an answer of 200 KB while somebody types')
      const read = await measureStream(browser, url, false)
      const followed = await measureStream(browser, url, true)
      tell(`page: a thread of ${MESSAGES} messages`)
      const thread = await measureThread(browser, url)
      tell(`page: ${SKILLS} skills`)
      const library = await measureLibrary(browser, url)
      tell(`page: ${THREADS} threads`)
      const threads = await measureThreads(browser, url)
      const figures = { load, read, followed, thread, library, threads }
      return { figures, lines: linesOf(figures) }
    } finally {
      await browser.close()
    }
  })
}

interface PageFigures {
  readonly load: Load
  readonly read: Typing
  readonly followed: Typing
  readonly thread: Typing & { readonly openMs: number }
  readonly library: LongList
  readonly threads: LongList
}

function linesOf({ load, read, followed, thread, library, threads }: PageFigures): readonly FigureLine[] {
  const { first, answer, colours, font } = load.bytes
  const firstLoadAndAnswer = first + answer
  const [ready, paint] = [worst(load.readyMs), worst(load.paintMs)]
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB gzip`
  const size = (what: string, bytes: number, limit: number): FigureLine =>
    under(what, kb(bytes), bytes / 1_000, limit, 'KB')
  const keys = (what: string, { keyMs }: Typing): FigureLine =>
    under(`page, slowest keystroke, ${what}`, ms(keyMs, 0), keyMs, KEY_MS, 'ms')
  return [
    size('page, first load, without the font', first, FIRST_LOAD_KB),
    plain('page, font', kb(font)),
    size('page, first load and first answer, without the font', firstLoadAndAnswer, FIRST_ANSWER_KB),
    plain('page, syntax highlighting, loaded later', kb(colours)),
    under(`page accepts input, worst of ${ROUNDS}`, ms(ready, 0), ready, READY_MS, 'ms'),
    plain(`page, largest contentful paint, worst of ${ROUNDS}`, ms(paint, 0)),
    keys('answer of 200 KB, reader at its beginning', read),
    keys('answer of 200 KB, reader at its end', followed),
    plain('page, longest task during both answers', ms(Math.max(read.longTaskMs, followed.longTaskMs), 0)),
    plain(`page, thread of ${MESSAGES} messages opened`, ms(thread.openMs, 0)),
    plain(`page, longest task in a thread of ${MESSAGES} messages`, ms(thread.longTaskMs, 0)),
    keys(`thread of ${MESSAGES} messages`, thread),
    plain(`page, library of ${SKILLS} skills opened`, ms(library.openMs, 0)),
    keys(`filter of ${SKILLS} skills`, library),
    plain(
      `page, list with ${THREADS} threads and ${THREADS * BRANCHES_PER_THREAD} branches opened`,
      ms(threads.openMs, 0),
    ),
    under(
      `page, list requests for each page of ${PAGE_ENTRIES} threads`,
      (threads.requests / (OLDER_PRESSES + 1)).toFixed(1),
      threads.requests / (OLDER_PRESSES + 1),
      1,
      '',
    ),
    keys(`list of ${THREADS} threads`, threads),
  ]
}
