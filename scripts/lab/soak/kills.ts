// Runs clients and a faulty model API, and kills the server at random moments and in every way. Then everything is
// read back and must be complete.

import { setTimeout as sleep } from 'node:timers/promises'

import { paint, formatDuration } from '../../lib/terminal.ts'
import { readAllPages, readPage } from '../../../src/client/pages.ts'
import { seededChance, type Chance } from '../rig/random.ts'
import { printVerdicts, type Check } from './check-list.ts'
import { checkFiles, checkStores } from './check-files.ts'
import { checkThreads } from './checks.ts'
import { SoakClient, type ClientOutcome } from './clients.ts'
import { withFaultyServer, type KillPlan } from './field.ts'
import { INTERRUPTED_CHANGES, type InterruptedChange } from './interrupted.ts'
import { killServer, type KillWay } from './fault-targets.ts'

import type { ModelApi } from '../rig/model-api.ts'
import type { Satchel } from '../rig/satchel.ts'

/** The weight of each way. */
const WAYS: readonly (readonly [way: KillWay | InterruptedChange, weight: number])[] = [
  ['workerd', 6],
  ['server', 2],
  ['tree', 1],
  ['double', 2],
  ['stop', 1],
  ['start', 2],
  ['delete', 3],
  ['commit', 2],
  ['revoke', 1],
]
/** A kill comes within this many ms after a change is sent, because a change takes only a few ms. */
const KILL_WITHIN_MS = 40
/** The watchdog of a deleted thread would fire within this many ms. */
const QUIET_MS = 32_000

function chooseWay(random: Chance): KillWay | InterruptedChange {
  let left = random.next() * WAYS.reduce((sum, [, weight]) => sum + weight, 0)
  return WAYS.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'workerd'
}

/** Kills the server in a random way while it is up, and waits until it is up again. */
async function round(server: Satchel, name: string, random: Chance): Promise<KillResult> {
  const way = chooseWay(random)
  const killMs = random.between(0, KILL_WITHIN_MS)
  await server.ready()
  await sleep(random.between(0, 400))
  const startedMs = performance.now()
  if (way !== 'delete' && way !== 'commit' && way !== 'revoke') {
    while (!(await killServer(server, way))) await server.ready()
    await server.ready()
    return { way, ms: performance.now() - startedMs, violations: [] }
  }
  const violations = await INTERRUPTED_CHANGES[way](server.url, name, async (send) => {
    const sent = send().catch(() => undefined)
    await sleep(killMs)
    await killServer(server, 'workerd')
    await sent
    await server.ready()
  })
  return { way, ms: performance.now() - startedMs, violations }
}

interface KillResult {
  readonly way: KillWay | InterruptedChange
  readonly ms: number
  readonly violations: readonly string[]
}

async function runKills(
  server: Satchel,
  plan: KillPlan & { readonly minutes: number },
  random: Chance,
): Promise<readonly KillResult[]> {
  const gapMs = (plan.minutes * 60_000) / Math.max(1, plan.kills)
  const startedMs = performance.now()
  const killed: KillResult[] = []
  while (killed.length < plan.kills) {
    const due = startedMs + gapMs * (killed.length + random.next())
    await sleep(Math.max(0, due - performance.now()))
    const one = await round(server, `k${plan.seed % 100_000}-${killed.length + 1}`, random)
    killed.push(one)
    console.log(
      paint(
        'dim',
        `  kill ${killed.length} of ${plan.kills}: ${one.way}, done after ${formatDuration(one.ms)}`,
      ),
    )
    for (const violation of one.violations) console.log(paint('red', `  ${violation}`))
  }
  return killed
}

/** Compares the listed threads with those of the clients, and checks that nothing calls the model any more. */
async function checkQuiet(
  server: Satchel,
  api: ModelApi,
  outcomes: readonly ClientOutcome[],
): Promise<Check> {
  const { requests: before } = await api.state()
  await sleep(QUIET_MS)
  const requests = (await api.state()).requests - before
  const known = new Set(outcomes.flatMap(({ runs }) => runs.map(({ threadId }) => threadId)))
  const pages = await readAllPages((cursor) =>
    readPage<{ readonly id: string }>(server.client, '/v1/threads', {}, { cursor, limit: 100 }),
  )
  if (!pages.ok) throw new Error(`GET /v1/threads: ${JSON.stringify(pages.error)}`)
  const listed = new Set(pages.value.map(({ id }) => id))
  const lost = [...known].filter((id) => !listed.has(id))
  const extra = [...listed].filter((id) => !known.has(id))
  return {
    what: 'threads are listed as long as they exist, and none runs after that',
    checked: known.size,
    violations: [
      ...lost.map((id) => `${id} is not listed`),
      ...extra.map((id) => `${id} is listed and was deleted`),
      ...(requests > 0 ? [`${requests} calls to the model after everything had ended`] : []),
    ],
  }
}

