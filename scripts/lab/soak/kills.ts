// Clients, a faulty model API, and the server ended at random moments and in every way; then everything is read anew
// and must be whole.

import { setTimeout as sleep } from 'node:timers/promises'

import { paint, seconds } from '../../lib/terminal.ts'
import type { Check } from './book.ts'
import { checkFiles, checkStores } from './check-files.ts'
import { checkAll } from './checks.ts'
import { clientOf, SoakClient, type Outcome } from './clients.ts'
import { CHANGES, type Change } from './interrupted.ts'
import { chance, type Chance } from './random.ts'
import { startApi, startServer, type SoakApi, type SoakServer } from './server.ts'
import { printVerdicts } from './verdicts.ts'
import { strike, type Way } from './victims.ts'

export interface KillPlan {
  readonly minutes: number
  readonly kills: number
  readonly threads: number
  readonly seed: number
}

/** How often each of them comes up, out of their sum. */
const WAYS: readonly (readonly [way: Way | Change, weight: number])[] = [
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
/** A change is a few milliseconds: the kill comes within these of its sending. */
const INSIDE_MS = 40
/** The watchdog of a thread that should be gone fires within this. */
const HAUNT_MS = 32_000

function choose(luck: Chance): Way | Change {
  let left = luck.next() * WAYS.reduce((sum, [, weight]) => sum + weight, 0)
  return WAYS.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'workerd'
}

/** Ends the server in the way that chance picks, each time while it is up, and waits until it is up again. */
async function round(server: SoakServer, name: string, luck: Chance): Promise<Killed> {
  const way = choose(luck)
  const killMs = luck.between(0, INSIDE_MS)
  await server.up()
  await sleep(luck.between(0, 400))
  const began = performance.now()
  if (way !== 'delete' && way !== 'commit' && way !== 'revoke') {
    while (!(await strike(server, way))) await server.up()
    await server.up()
    return { way, ms: performance.now() - began, found: [] }
  }
  const found = await CHANGES[way](server.url, name, async (send) => {
    const sent = send().catch(() => undefined)
    await sleep(killMs)
    await strike(server, 'workerd')
    await sent
    await server.up()
  })
  return { way, ms: performance.now() - began, found }
}

interface Killed {
  readonly way: Way | Change
  readonly ms: number
  readonly found: readonly string[]
}

async function killer(server: SoakServer, plan: KillPlan, luck: Chance): Promise<readonly Killed[]> {
  const gapMs = (plan.minutes * 60_000) / Math.max(1, plan.kills)
  const began = performance.now()
  const killed: Killed[] = []
  while (killed.length < plan.kills) {
    const due = began + gapMs * (killed.length + luck.next())
    await sleep(Math.max(0, due - performance.now()))
    const one = await round(server, `k${plan.seed % 100_000}-${killed.length + 1}`, luck)
    killed.push(one)
    console.log(
      paint('dim', `  kill ${killed.length} of ${plan.kills}: ${one.way}, done after ${seconds(one.ms)}`),
    )
    for (const wrong of one.found) console.log(paint('red', `  ${wrong}`))
  }
  return killed
}

/** Threads that are listed, against those that the clients hold; and whether anything still asks the model. */
async function hauntings(server: SoakServer, api: SoakApi, outcomes: readonly Outcome[]): Promise<Check> {
  const before = await api.asked()
  await sleep(HAUNT_MS)
  const asked = (await api.asked()) - before
  const client = clientOf(server.url)
  const known = new Set(outcomes.flatMap(({ told }) => told.map(({ threadId }) => threadId)))
  const listed = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await client.json<{
      readonly data: readonly { readonly id: string }[]
      readonly next_cursor: string | null
    }>('GET', `/v1/threads?limit=100${query}`)
    if (!page.ok) throw new Error(`GET /v1/threads: ${JSON.stringify(page.error)}`)
    for (const { id } of page.value.body.data) listed.add(id)
    cursor = page.value.body.next_cursor
  }
  const lost = [...known].filter((id) => !listed.has(id))
  const extra = [...listed].filter((id) => !known.has(id))
  return {
    what: 'threads are listed as long as they exist, and none runs after that',
    checked: known.size,
    violations: [
      ...lost.map((id) => `${id} is not listed`),
      ...extra.map((id) => `${id} is listed and was deleted`),
      ...(asked > 0 ? [`${asked} calls to the model after everything had ended`] : []),
    ],
  }
}

