// kill -9 of workerd while commands write hundreds of files: the tree is the one before or after, the command is
// repeated or its result gives the reason, and nothing is left over.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { paint, formatDuration } from '../../lib/terminal.ts'
import { seededChance, type Chance } from '../rig/random.ts'
import { Checks, printVerdicts } from './check-list.ts'
import { checkFiles, checkStores } from './check-files.ts'
import { checkThreads } from './checks.ts'
import { onField, type KillPlan } from './field.ts'
import { strike } from './fault-targets.ts'
import { Writer } from './writer.ts'

import type { Satchel } from '../rig/satchel.ts'

const LOOK_MS = 3
/** Kill times go up to this multiple of a command's usual duration, to include its end, where changes become rows. */
const PAST = 1.15
/** Without a running command for this long, something hangs. */
const IDLE_MS = 120_000

/** Waits for a command and a random moment in it. Null: it ended before. */
async function moment(writers: readonly Writer[], luck: Chance): Promise<Writer | null> {
  const pick = luck.between(0, writers.length - 1)
  const part = luck.next() * PAST
  // Starts at a random client, so that no language is preferred.
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

/**
 * Kills workerd during commands, as often as planned. Returns how many commands were running, at least one each
 * time.
 */
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
    const summary = `in ${call.language}, ${Math.round(after)} ms after its beginning, ${struck} commands under way`
    console.log(
      paint(
        'dim',
        `  kill ${kills} of ${plan.kills}: ${summary}; up and looked at after ${formatDuration(performance.now() - began)}`,
      ),
    )
  }
  return met
}

/** Returns the number of violations. */
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
    const runs = outcomes.flatMap((outcome) => outcome.runs)
    const expected = [
      ...checks.list(),
      ...(await checkThreads(server.url, runs)),
      ...(await checkFiles(server.url, outcomes)),
    ]
    await server.stop((folder) => expected.push(...checkStores(folder)))
    const ends = Object.groupBy(
      writers.flatMap((writer) => writer.ends),
      (end) => end,
    )
    const counts = Object.entries(ends).map(([end, all]) => `${all?.length ?? 0} ${end}`)
    console.log(`\n${kills} kills met ${met} commands. Of ${runs.length} commands: ${counts.join(', ')}.`)
    const problems = outcomes.flatMap((outcome) => outcome.problems)
    return printVerdicts(expected, problems, 'Each command changed all of its files or none.')
  })
}
