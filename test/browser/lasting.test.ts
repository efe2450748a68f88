// Promise: whatever happens to the server, the network or the tabs during an answer, all tabs and the server end with
// the same transcript. Nothing is repeated, no draft is lost, and a queued message is sent once. A real server with a
// slow model.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { end } from '../../scripts/lib/processes.ts'
import type { Message } from '../../src/agent/message.ts'
import type { Page as Listed } from '../../src/thread/api.ts'
import { livingWorkerd, startSatchel, until, type Satchel } from '../e2e/satchel.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { defaultScript } from '../fakes/messages-default.ts'
import { ask, box, log, newContext, withKey } from './open.ts'

const WORD_COUNT = 60
/** The model's complete answer. */
const WHOLE = Array.from({ length: WORD_COUNT }, (_, at) => `word${at}`).join(' ')
const QUESTION = 'What happened this morning?'

let model: MessagesApi
let satchel: Satchel
let held: Promise<void> | null = null

/** From now on, answers stop in the middle, until the returned function is called. */
function holdAnswers(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  return () => {
    held = null
    resolve()
  }
}

beforeAll(async () => {
  const script = defaultScript({ firstTokenMs: 50, deltaMs: 80, words: WORD_COUNT, hold: () => held })
  model = await startMessagesApi(script)
  satchel = await startSatchel({ env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url } })
})
afterAll(async () => {
  await satchel?.stop()
  await model?.close()
})

const answered = (page: Page, nth = 0) => log(page).getByRole('button', { name: 'Good answer' }).nth(nth)
const threadOf = (page: Page): string => new URL(page.url()).hash.replace('#t=', '')

async function tab(context: BrowserContext, thread = ''): Promise<Page> {
  await satchel.ready()
  const page = await context.newPage()
  const fragment = thread === '' ? '' : `&t=${thread}`
  await page.goto(withKey(fragment, satchel.url))
  await box(page).waitFor()
  return page
}

/** Asks, and waits until the answer is being streamed. */
async function inMidAnswer(context: BrowserContext): Promise<Page> {
  const page = await tab(context)
  await ask(page, QUESTION)
  await log(page).getByText('word3').waitFor()
  return page
}

/** What a person reads: questions and answers, without the durations of steps. */
async function shown(page: Page): Promise<readonly string[]> {
  const texts = await log(page).locator('.prose, .receipt').allInnerTexts()
  return texts.map((text) => text.trim())
}

async function stored(thread: string): Promise<readonly Message[]> {
  const answer = await satchel.client.json<Listed<Message>>('GET', `/v1/threads/${thread}/messages?limit=100`)
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.value.body.data
}

const texts = (messages: readonly Message[], role: Message['role']): readonly string[] =>
  messages
    .filter((message) => message.role === role)
    .flatMap(({ content }) =>
      content.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : [])),
    )

async function kill(): Promise<void> {
  expect(end(await livingWorkerd(satchel))).toBe(true)
}

it('workerd is killed, a page reloaded and a second tab opened during an answer: one transcript', async () => {
  const context = await newContext()
  const release = holdAnswers()
  const second = await tab(context)
  const first = await inMidAnswer(context)
  const thread = threadOf(first)
  await second.evaluate((id) => (location.hash = `t=${id}`), thread)
  await log(second).getByText('word3').waitFor()
  await kill()
  release()
  await satchel.ready()
  await first.reload()
  const third = await tab(context, thread)
  const tabs = [first, second, third]
  for (const page of tabs) await answered(page).waitFor()
  const messages = await stored(thread)
  expect(texts(messages, 'user')).toEqual([QUESTION])
  expect(texts(messages, 'assistant').at(-1)).toBe(WHOLE)
  const seen = await Promise.all(tabs.map(shown))
  expect(seen[0]?.filter((text) => text === QUESTION)).toHaveLength(1)
  expect(seen[0]?.filter((text) => text.includes('word0'))).toEqual([WHOLE])
  for (const one of seen) expect(one).toEqual(seen[0])
  await first.reload()
  await answered(first).waitFor()
  await expect.poll(async () => shown(first)).toEqual(seen[0])
})

it('a message queued offline is sent once when the network is back, and the draft is kept', async () => {
  const context = await newContext()
  const release = holdAnswers()
  const page = await inMidAnswer(context)
  const thread = threadOf(page)
  await context.setOffline(true)
  await page.getByText('You’re offline.').waitFor()
  await ask(page, 'And then?')
  await page.getByRole('group', { name: 'Queued' }).waitFor()
  await box(page).fill('Half a thought')
  release()
  // The answer ends without any reader.
  await until('the answer is stored', async () => texts(await stored(thread), 'assistant').includes(WHOLE))
  await context.setOffline(false)
  await answered(page, 1).waitFor()
  await expect.poll(async () => box(page).inputValue()).toBe('Half a thought')
  const messages = await stored(thread)
  expect(texts(messages, 'user')).toEqual([QUESTION, 'And then?'])
  const seen = await shown(page)
  expect(seen.filter((text) => text === WHOLE)).toHaveLength(2)
  const elsewhere = await newContext()
  const other = await tab(elsewhere, thread)
  await answered(other, 1).waitFor()
  await expect.poll(async () => shown(other)).toEqual(seen)
  await page.reload()
  await answered(page, 1).waitFor()
  await expect.poll(async () => shown(page)).toEqual(seen)
  await expect.poll(async () => box(page).inputValue()).toBe('Half a thought')
})

it('a message sent while the server is down is asked once and never lost', async () => {
  const context = await newContext()
  const page = await tab(context)
  await box(page).fill(QUESTION)
  await kill()
  await box(page).press('Enter')
  // It appears within seconds, without user input.
  await answered(page).waitFor()
  const thread = threadOf(page)
  await expect.poll(async () => texts(await stored(thread), 'user')).toEqual([QUESTION])
  await expect.poll(async () => (await shown(page)).filter((text) => text === WHOLE)).toHaveLength(1)
})
