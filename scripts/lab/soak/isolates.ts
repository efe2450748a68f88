// Runs many threads with one command each, and many commands that are stopped. Leftovers of isolates must not fill
// their shared memory, and no work may be aborted because of them.

import { WORKERD_MEMORY_MB } from '../../start/limits.ts'
import { meanwhile } from '../rig/meanwhile.ts'
import { callTool } from '../rig/requests.ts'
import { startSatchel, withModelApi } from '../rig/satchel.ts'
import { startFakeApi, withServers } from '../rig/worker.ts'
import { Checks, printVerdicts } from './check-list.ts'

export interface IsolatePlan {
  /** Number of new threads with one command each. */
  readonly threads: number
  /** Number of commands that are stopped, each in a new thread. */
  readonly stopped: number
}

const CONCURRENCY = 3
const POLL_MS = 50
/** The time limit in seconds that stops each of them. */
const LIMIT_S = 10
const LINES = 50

interface Step {
  readonly command: string
  /** A pattern that the result must match. */
  readonly expected: RegExp
}

/** Commands that fail while they hold much memory. */
const ENDLESS: readonly Step[] = [
  {
    command: `python3 -c 'open("a", "w").write(("\\n".join(map(str, range(100000, 160000))) + "\\n") * 24)'; sort a a`,
    expected: /Stopped /,
  },
  { command: 'echo ./s > s; chmod +x s; ./s', expected: /Stopped / },
  { command: `awk 'BEGIN { while (1) a[i++] = "x" }'`, expected: /Stopped / },
  { command: 'a=x; while :; do a=$a$a; done', expected: /Stopped / },
]

/** Alternates between both kinds, with as many of each as planned. */
function stepOf(number: number, { threads, stopped }: IsolatePlan): Step & { readonly isNormal: boolean } {
  const share = stopped / (threads + stopped)
  const endlessBefore = Math.floor(number * share)
  const endless =
    Math.floor((number + 1) * share) > endlessBefore ? ENDLESS[endlessBefore % ENDLESS.length] : undefined
  if (endless) return { ...endless, isNormal: false }
  return { command: `echo it is ${number}`, expected: new RegExp(`^it is ${number}\\b`), isNormal: true }
}

/** The output of the command, from its event; if there is none, what arrived instead. */
async function run(url: string, { command }: Step): Promise<string> {
  try {
    const [call] = await callTool(url, null, 'bash', { command, timeout_s: LIMIT_S })
    return call?.preview ?? 'no call'
  } catch (error) {
    return `broke: ${String(error)}`
  }
}

async function work(url: string, plan: IsolatePlan, checks: Checks, say: () => void): Promise<void> {
  const all = plan.threads + plan.stopped
  let next = 0
  const runNext = async (): Promise<void> => {
    while (next < all) {
      const number = next++
      const step = stepOf(number, plan)
      const output = await run(url, step)
      const what = step.isNormal ? 'threads were answered' : 'commands were stopped, and said so'
      checks.note(what, step.command, step.expected.test(output) ? null : output.slice(-200))
      if (next % Math.ceil(all / LINES) === 0) say()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
}

/** Returns the number of violations. */
export async function soakIsolates(plan: IsolatePlan): Promise<number> {
  console.log(`\n${plan.threads} threads with a command each, ${plan.stopped} commands that are stopped.`)
  return withServers(async (keep) => {
    const api = await keep(startFakeApi())
    const server = await keep(startSatchel({ env: withModelApi(api.url) }))
    const checks = new Checks()
    const startedMs = performance.now()
    let peakMb = 0
    const say = (): void => {
      const done = checks.list().reduce((sum, { checked }) => sum + checked, 0)
      const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
      const [now, peak] = [server.residentMb(), peakMb].map(Math.round)
      console.log(`  ${done} commands in ${minutes} min: workerd holds ${now} MB, at most ${peak} MB`)
    }
    const samplePeak = (): number => (peakMb = Math.max(peakMb, server.residentMb()))
    await meanwhile(work(server.url, plan, checks, say), samplePeak, POLL_MS)
    say()
    const restarts = server.output().split('starting it again').length - 1
    checks.note('restarts', 'workerd', restarts === 0 ? null : `started again ${restarts} times`)
    const memoryViolation = peakMb < WORKERD_MEMORY_MB ? null : `${Math.round(peakMb)} MB at most`
    checks.note('memory below what ends workerd', 'workerd', memoryViolation)
    return printVerdicts(checks.list(), [], 'What isolates leave behind stayed within its bounds.')
  })
}