/** What runs were charged, against what the API bills: never less, and how much more. */
async function books(server: SoakServer, api: SoakApi): Promise<Check> {
  const billed = await api.billed()
  const usage = await clientOf(server.url).json<{ readonly charged: { readonly usd: number } }>(
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

function print(outcomes: readonly Outcome[], killed: readonly Killed[], checks: readonly Check[]): number {
  const told = outcomes.flatMap((outcome) => outcome.told)
  const problems = [
    ...outcomes.flatMap((outcome) => outcome.problems),
    ...killed.flatMap(({ found }) => found),
  ]
  const ended = Object.groupBy(told, (one) => one.status)
  const counts = Object.entries(ended).map(([status, runs]) => `${runs?.length ?? 0} ${status}`)
  const seen = told.flatMap(({ readers }) => readers[0] ?? [])
  const count = (type: string): number => seen.filter((event) => event.type === type).length
  const reconnects = outcomes.reduce((sum, outcome) => sum + outcome.reconnects, 0)
  const ways = Object.entries(Object.groupBy(killed, ({ way }) => way))
    .map(([way, all]) => `${all?.length ?? 0} ${way}`)
    .join(', ')
  console.log(`\n${killed.length} kills (${ways}),`)
  console.log(`${told.length} runs (${counts.join(', ')}), ${reconnects} reconnects,`)
  const files = outcomes.reduce((sum, { uploaded }) => sum + uploaded.length, 0)
  console.log(`${files} files uploaded, ${count('file.written')} written by runs,`)
  console.log(
    `${count('model.retry')} model calls tried again, ${count('step.restarted')} steps begun again, ${count('tool.completed')} tool calls\n`,
  )
  const violations = printVerdicts(checks, problems)
  console.log(
    `\n${violations === 0 ? 'Nothing was lost, doubled or told twice, and nothing haunts.' : `${violations} violations.`}`,
  )
  return told.length > 0 ? violations : violations + 1
}

/** Gives the number of violations. */
export async function soakKills(plan: KillPlan): Promise<number> {
  console.log(
    `\n${plan.kills} kills in ${plan.minutes} minutes or longer, ${plan.threads} clients, seed ${plan.seed}.`,
  )
  const api = await startApi(new URL('faulty-api.ts', import.meta.url), String(plan.seed))
  const server = await startServer(api.url)
  try {
    await server.up()
    let over = false
    const killing = killer(server, plan, chance(plan.seed + 1)).finally(() => (over = true))
    // Messages are sent as long as there is somebody to be killed, so that no kill meets an idle server.
    const clients = Array.from({ length: plan.threads }, async (_, at) =>
      new SoakClient(server.url, `c${at + 1}`, chance(plan.seed + 100 + at)).run(() => over),
    )
    const [killed, outcomes] = await Promise.all([killing, Promise.all(clients)])
    await server.up()
    const told = outcomes.flatMap((outcome) => outcome.told)
    const checks = [
      ...(await checkAll(server.url, told)),
      ...(await checkFiles(server.url, outcomes)),
      await hauntings(server, api, outcomes),
      await books(server, api),
    ]
    await server.stop((folder) => checks.push(...checkStores(folder)))
    const violations = print(outcomes, killed, checks)
    if (violations > 0) console.log(`\nSeed ${plan.seed}. The server said:\n${server.output().slice(-4_000)}`)
    return violations
  } finally {
    await server.stop()
    await api.stop()
  }
}