/** Compares the charges of runs with the API's bill: they must not be lower. Reports by how much they are higher. */
async function checkCharges(server: Satchel, api: ModelApi): Promise<Check> {
  const { billedUsd: billed = Number.NaN } = await api.state()
  const usage = await server.client.json<{ readonly charged: { readonly usd: number } }>(
    'GET',
    '/admin/usage',
  )
  if (!usage.ok) throw new Error(`GET /admin/usage: ${JSON.stringify(usage.error)}`)
  const { usd } = usage.value.body.charged
  const sums = `$${usd.toFixed(4)} charged, $${billed.toFixed(4)} billed`
  console.log(`\n${sums}: ${(usd / billed).toFixed(3)} times.`)
  return {
    what: 'what is charged is no less than what the API bills',
    checked: 1,
    violations: usd < billed ? [sums] : [],
  }
}

function print(
  outcomes: readonly ClientOutcome[],
  killed: readonly KillResult[],
  checks: readonly Check[],
): number {
  const runs = outcomes.flatMap((outcome) => outcome.runs)
  const problems = [
    ...outcomes.flatMap((outcome) => outcome.problems),
    ...killed.flatMap(({ violations }) => violations),
  ]
  const ended = Object.groupBy(runs, (one) => one.status)
  const counts = Object.entries(ended).map(([status, runs]) => `${runs?.length ?? 0} ${status}`)
  const seen = runs.flatMap(({ readers }) => readers[0] ?? [])
  const count = (type: string): number => seen.filter((event) => event.type === type).length
  const reconnects = outcomes.reduce((sum, outcome) => sum + outcome.reconnects, 0)
  const ways = Object.entries(Object.groupBy(killed, ({ way }) => way))
    .map(([way, all]) => `${all?.length ?? 0} ${way}`)
    .join(', ')
  console.log(`\n${killed.length} kills (${ways}),`)
  console.log(`${runs.length} runs (${counts.join(', ')}), ${reconnects} reconnects,`)
  const files = outcomes.reduce((sum, { uploaded }) => sum + uploaded.length, 0)
  console.log(`${files} files uploaded, ${count('file.written')} written by runs,`)
  console.log(
    `${count('model.retry')} model calls tried again, ${count('step.restarted')} steps begun again, ${count('tool.completed')} tool calls`,
  )
  const successMessage = 'Nothing was lost or duplicated, and nothing ran after its end.'
  const violations = printVerdicts(checks, problems, successMessage)
  return runs.length > 0 ? violations : violations + 1
}

/** Returns the number of violations. `minutes` is the minimum duration. */
export async function soakKills(plan: KillPlan & { readonly minutes: number }): Promise<number> {
  const { kills, minutes, threads, seed } = plan
  console.log(`\n${kills} kills in ${minutes} minutes or longer, ${threads} clients, seed ${seed}.`)
  return withFaultyServer(seed, [], async (server, api) => {
    let isOver = false
    const killing = runKills(server, plan, seededChance(seed + 1)).finally(() => (isOver = true))
    // Messages are sent as long as kills follow, so that no kill hits an idle server.
    const clients = Array.from({ length: threads }, async (_, at) =>
      new SoakClient(server.url, `c${at + 1}`, seededChance(seed + 100 + at)).run(() => isOver),
    )
    const [killed, outcomes] = await Promise.all([killing, Promise.all(clients)])
    await server.ready()
    const runs = outcomes.flatMap((outcome) => outcome.runs)
    const checks = [
      ...(await checkThreads(server.url, runs)),
      ...(await checkFiles(server.url, outcomes)),
      await checkQuiet(server, api, outcomes),
      await checkCharges(server, api),
    ]
    await server.stop((folder) => checks.push(...checkStores(folder)))
    return print(outcomes, killed, checks)
  })
}
