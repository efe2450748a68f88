// A thousand concurrent deliveries to one hook with one thread. Each is answered soon and recorded, each has its run
// or only the latest ones do, and chats of others are not affected.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { makeKeys } from '../load/people.ts'
import { ended } from '../../rig/script.ts'
import { figures } from '../../rig/stats.ts'
import { deliveryStates, endedRuns, makeHook, deliverOnce } from './hooks.ts'

import type { Checks } from '../check-list.ts'
import type { Satchel } from '../../rig/satchel.ts'
import type { ChatTimes } from './chats.ts'

const PEOPLE = 3
const IDLE_MS = 5_000
const ANSWER_MAX_MS = 3_000
const CHAT_P99_MS = 500
const LATEST_RUNS_MAX = 5
/** Timeout in ms. The runs of a thread follow one another, so the last one starts minutes later. */
const STATES_MS = 600_000

interface People {
  /** Returns the durations since the last call. */
  times(): Promise<ChatTimes>
  stop(): Promise<void>
}

export async function startPeople(server: Satchel): Promise<People> {
  const keys = await makeKeys(server.client, PEOPLE)
  const program = fileURLToPath(new URL('./chats.ts', import.meta.url))
  const child = fork(program, [server.url, ...keys], { stdio: 'inherit' })
  return {
    times: async () => {
      child.send('times')
      // The cast is safe: the program sends this message.
      const [times] = (await once(child, 'message')) as [ChatTimes]
      return times
    },
    stop: () => ended(child, () => child.disconnect()),
  }
}

const spread = (ms: readonly number[]): string => {
  const { median, p99 } = figures(ms)
  return `${median.toFixed(0)} ms · p99 ${p99.toFixed(0)} ms`
}

/** Returns the number of deliveries in each state once none is waiting. */
async function settledStates(
  server: Satchel,
  hook: Parameters<typeof deliveryStates>[1],
): Promise<ReadonlyMap<string, number>> {
  for (const until = performance.now() + STATES_MS; ; await sleep(500)) {
    const states = await deliveryStates(server, hook)
    if (states.includes('recorded') && performance.now() < until) continue
    const counts = new Map<string, number>()
    for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1)
    return counts
  }
}

async function playAtOnce(
  server: Satchel,
  people: People,
  onBusy: 'enqueue' | 'latest',
  count: number,
  checks: Checks,
): Promise<string> {
  // A run must take a moment, so that a newer delivery can replace those that wait.
  const template = onBusy === 'latest' ? 'TWO SECONDS, please: {{payload}}' : '{{payload}}'
  const hook = await makeHook(server.url, { name: onBusy, thread: 'one', on_busy: onBusy, template })
  await sleep(IDLE_MS)
  const idle = await people.times()
  const sent = await Promise.all(
    Array.from({ length: count }, async (_, nth) =>
      deliverOnce(hook, { nth, what: `A ticket of a customer: ${'words '.repeat(50)}` }),
    ),
  )
  const burst = await people.times()
  const what = `${onBusy}, ${count} at once`
  for (const [nth, { status, text, tookMs }] of sent.entries()) {
    checks.note(`${what}: each is accepted`, `delivery ${nth}`, status === 202 ? null : `${status} ${text}`)
    checks.note(
      `${what}: each is answered within ${ANSWER_MAX_MS} ms`,
      `delivery ${nth}`,
      tookMs <= ANSWER_MAX_MS ? null : `${tookMs.toFixed(0)} ms`,
    )
  }
  const thread = sent.find(({ thread_id }) => thread_id !== null)?.thread_id ?? ''
  const states = await settledStates(server, hook)
  const started = states.get('started') ?? 0
  const runs = await endedRuns(server, thread, started)
  const after = await people.times()
  const shown = [...states].map(([state, n]) => `${n} ${state}`).join(', ')
  const recorded = [...states.values()].reduce((sum, n) => sum + n, 0)
  const answered = runs.filter(({ stop_reason }) => stop_reason === 'answered').length
  checks.note(`${what}: all are recorded`, shown, recorded === count ? null : `of ${count}`)
  const fits =
    onBusy === 'enqueue'
      ? started === count && answered === count && runs.length === count
      : runs.length === started && answered === started && started <= LATEST_RUNS_MAX && started > 0
  checks.note(`${what}: runs`, `${runs.length} runs, ${answered} answered`, fits ? null : shown)
  const chats = [...burst.firstTextMs, ...after.firstTextMs]
  const p99 = figures(chats).p99
  checks.note(
    `${what}: others' first texts, p99`,
    `${p99.toFixed(0)} ms`,
    p99 <= CHAT_P99_MS ? null : `over ${CHAT_P99_MS} ms (idle: ${spread(idle.firstTextMs)})`,
  )
  for (const failure of [...idle.failures, ...burst.failures, ...after.failures])
    checks.note(`${what}: others' chats`, 'chat', failure)
  const slowest = Math.max(...sent.map(({ tookMs }) => tookMs))
  return [
    `${what}: answered in ${spread(sent.map(({ tookMs }) => tookMs))}, slowest ${slowest.toFixed(0)} ms; ${shown}; ${runs.length} runs.`,
    `  Others' first texts: ${spread(idle.firstTextMs)} before (${idle.firstTextMs.length}), ${spread(burst.firstTextMs)} while they were sent (${burst.firstTextMs.length}), ${spread(after.firstTextMs)} until all runs had ended (${after.firstTextMs.length}).`,
  ].join('\n')
}

export async function runAtOnce(
  server: Satchel,
  people: People,
  count: number,
  checks: Checks,
): Promise<void> {
  for (const onBusy of ['enqueue', 'latest'] as const)
    console.log(await playAtOnce(server, people, onBusy, count, checks))
}
