// Benchmark of a long thread: the cost of its next message, and of replaying all its events.

import { setTimeout as sleep } from 'node:timers/promises'

import { amount, plain, spread, under, type PartResult, type ReportProgress } from '../rig/lines.ts'
import { AUTHORIZED, say } from '../rig/requests.ts'
import { figures } from '../rig/stats.ts'
import { withSatchel } from '../rig/worker.ts'

const MESSAGES = 2_000
const REPLAYED_EVENTS_MIN = 10_000
const ROUNDS = 30
const WARM_UP = 5
const REPLAYS = 7
const PAUSE_MS = 12
const FIRST_EVENT_GOAL_MS = 25
const REPLAY_GOAL_MS = 300
const QUESTION = 'What is in the satchel?'

/** Reads the thread's events up to number `last`; returns their count and the time taken. */
async function replayEvents(
  url: string,
  last: number,
): Promise<{ readonly events: number; readonly ms: number }> {
  const startedMs = performance.now()
  const response = await fetch(url, { headers: AUTHORIZED })
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  const decoder = new TextDecoder()
  let events = 0
  let partialLine = ''
  for await (const chunk of response.body) {
    const lines = (partialLine + decoder.decode(chunk, { stream: true })).split('\n')
    partialLine = lines.pop() ?? ''
    const ids = lines.filter((line) => line.startsWith('id: '))
    events += ids.length
    // Leaving the loop closes the stream.
    if (Number(ids.at(-1)?.slice(4) ?? 0) >= last) return { events, ms: performance.now() - startedMs }
  }
  throw new Error(`${url}: ended after ${events} events.`)
}

/** Fills a thread with messages, measures the next ones, continues until there are enough events, and reads them. */
export async function measureLongThread(tell: ReportProgress): Promise<PartResult> {
  return withSatchel(async ({ url }) => {
    let thread: string | null = null
    let last = 0
    const sendNext = async (): ReturnType<typeof say> => {
      const timed = await say(url, thread, QUESTION)
      ;({ threadId: thread, last } = timed)
      return timed
    }
    for (let sentMessages = 0; sentMessages < MESSAGES; sentMessages += 2) {
      if (sentMessages % 500 === 0) tell(`long: ${sentMessages} of ${MESSAGES} messages`)
      await sendNext()
    }
    const texts: number[] = []
    const events: number[] = []
    for (let at = -WARM_UP; at < ROUNDS; at++) {
      await sleep(PAUSE_MS)
      const { firstTextMs, firstEventMs } = await sendNext()
      if (at < 0) continue
      texts.push(firstTextMs)
      events.push(firstEventMs)
    }
    const stream = `${url}/v1/threads/${thread}/events?after=0`
    while ((await replayEvents(stream, last)).events < REPLAYED_EVENTS_MIN)
      for (let more = 0; more < 50; more++) await sendNext()
    const replays: { readonly events: number; readonly ms: number }[] = []
    for (let at = 0; at < REPLAYS; at++) replays.push(await replayEvents(stream, last))
    const [start, accepted] = [figures(texts), figures(events)]
    const replay = figures(replays.map(({ ms }) => ms))
    const of = `thread of ${amount(MESSAGES)} messages, the next one`
    const count = replays[0]?.events ?? 0
    return {
      figures: { messages: MESSAGES, start, accepted, events: count, replay },
      lines: [
        under(`${of}: first event of its run`, spread(accepted), accepted.median, FIRST_EVENT_GOAL_MS, 'ms'),
        plain(`${of}: first text`, spread(start)),
        under(`replay of ${amount(count)} events`, spread(replay), replay.median, REPLAY_GOAL_MS, 'ms'),
      ],
    }
  })
}
