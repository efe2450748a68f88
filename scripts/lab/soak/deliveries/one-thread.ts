// Thousands of deliveries of one hook in one thread: none is refused, and the last start is as fast as the first.

import { setTimeout as sleep } from 'node:timers/promises'

import { quantile } from '../../rig/stats.ts'
import { endedRuns, makeHook, deliverUntilAnswered } from './hooks.ts'

import type { Checks } from '../check-list.ts'
import type { Satchel } from '../../rig/satchel.ts'
import type { Reply } from '../../../../test/fakes/messages-wire.ts'

/** Number of concurrent senders. */
const SENDERS = 8
const PROGRESS_EVERY = 500
/** The ranges of deliveries whose starts are compared: early ones, and as many at the end. */
const FROM = 51
const TO = 150
const RATIO_MAX = 1.5
/**
 * If the model gets no request for this many ms, the deliveries have come to a halt. A busy machine may restart the
 * server meanwhile.
 */
const HALT_MS = 240_000

/** The model of this test, which gives short answers. Records the time between an answer and the next request. */
export class Deliveries {
  readonly gapsMs: number[] = []
  #sentMs: number | null = null
  #answered = 0
  /** The time of the last request to the model. */
  lastMs = performance.now()

  get answered(): number {
    return this.#answered
  }

  readonly step = (): Reply => {
    const now = performance.now()
    // After a summary there is no answer to measure from.
    this.gapsMs.push(this.#sentMs === null ? Number.NaN : now - this.#sentMs)
    this.#answered += 1
    this.lastMs = now
    return { content: [{ type: 'text', text: `Noted as number ${this.#answered}.` }] }
  }

  readonly onSummary = (): void => void (this.#sentMs = null)
  readonly onSent = (): void => void (this.#sentMs = performance.now())
}

/** The median gap of these deliveries, counted from 1. */
function medianGap({ gapsMs }: Deliveries, from: number, to: number): number {
  const gaps = gapsMs.slice(from - 1, to).filter((gap) => !Number.isNaN(gap))
  return quantile(
    gaps.toSorted((a, b) => a - b),
    0.5,
  )
}

export interface OneThreadPlan {
  readonly count: number
  /** The number of deliveries that wait at the same time. */
  readonly waiting: number
}

/** Resolves once `isDone` returns true. Rejects if the model gets no request for a long time. */
async function whileAnswered(story: Deliveries, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    if (performance.now() - story.lastMs > HALT_MS)
      throw new Error(`No run began for ${HALT_MS / 1_000} s, after ${story.answered} answers.`)
    await sleep(2)
  }
}

export async function runOneThread(
  server: Satchel,
  story: Deliveries,
  { count, waiting }: OneThreadPlan,
  checks: Checks,
): Promise<string> {
  const hook = await makeHook(server.url, { name: 'Soak', thread: 'one' })
  // Send as many more as may wait, so that the last measured ones start under the same load as the others.
  const total = count + waiting
  let thread = ''
  let sent = 0
  let waited = 0
  const sender = async (): Promise<void> => {
    while (sent < total) {
      await whileAnswered(story, () => sent >= total || sent - story.answered < waiting)
      if (sent >= total) return
      const nth = ++sent
      waited = Math.max(waited, sent - story.answered)
      const body = { nth, what: `A ticket of a customer: ${'words '.repeat(150)}` }
      const { status, thread_id, text } = await deliverUntilAnswered(hook, body)
      checks.note('no delivery is refused', `delivery ${nth}`, status === 202 ? null : text)
      if (thread_id !== null) thread = thread_id
    }
  }
  const progress = async (): Promise<void> => {
    for (let next = PROGRESS_EVERY; next <= total; next += PROGRESS_EVERY) {
      await whileAnswered(story, () => story.answered >= next)
      const gap = medianGap(story, next - PROGRESS_EVERY + 1, next).toFixed(1)
      console.log(`  ${next} answered, ${gap} ms from an answer to the next request`)
    }
  }
  await Promise.all([
    ...Array.from({ length: SENDERS }, sender),
    progress(),
    whileAnswered(story, () => story.answered >= total),
  ])
  const runs = await endedRuns(server, thread, total)
  const answered = runs.filter(({ stop_reason }) => stop_reason === 'answered').length
  const windows = Math.max(...runs.map(({ window }) => window))
  const once = answered === total && runs.length === total && story.answered === total
  checks.note(
    'each delivery is answered once',
    `${answered}`,
    once ? null : `${runs.length} runs of ${total}`,
  )
  const [early, late] = [medianGap(story, FROM, TO), medianGap(story, count - TO + FROM, count)]
  const ratio = late / early
  const figures = `${early.toFixed(1)} ms from an answer to the next request for deliveries ${FROM} to ${TO}, ${late.toFixed(1)} ms for ${count - TO + FROM} to ${count} (${ratio.toFixed(2)} times)`
  checks.note(
    `the last starts take at most ${RATIO_MAX} times as long`,
    figures,
    ratio <= RATIO_MAX ? null : 'longer',
  )
  return `${total} deliveries, at most ${waited} waiting, ${windows} windows: ${figures}.`
}
