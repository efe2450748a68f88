// Promise: an accepted run continues soon: after workerd is killed, unfinished runs resume within seconds of its first
// answer, without a request and long before their alarms, however recently they were accepted.

import { afterAll, beforeAll, expect, test } from 'vitest'

import { end } from '../../scripts/lib/processes.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { livingWorkerd, startSatchel, until, type Satchel } from './satchel.ts'

const RUNS = 3
/** The promised time of a local server, fifty times the usual time. Alarms resume runs only after 30 s. */
const SOON_MS = 25_000
const TALK = 'Talk for a second.'

let model: MessagesApi
let satchel: Satchel
/** Until it resolves, the model answers only messages that ask it to talk. */
let silence = Promise.withResolvers<void>()
/** Number of answers that the model has sent since it stopped being silent. */
let answered = 0
beforeAll(async () => {
  model = await startMessagesApi(
    ({ raw }) => {
      const content = [{ type: 'text', text: 'word '.repeat(20) }]
      if (raw.includes(TALK)) return { content, deltaChars: 5, delayMs: 50 }
      return { content, hold: { at: 0, until: silence.promise } }
    },
    {
      onBilled: ({ output_tokens }) => {
        // Nothing is sent to a workerd that was killed meanwhile.
        if (output_tokens > 0) answered += 1
      },
    },
  )
  satchel = await startSatchel({ env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url } })
})
afterAll(async () => {
  await satchel?.stop()
  await model?.close()
})

interface Accepted {
  readonly url: string
  readonly thread_id: string
}

/** Starts a run that cannot end while the model is silent. */
async function begin(thread?: string): Promise<Accepted> {
  const message = { message: 'Hello', ...(thread === undefined ? {} : { thread_id: thread }) }
  const answer = await satchel.client.json<Accepted>('POST', '/v1/chat', message, { Prefer: 'respond-async' })
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.value.body
}

/**
 * Kills workerd once these runs exist. They must continue within the promised time of the next workerd's first answer,
 * and end.
 */
async function killed(begun: () => Promise<readonly Accepted[]>): Promise<void> {
  const before = await livingWorkerd(satchel)
  silence = Promise.withResolvers()
  const started = await begun()
  end(before)
  await until('another workerd', () => (satchel.workerd()?.pid ?? before.pid) !== before.pid)
  // Only now, because the last call of the killed workerd may still be in transit.
  answered = 0
  silence.resolve()
  await until('its answer', async () => (await fetch(`${satchel.url}/healthz`).catch(() => null))?.ok)
  const up = performance.now()
  // No request may name these threads meanwhile, because it would wake them.
  await until('they are driven on', () => answered >= started.length)
  const tookMs = performance.now() - up
  console.log(`driven on ${Math.round(tookMs)} ms after the first answer`)
  expect(tookMs).toBeLessThan(SOON_MS)
  for (const { url } of started)
    await until('its end', async () => {
      const run = await satchel.client.json<{ status: string; recoveries: number }>('GET', url)
      // The runs were waiting for the model, so the kill uses up none of their recoveries.
      return run.ok && run.value.body.status === 'completed' && run.value.body.recoveries === 0
    })
}

test('resumes runs that were killed during a model call, without a request', async () => {
  await killed(async () => {
    const started: Accepted[] = []
    const { length } = model.exchanges
    for (let at = 0; at < RUNS; at++) started.push(await begin())
    await until('their model calls', () => model.exchanges.length === length + RUNS)
    // When this run has ended, everything that began before it is on disk.
    const next = await satchel.client.chat({ message: TALK }, `talk-${length}`, { onEvent: () => {} })
    expect(next.ok && next.value.terminal.type).toBe('run.completed')
    return started
  })
})

test('resumes a run that was just accepted, in a new thread and in an idle one', async () => {
  let thread: string | undefined
  for (let times = 0; times < 2; times++)
    await killed(async () => {
      const young = await begin(thread)
      thread = young.thread_id
      return [young]
    })
})
