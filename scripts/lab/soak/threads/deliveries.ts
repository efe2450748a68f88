// Thousands of deliveries of one hook in one thread: none is refused, and the last start is as fast as the first.

import { setTimeout as sleep } from 'node:timers/promises'

import { quantile } from '../../rig/stats.ts'
import { readAllPages, readPage } from '../../../../src/client/pages.ts'
import { requestUntilAnswered } from '../insist.ts'

import type { Checks } from '../check-list.ts'
import type { Satchel } from '../../rig/satchel.ts'
import type { Reply } from '../../../../test/fakes/messages-wire.ts'

/** Deliveries that may wait. More than twenty wait in the hook, which looks for room every 15 s. */
const WAITING_MAX = 18
const PROGRESS_EVERY = 500
/** A part of the deliveries comes at once. */
const BURST = 100
/** Numbers of the deliveries whose starts are compared: early ones, and as many at the end. */
const FROM = 51
const TO = 150
const RATIO_MAX = 1.5
/** A busy machine may have to restart the server meanwhile. */
const ANSWER_MS = 240_000
const SECRET = 'a-secret-of-the-soak'

/** What the model does: a short answer. Records the time between an answer and the next request. */
export class Deliveries {
  readonly gapsMs: number[] = []
  #sentMs: number | null = null
  #answered = 0

  get answered(): number {
    return this.#answered
  }

  readonly step = (): Reply => {
    const now = performance.now()
    // After a summary there is no answer to count from.
    this.gapsMs.push(this.#sentMs === null ? Number.NaN : now - this.#sentMs)
    this.#answered += 1
    return { content: [{ type: 'text', text: `Noted as number ${this.#answered}.` }] }
  }

  readonly onSummary = (): void => void (this.#sentMs = null)
  readonly onSent = (): void => void (this.#sentMs = performance.now())
}

/** The median of the gaps of these deliveries, counted from 1. */
function medianGap({ gapsMs }: Deliveries, from: number, to: number): number {
  const gaps = gapsMs.slice(from - 1, to).filter((gap) => !Number.isNaN(gap))
  return quantile(
    gaps.toSorted((a, b) => a - b),
    0.5,
  )
}

/** Sends a delivery until it is answered: equal bytes are the same delivery. */
async function send(
  address: string,
  body: string,
): Promise<{ readonly status: number; readonly thread_id: string | null; readonly text: string }> {
  for (const until = performance.now() + ANSWER_MS; performance.now() < until; await sleep(50)) {
    const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
    const answer = await fetch(address, { method: 'POST', headers, body }).catch(() => null)
    const text = (await answer?.text().catch(() => null)) ?? null
    if (answer === null || text === null || answer.status >= 500) continue
    const thread_id = /"thread_id":"(\w+)"/.exec(text)?.[1] ?? null
    return { status: answer.status, thread_id, text }
  }
  throw new Error(`A delivery was not answered for ${ANSWER_MS / 1_000} s.`)
}

export async function runDeliveries(
  server: Satchel,
  story: Deliveries,
  count: number,
  checks: Checks,
): Promise<string> {
  const { url } = server
  const hook = await requestUntilAnswered(url, 'POST /admin/hooks', {
    body: { name: 'Soak', thread: 'one', scheme: 'bearer', secret: SECRET },
  })
  if (hook.status !== 201) throw new Error(`The hook was not created: ${hook.text}`)
  const path = String(hook.body['url'])
  let thread = ''
  const deliver = async (nth: number): Promise<void> => {
    const body = { nth, what: `A ticket of a customer: ${'words '.repeat(150)}` }
    const { status, thread_id, text } = await send(`${url}${path}`, JSON.stringify(body))
    checks.note('no delivery is refused', `delivery ${nth}`, status === 202 ? null : text)
    if (thread_id !== null) thread = thread_id
  }
  const burstAt = Math.floor(count / 2)
  for (let sent = 0; sent < count;) {
    const isBurst = sent >= burstAt && sent < burstAt + BURST && count > 10 * BURST
    if (!isBurst && sent - story.answered >= WAITING_MAX) {
      await sleep(1)
      continue
    }
    await deliver(++sent)
    if (sent % PROGRESS_EVERY === 0)
      console.log(`  ${sent} deliveries, ${medianGap(story, sent - PROGRESS_EVERY, sent).toFixed(1)} ms`)
  }
  while (story.answered < count) await sleep(50)
  const pages = await readAllPages((cursor) =>
    readPage<{ readonly stop_reason: string; readonly window: number }>(
      server.client,
      `/v1/threads/${thread}/runs`,
      {},
      { cursor, limit: 100 },
    ),
  )
  if (!pages.ok) throw new Error(`runs: ${JSON.stringify(pages.error)}`)
  const completed = pages.value.filter(({ stop_reason }) => stop_reason === 'answered').length
  const windows = Math.max(...pages.value.map(({ window }) => window))
  checks.note('each delivery is answered once', `${completed}`, completed === count ? null : `of ${count}`)
  const [early, late] = [medianGap(story, FROM, TO), medianGap(story, count - TO + FROM, count)]
  const ratio = late / early
  const figures = `${early.toFixed(1)} ms between an answer and the next request for deliveries ${FROM} to ${TO}, ${late.toFixed(1)} ms for the last hundred (${ratio.toFixed(2)} times)`
  checks.note(
    `the last starts take at most ${RATIO_MAX} times as long`,
    figures,
    ratio <= RATIO_MAX ? null : 'longer',
  )
  return `${count} deliveries in ${windows} windows: ${figures}.`
}
