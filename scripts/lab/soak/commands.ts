// kill -9 of workerd while commands write hundreds of files: the tree is the one before or the one after, the command is made
// again or its result says why not, and nothing is left over.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { paint, seconds } from '../../lib/terminal.ts'
import { Book } from './book.ts'
import { checkFiles, checkStores } from './check-files.ts'
import { checkAll } from './checks.ts'
import { chance, type Chance } from './random.ts'
import { startApi, startServer, type SoakServer } from './server.ts'
import { printVerdicts } from './verdicts.ts'
import { strike } from './victims.ts'
import { Writer } from './writer.ts'

export interface CommandPlan {
  readonly kills: number
  readonly threads: number
  readonly seed: number
}

const LOOK_MS = 3
/** Moments are picked up to so many of its usual times: its end, where changes become rows, is hit, too. */
const PAST = 1.15
/** Nobody has been inside of a command for so long: something hangs. */
const IDLE_MS = 120_000

/** Waits for a command and for the moment in it that chance picks. Null: it was over before. */
async function moment(writers: readonly Writer[], luck: Chance): Promise<Writer | null> {
  const pick = luck.between(0, writers.length - 1)
  const part = luck.next() * PAST
  // From the one that chance picks on, so that none of the languages is preferred.
  const inTurn = [...writers.slice(pick), ...writers.slice(0, pick)]
  for (const until = performance.now() + IDLE_MS; performance.now() < until; await sleep(LOOK_MS)) {
    const writer = inTurn.find(({ underway }) => underway !== null)
    const call = writer?.underway
    if (!writer || !call) continue
    await sleep(Math.max(0, call.began + part * call.usualMs - performance.now()))
    return writer.underway?.began === call.began ? writer : null
  }
  throw new Error(`no command was under way for ${IDLE_MS / 1_000} s`)
}

/** Ends workerd inside of commands, as often as planned. Gives how many commands it met, at least one each time. */
async function killer(server: SoakServer, writers: readonly Writer[], plan: CommandPlan): Promise<number> {
  const luck = chance(plan.seed + 1)
  let met = 0
  for (let kills = 0; kills < plan.kills;) {
    await server.up()
    const writer = await moment(writers, luck)
    const call = writer?.underway
    if (!writer || !call || !(await strike(server, 'workerd'))) continue
    const [began, after] = [performance.now(), performance.now() - call.began]
    const struck = writers.filter((one) => one.struck()).length
    kills += 1
    met += struck
    await server.up()
    await Promise.all(writers.map(async (one) => one.look()))
    const words = `in ${call.language}, ${Math.round(after)} ms after its beginning, ${struck} commands under way`
    console.log(
      paint(
        'dim',
        `  kill ${kills} of ${plan.kills}: ${words}; up and looked at after ${seconds(performance.now() - began)}`,
      ),
    )
  }
  return met
}

/** Gives the number of violations. */
export async function soakCommands(plan: CommandPlan): Promise<number> {
  console.log(`\n${plan.kills} kills inside of commands of ${plan.threads} threads, seed ${plan.seed}.`)
  const api = await startApi(new URL('faulty-api.ts', import.meta.url), String(plan.seed))
  const server = await startServer(api.url)
  const book = new Book()
  try {
    await server.up()
    const writers = Array.from(
      { length: plan.threads },
      (_, at) => new Writer(server.url, `w${at + 1}`, book),
    )
    let over = false
    const killing = killer(server, writers, plan).finally(() => (over = true))
    const writing = Promise.all(writers.map(async (writer) => writer.run(() => over)))
    const [met, outcomes] = await Promise.all([killing, writing])
    await server.up()
    const told = outcomes.flatMap((outcome) => outcome.told)
    const checks = [
      ...book.list(),
      ...(await checkAll(server.url, told)),
      ...(await checkFiles(server.url, outcomes)),
    ]
    await server.stop((folder) => checks.push(...checkStores(folder)))
    const ends = Object.entries(
      Object.groupBy(
        writers.flatMap((writer) => writer.ends),
        (end) => end,
      ),
    )
    const counts = ends.map(([end, all]) => `${all?.length ?? 0} ${end}`).join(', ')
    console.log(`\n${plan.kills} kills met ${met} commands. Of ${told.length} commands: ${counts}.\n`)
    const violations = printVerdicts(
      checks,
      outcomes.flatMap(({ problems }) => problems),
    )
    console.log(
      `\n${violations === 0 ? 'Each command changed all of its files or none.' : `${violations} violations.`}`,
    )
    if (violations > 0) console.log(`\nSeed ${plan.seed}. The server said:\n${server.output().slice(-4_000)}`)
    return violations
  } finally {
    await server.stop()
    await api.stop()
  }
}
