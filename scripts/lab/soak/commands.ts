// kill -9 of workerd while commands write hundreds of files: the tree is the one before or the one after, the command is made
// again or its result says why not, and nothing is left over.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { paint, seconds } from '../../lib/terminal.ts'
import { seededChance, type Chance } from '../rig/random.ts'
import { Checks, printVerdicts } from './check-list.ts'
import { checkFiles, checkStores } from './check-files.ts'
import { checkThreads } from './checks.ts'
import { onField, type KillPlan } from './field.ts'
import { strike } from './fault-targets.ts'
import { Writer } from './writer.ts'

import type { Satchel } from '../rig/satchel.ts'

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
async function killer(server: Satchel, writers: readonly Writer[], plan: KillPlan): Promise<number> {
  const luck = seededChance(plan.seed + 1)
  let met = 0
  for (let kills = 0; kills < plan.kills;) {
    await server.ready()
    const writer = await moment(writers, luck)
    const call = writer?.underway
    if (!writer || !call || !(await strike(server, 'workerd'))) continue
    const [began, after] = [performance.now(), performance.now() - call.began]
    const struck = writers.filter((one) => one.struck()).length
    kills += 1
    met += struck
    await server.ready()
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
export async function soakCommands(plan: KillPlan): Promise<number> {
  const { kills, threads, seed } = plan
  console.log(`\n${kills} kills inside of commands of ${threads} threads, seed ${seed}.`)
  return onField(seed, [], async (server) => {
    const checks = new Checks()
    const names = Array.from({ length: threads }, (_, at) => `w${at + 1}`)
    const writers = names.map((name) => new Writer(server.url, name, checks))
    let over = false
    const killing = killer(server, writers, plan).finally(() => (over = true))
    const writing = Promise.all(writers.map(async (writer) => writer.run(() => over)))
    const [met, outcomes] = await Promise.all([killing, writing])
    await server.ready()
    const told = outcomes.flatMap((outcome) => outcome.told)
    const expected = [
      ...checks.list(),
      ...(await checkThreads(server.url, told)),
      ...(await checkFiles(server.url, outcomes)),
    ]
    await server.stop((folder) => expected.push(...checkStores(folder)))
    const ends = Object.groupBy(
      writers.flatMap((writer) => writer.ends),
      (end) => end,
    )
    const counts = Object.entries(ends).map(([end, all]) => `${all?.length ?? 0} ${end}`)
    console.log(`\n${kills} kills met ${met} commands. Of ${told.length} commands: ${counts.join(', ')}.`)
    const problems = outcomes.flatMap((outcome) => outcome.problems)
    return printVerdicts(expected, problems, 'Each command changed all of its files or none.')
  })
}
