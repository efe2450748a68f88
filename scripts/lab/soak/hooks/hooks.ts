// Kills the server with kill -9 between any two steps of a webhook, from its raw bytes to the reply and the callback:
// there must be one run, at most one reply, at least one callback under one ID, and nothing accepted may be lost. Also
// kills it around the planned times of schedules. Before that, sends thousands of invalid deliveries.

import { setTimeout as sleep } from 'node:timers/promises'

import { formatDuration, paint } from '../../../lib/terminal.ts'
import { seededChance, type Chance } from '../../rig/random.ts'
import { withServers } from '../../rig/worker.ts'
import { Checks, printVerdicts } from '../check-list.ts'
import { withFaultyServer } from '../field.ts'
import { killServer, type KillWay } from '../fault-targets.ts'
import { createSoakHooks, deliver, settle, type SentDelivery, type SoakHook } from './delivery.ts'
import { createPlanned, settlePlanned, type PlannedTime } from './planned.ts'
import { startReceiver, type Moment, type Receiver } from './receiver.ts'
import { sendWrongDeliveries } from './wrong.ts'

import type { Satchel } from '../../rig/satchel.ts'

/** When to kill the server: at a moment, or up to this many ms later; with a weight. */
const MOMENTS: readonly (readonly [
  at: Moment | 'sent' | 'accepted' | 'planned',
  laterMs: number,
  weight: number,
])[] = [
  ['sent', 40, 3],
  ['accepted', 500, 4],
  ['start', 60, 1],
  ['start+', 400, 1],
  ['reply', 60, 2],
  ['reply+', 40, 2],
  ['callback', 60, 2],
  ['callback+', 60, 2],
  ['planned', 400, 3],
]
const WAYS: readonly (readonly [way: KillWay, weight: number])[] = [
  ['workerd', 8],
  ['server', 1],
  ['tree', 1],
]
/** Maximum duration of a response of the receiver in ms. */
const RESPONSE_MAX_MS = 60
const DELIVERIES_PER_ROUND = 2
/** Maximum time in ms to wait for a moment. */
const MOMENT_MS = 20_000

function choose<T>(random: Chance, weighted: readonly (readonly [T, ...number[]])[]): number {
  const weights = weighted.map((one) => Number(one.at(-1)))
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  return weights.findIndex((weight) => (left -= weight) < 0)
}

interface Round {
  readonly sent: readonly SentDelivery[]
  readonly planned: PlannedTime | null
  readonly where: string
}

/** Sends deliveries, and kills the server when the first of them reaches a moment. */
async function round(
  server: Satchel,
  hooks: readonly SoakHook[],
  receiver: Receiver,
  random: Chance,
  name: string,
): Promise<Round> {
  const [at, withinMs] = MOMENTS[choose(random, MOMENTS)] ?? ['sent', 0]
  const [way] = WAYS[choose(random, WAYS)] ?? ['workerd']
  const laterMs = random.between(0, withinMs)
  let isReached = (): void => undefined
  const moment = new Promise<void>((resolve) => (isReached = resolve))
  const planned = at === 'planned' ? await createPlanned(server.url, name) : null
  if (planned) setTimeout(isReached, Math.max(0, planned.at - Date.now()))
  else if (at !== 'sent' && at !== 'accepted' && at !== 'planned') receiver.onNext(at, isReached)
  const sending = Array.from({ length: DELIVERIES_PER_ROUND }, async (_, nth) => {
    const hook = hooks[nth % hooks.length]
    if (!hook) throw new Error('there is no hook')
    const sent = await deliver(server.url, hook, `${name}-${nth}`)
    if (at === 'accepted') isReached()
    return sent
  })
  if (at === 'sent') isReached()
  await Promise.race([moment, sleep(MOMENT_MS)])
  await sleep(laterMs)
  while (!(await killServer(server, way))) await server.ready()
  await server.ready()
  return { sent: await Promise.all(sending), planned, where: `${way}, ${laterMs} ms after ${at}` }
}

export interface HookPlan {
  readonly kills: number
  readonly seed: number
  /** The number of invalid deliveries. */
  readonly wrong: number
}

/** Returns the number of violations. */
export async function soakHooks({ kills, seed, wrong }: HookPlan): Promise<number> {
  console.log(`\n${wrong} wrong deliveries, then ${kills} kills around deliveries, seed ${seed}.`)
  const random = seededChance(seed)
  return withServers(async (keep) => {
    const receiver = await keep(startReceiver(() => random.between(0, RESPONSE_MAX_MS)))
    return withFaultyServer(seed, [receiver.host], async (server, api) => {
      const checks = new Checks()
      if (wrong > 0) await sendWrongDeliveries(server, api, wrong, seededChance(seed), checks)
      console.log(`  ${wrong} wrong deliveries were sent.`)
      const hooks = await createSoakHooks(server.url, receiver)
      const all: SentDelivery[] = []
      const times: PlannedTime[] = []
      const startedMs = performance.now()
      for (let kill = 1; kill <= kills; kill++) {
        const { sent, planned, where } = await round(server, hooks, receiver, random, `${seed}-${kill}`)
        all.push(...sent)
        if (planned) times.push(planned)
        console.log(paint('dim', `  kill ${kill} of ${kills}: ${where}`))
      }
      const states = new Map<string, number>()
      for (const sent of all) {
        const state = await settle(server.url, sent, receiver, checks)
        states.set(state, (states.get(state) ?? 0) + 1)
      }
      for (const time of times) await settlePlanned(server.url, time, checks)
      if (receiver.forged.length > 0)
        checks.note('each event is signed', 'callback', receiver.forged[0] ?? null)
      const counts = [...states].map(([state, count]) => `${count} ${state}`).join(', ')
      const repeated = all.reduce((sum, { runId }) => sum + receiver.events(runId).length - 1, 0)
      console.log(
        `\n${all.length} deliveries in ${formatDuration(performance.now() - startedMs)}: replies ${counts}; ${repeated} callbacks came again.`,
      )
      return printVerdicts(checks.list(), [], 'No delivery was lost, and no run or reply came twice.')
    })
  })
}
