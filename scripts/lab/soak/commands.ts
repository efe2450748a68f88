// Kills workerd with kill -9 while commands write hundreds of files. The tree is the one before or after the command,
// the command is repeated or its result gives the reason, and nothing is left over.

import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { paint, formatDuration } from '../../lib/terminal.ts'
import { seededChance, type Chance } from '../rig/random.ts'
import { Checks, printVerdicts } from './check-list.ts'
import { checkFiles, checkStores } from './check-files.ts'
import { checkThreads } from './checks.ts'
import { withFaultyServer, type KillPlan } from './field.ts'
import { killServer } from './fault-targets.ts'
import { Writer } from './writer.ts'

import type { Satchel } from '../rig/satchel.ts'

const POLL_MS = 3
/**
 * The latest kill time, as a multiple of a command's usual duration. It includes the end of the command, where changes
 * become rows.
 */
const LATEST_KILL_RATIO = 1.15
/** If no command runs for this many ms, something hangs. */
const IDLE_MS = 120_000

/** Waits for a command and a random moment in it. Null if it ended before that. */
async function waitForCommand(writers: readonly Writer[], random: Chance): Promise<Writer | null> {
  const firstIndex = random.between(0, writers.length - 1)
  const fraction = random.next() * LATEST_KILL_RATIO
  // Start with a random client, so that no language is preferred.
  const rotated = [...writers.slice(firstIndex), ...writers.slice(0, firstIndex)]
  for (const until = performance.now() + IDLE_MS; performance.now() < until; await sleep(POLL_MS)) {
    const writer = rotated.find(({ runningCommand }) => runningCommand !== null)
    const call = writer?.runningCommand
    if (!writer || !call) continue
    await sleep(Math.max(0, call.began + fraction * call.usualMs - performance.now()))
    return writer.runningCommand?.began === call.began ? writer : null
  }
  throw new Error(`no command was under way for ${IDLE_MS / 1_000} s`)
}

/**
 * Kills workerd during commands as often as planned. Returns how many commands were running, which is at least one
 * each time.
 */
async function runKills(server: Satchel, writers: readonly Writer[], plan: KillPlan): Promise<number> {
  const random = seededChance(plan.seed + 1)
  let hitCommands = 0
  for (let kills = 0; kills < plan.kills;) {
    await server.ready()
    const writer = await waitForCommand(writers, random)
    const call = writer?.runningCommand
    if (!writer || !call || !(await killServer(server, 'workerd'))) continue
    const [startedMs, after] = [performance.now(), performance.now() - call.began]
    const hitNow = writers.filter((one) => one.onKill()).length
    kills += 1
    hitCommands += hitNow
    await server.ready()
    await Promise.all(writers.map(async (one) => one.checkTree()))
    const summary = `in ${call.language}, ${Math.round(after)} ms after its beginning, ${hitNow} commands under way`
    console.log(
      paint(
        'dim',
        `  kill ${kills} of ${plan.kills}: ${summary}; up and looked at after ${formatDuration(performance.now() - startedMs)}`,
      ),
    )
  }
  return hitCommands
}

/** Returns the number of violations. */
export async function soakCommands(plan: KillPlan): Promise<number> {
  const { kills, threads, seed } = plan
  console.log(`\n${kills} kills inside of commands of ${threads} threads, seed ${seed}.`)
  return withFaultyServer(seed, [], async (server) => {
    const checks = new Checks()
    const names = Array.from({ length: threads }, (_, at) => `w${at + 1}`)
    const writers = names.map((name) => new Writer(server.url, name, checks))
    let isOver = false
    const killing = runKills(server, writers, plan).finally(() => (isOver = true))
    const writing = Promise.all(writers.map(async (writer) => writer.run(() => isOver)))
    const [hitCommands, outcomes] = await Promise.all([killing, writing])
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
    console.log(
      `\n${kills} kills met ${hitCommands} commands. Of ${runs.length} commands: ${counts.join(', ')}.`,
    )
    const problems = outcomes.flatMap((outcome) => outcome.problems)
    return printVerdicts(expected, problems, 'Each command changed all of its files or none.')
  })
}
