// `npm run soak`: clients, a faulty model API and kill -9 at random moments against what `npm start` starts; then
// everything is read anew and must be whole. Exit status 1 on any violation.

import { setTimeout as sleep } from 'node:timers/promises'

import { randomBytes } from '../src/lib/ids.ts'
import { readArgs } from './lib/args.ts'
import { paint } from './lib/terminal.ts'
import { checkAll, type Check } from './soak/checks.ts'
import { SoakClient, type Outcome } from './soak/clients.ts'
import { chance, type Chance } from './soak/random.ts'
import { startFaultyApi, startServer, type SoakServer } from './soak/server.ts'

const USAGE = `npm run soak -- [options]

  --minutes N   how long messages are sent (3)
  --kills K     kill -9 of the running server in that time (25)
  --threads T   clients that send at the same time (4)
  --seed S      the chance of an earlier run (random, printed)
  --help        this text`

/** Kills of the server process; the others are of its workerd. */
const SERVER_SHARE = 0.15
const FACTS = 5

interface Plan {
  readonly minutes: number
  readonly kills: number
  readonly threads: number
  readonly seed: number
}

/** Kills at random moments, each of a server that is up; spread so that the last falls into the last of the time. */
async function killer(server: SoakServer, plan: Plan, luck: Chance, over: () => boolean): Promise<number> {
  const gapMs = (plan.minutes * 60_000) / Math.max(1, plan.kills)
  let killed = 0
  const began = performance.now()
  while (killed < plan.kills) {
    const due = began + gapMs * (killed + luck.next())
    await sleep(Math.max(0, due - performance.now()))
    await server.up()
    await sleep(luck.between(0, 400))
    const victim = server.find(luck.yes(SERVER_SHARE) ? 'server' : 'workerd')
    if (!victim || !server.kill(victim)) continue
    killed += 1
    const left = over() ? ', after the clients stopped' : ''
    console.log(
      paint('dim', `  kill ${killed} of ${plan.kills}: ${victim.what} ${victim.process.pid}${left}`),
    )
  }
  return killed
}

function print(outcomes: readonly Outcome[], killed: number, checks: readonly Check[]): number {
  const told = outcomes.flatMap((outcome) => outcome.told)
  const problems = outcomes.flatMap((outcome) => outcome.problems)
  const ended = Object.groupBy(told, (one) => one.status)
  const counts = Object.entries(ended).map(([status, runs]) => `${runs?.length ?? 0} ${status}`)
  const seen = told.flatMap(({ readers }) => readers[0] ?? [])
  const count = (type: string): number => seen.filter((event) => event.type === type).length
  const reconnects = outcomes.reduce((sum, outcome) => sum + outcome.reconnects, 0)
  console.log(`\n${killed} kills, ${told.length} runs (${counts.join(', ')}), ${reconnects} reconnects,`)
  console.log(
    `${count('model.retry')} model calls tried again, ${count('step.restarted')} steps begun again, ${count('tool.completed')} tool calls\n`,
  )
  const width = Math.max(...checks.map(({ what }) => what.length), 0)
  for (const { what, checked, violations } of checks) {
    const verdict =
      violations.length === 0 ? paint('green', 'holds') : paint('red', `${violations.length} violations`)
    console.log(`  ${what.padEnd(width)}  ${String(checked).padStart(6)}  ${verdict}`)
    for (const violation of violations.slice(0, FACTS)) console.log(`      ${violation}`)
  }
  for (const problem of problems.slice(0, FACTS)) console.log(paint('red', `  ${problem}`))
  const violations = checks.reduce((sum, check) => sum + check.violations.length, problems.length)
  console.log(
    `\n${violations === 0 ? 'Nothing was lost, doubled or told twice.' : `${violations} violations.`}`,
  )
  return violations === 0 && told.length > 0 ? 0 : 1
}

async function soak(plan: Plan): Promise<number> {
  const api = await startFaultyApi(plan.seed)
  const server = await startServer(api.url)
  try {
    await server.up()
    const until = performance.now() + plan.minutes * 60_000
    const killing = killer(server, plan, chance(plan.seed + 1), () => performance.now() > until)
    let killsDone = false
    void killing.then(
      () => (killsDone = true),
      () => (killsDone = true),
    )
    // Messages are sent as long as there is somebody to be killed, so that no kill meets an idle server.
    const over = (): boolean => performance.now() > until && killsDone
    const clients = Array.from({ length: plan.threads }, (_, at) =>
      new SoakClient(server.url, `c${at + 1}`, chance(plan.seed + 100 + at)).run(over),
    )
    const outcomes = await Promise.all(clients)
    const killed = await killing
    await server.up()
    const checks = await checkAll(
      server.url,
      outcomes.flatMap((outcome) => outcome.told),
    )
    const status = print(outcomes, killed, checks)
    if (status !== 0) console.log(`\nSeed ${plan.seed}. The server said:\n${server.output().slice(-4_000)}`)
    return status
  } finally {
    await server.stop()
    await api.stop()
  }
}

function positive(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

const text = { type: 'string' } as const
const args = readArgs({
  args: process.argv.slice(2),
  options: { minutes: text, kills: text, threads: text, seed: text, help: { type: 'boolean' } },
})
if (!args.ok || args.value.values.help) {
  console.log(args.ok ? USAGE : `${args.error}\n\n${USAGE}`)
  process.exit(args.ok ? 0 : 2)
}
const { minutes, kills, threads, seed } = args.value.values
const random = new DataView(randomBytes(4).buffer).getUint32(0)
const plan: Plan = {
  minutes: positive(minutes, 3),
  kills: positive(kills, 25),
  threads: positive(threads, 4),
  seed: positive(seed, random),
}
if (Object.values(plan).some(Number.isNaN)) {
  console.error(`Give numbers.\n\n${USAGE}`)
  process.exit(2)
}
console.log(
  `Seed ${plan.seed}: ${plan.kills} kills in ${plan.minutes} minutes, ${plan.threads} clients at the same time.`,
)
try {
  process.exitCode = await soak(plan)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
