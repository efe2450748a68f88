// A long thread: what its next message costs, and reading all its events again.

import { setTimeout as sleep } from 'node:timers/promises'

import { ask } from './ask.ts'
import { ADMIN_KEY, startFakeApi, startSatchel, type Server } from './servers.ts'
import { figures, type Figures } from './stats.ts'

const MESSAGES = 2_000
const EVENTS = 10_000
const ROUNDS = 30
const WARM_UP = 5
const REPLAYS = 7
const PAUSE_MS = 12
const QUESTION = 'What is in the satchel?'

export interface LongThread {
  readonly messages: number
  /** To the first text of the next message. */
  readonly start: Figures
  /** To the first event of the run. */
  readonly accepted: Figures
  readonly events: number
  readonly replay: Figures
}

/** Reads the thread's events from its beginning until the one numbered `last`; answers how many and how long. */
async function replayed(
  url: string,
  last: number,
): Promise<{ readonly events: number; readonly ms: number }> {
  const began = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } })
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  const decoder = new TextDecoder()
  let events = 0
  let rest = ''
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    const ids = lines.filter((line) => line.startsWith('id: '))
    events += ids.length
    // Leaving the loop closes the stream, which would stay open.
    if (Number(ids.at(-1)?.slice(4) ?? 0) >= last) return { events, ms: performance.now() - began }
  }
  throw new Error(`${url}: ended after ${events} events.`)
}

/** Fills a thread by talking, measures its next messages, talks on until there are enough events, and reads them. */
export async function measureLongThread(tell: (text: string) => void): Promise<LongThread> {
  const started: Server[] = []
  try {
    const api = await startFakeApi()
    started.push(api)
    const satchel = await startSatchel(api.url)
    started.push(satchel)
    let thread = ''
    let last = 0
    const say = async () => {
      const body = { message: QUESTION, stream: true, ...(thread === '' ? {} : { thread_id: thread }) }
      const timed = await ask(`${satchel.url}/v1/chat`, ADMIN_KEY, body)
      thread = timed.threadId
      last = timed.last
      return timed
    }
    for (let made = 0; made < MESSAGES; made += 2) {
      if (made % 500 === 0) tell(`long: ${made} of ${MESSAGES} messages`)
      await say()
    }
    const start: number[] = []
    const accepted: number[] = []
    for (let at = -WARM_UP; at < ROUNDS; at++) {
      await sleep(PAUSE_MS)
      const { firstTextMs, firstEventMs } = await say()
      if (at < 0) continue
      start.push(firstTextMs)
      accepted.push(firstEventMs)
    }
    const url = `${satchel.url}/v1/threads/${thread}/events?after=0`
    while ((await replayed(url, last)).events < EVENTS) for (let more = 0; more < 50; more++) await say()
    const replay: number[] = []
    let events = 0
    for (let at = 0; at < REPLAYS; at++) {
      const read = await replayed(url, last)
      events = read.events
      replay.push(read.ms)
    }
    return {
      messages: MESSAGES,
      start: figures(start),
      accepted: figures(accepted),
      events,
      replay: figures(replay),
    }
  } finally {
    for (const server of started.toReversed()) await server.stop()
  }
}
