// The page in a real browser: bytes of its first load, when it accepts keys, and the longest delay of a key during
// an answer of 200 KB and in a thread of 500 messages. The browser measures.

import { gzipSync } from 'node:zlib'

import sparticuz from '@sparticuz/chromium'
import { chromium, type Browser, type Page } from 'playwright-core'

import { streamPieces, watchPage } from './page-in-browser.ts'
import { longStream, longThread, STREAM_HEADERS } from './page-texts.ts'
import { ms, plain, under, type FigureLine, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { withSatchel } from '../rig/worker.ts'

const ROUNDS = 5
const MESSAGES = 500
const FIRST_LOAD_KB = 120
const READY_MS = 1_000
const KEY_MS = 50
const KEY_PAUSE_MS = 90
/** The figure for events below 16 ms, which the browser does not report. */
const SHORTEST_MS = 16

/** For the thread itself: the page works without it. */
const NOT_FOUND = { status: 404, code: 'not_found', detail: 'Not here.' }

interface Load {
  readonly bytes: Readonly<Record<'first' | 'answer' | 'colours', number>>
  readonly readyMs: readonly number[]
  readonly paintMs: readonly number[]
}

interface Typing {
  readonly keyMs: number
  readonly longTaskMs: number
  readonly frames: number
}

async function open(browser: Browser, answers: Readonly<Record<string, unknown>> = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.addInitScript(watchPage)
  await page.route(/^[^?#]*\/(?:v1|admin)\//, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (/^\/v1\/threads\/[^/]+$/.test(pathname)) return route.fulfill({ status: 404, json: NOT_FOUND })
    await route.fulfill({ json: answers[pathname] ?? { data: [], next_cursor: null } })
  })
  return page
}

const messageBox = (page: Page) => page.getByLabel('Message', { exact: true })

async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const bytes = { first: 0, answer: 0, colours: 0 }
  const readyMs: number[] = []
  const paintMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open(browser)
    let phase: 'first' | 'answer' = 'first'
    const seen: Promise<void>[] = []
    page.on('response', (response) => {
      const address = new URL(response.url())
      if (round > 0 || address.pathname.startsWith('/v1/')) return
      const of = address.pathname.includes('worker') ? 'colours' : phase
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
async function measureTyping(page: Page, isOver: () => Promise<boolean>): Promise<Typing> {
  await messageBox(page).focus()
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
  let keys = 0
  const typing = await measureTyping(page, async () => (keys += 1) > 30)
  await page.context().close()
  return { ...typing, openMs }
}

const worst = (values: readonly number[]): number => Math.max(...values)

/** Half a minute. */
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
      const figures = { load, read, followed, thread }
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
}

function linesOf({ load, read, followed, thread }: PageFigures): readonly FigureLine[] {
  const { first, answer, colours } = load.bytes
  const firstLoadAndAnswer = first + answer
  const [ready, paint] = [worst(load.readyMs), worst(load.paintMs)]
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB gzip`
  const size = (what: string, bytes: number): FigureLine =>
    under(what, kb(bytes), bytes / 1_000, FIRST_LOAD_KB, 'KB')
  const keys = (what: string, { keyMs }: Typing): FigureLine =>
    under(`page, slowest keystroke, ${what}`, ms(keyMs, 0), keyMs, KEY_MS, 'ms')
  return [
    size('page, first load', first),
    size('page, first load and first answer', firstLoadAndAnswer),
    plain('page, syntax highlighting, loaded later', kb(colours)),
    under(`page accepts input, worst of ${ROUNDS}`, ms(ready, 0), ready, READY_MS, 'ms'),
    plain(`page, largest contentful paint, worst of ${ROUNDS}`, ms(paint, 0)),
    keys('answer of 200 KB, reader at its beginning', read),
    keys('answer of 200 KB, reader at its end', followed),
    plain('page, longest task during both answers', ms(Math.max(read.longTaskMs, followed.longTaskMs), 0)),
    plain(`page, thread of ${MESSAGES} messages opened`, ms(thread.openMs, 0)),
    keys(`thread of ${MESSAGES} messages`, thread),
  ]
}
