// Threads that outgrow their window again and again: a long job under kill -9, and thousands of deliveries.

import { withServers } from '../../rig/worker.ts'
import { startSatchel, withModelApi } from '../../rig/satchel.ts'
import { Checks, printVerdicts } from '../check-list.ts'
import { Deliveries, runDeliveries } from './deliveries.ts'
import { Job, runJob, type JobPlan } from './job.ts'
import { startWindowApi, WINDOW_MODEL, type Story, type WindowApi } from './window-api.ts'

import type { Satchel } from '../../rig/satchel.ts'

const READ_SHARE = 0.99
/** The API caches no prompt that is shorter. */
const CACHED_MIN_TOKENS = 1_200
const SUMMARY_SHARE = 1.1

export interface ThreadsPlan extends JobPlan {
  readonly deliveries: number
}

async function withApi(
  story: Story,
  use: (server: Satchel, api: WindowApi) => Promise<string>,
  checks: Checks,
): Promise<void> {
  await withServers(async (keep) => {
    const api = await startWindowApi(story)
    await keep(Promise.resolve({ stop: () => api.close() }))
    const server = await keep(startSatchel({ env: { ...withModelApi(api.url), ...WINDOW_MODEL } }))
    console.log(`\n${await use(server, api)}`)
    checkBilling(api, checks)
  })
}

/** What the API read from its cache, and what summaries cost. */
function checkBilling({ answered, problems }: WindowApi, checks: Checks): void {
  const shares: number[] = []
  const summaries: number[] = []
  const borders: number[] = []
  for (const [at, call] of answered.entries()) {
    const before = answered[at - 1]
    if (before?.kind === 'step' && call.isSameWindow && before.input > CACHED_MIN_TOKENS)
      shares.push(call.read / before.input)
    if (before?.kind === 'step' && call.kind === 'extends') summaries.push(call.input / before.input)
    if (before?.kind === 'extends' && call.kind === 'step' && !call.isSameWindow) borders.push(call.read)
  }
  const least = Math.min(...shares)
  const most = Math.max(0, ...summaries)
  const note = (what: string, count: number, holds: boolean, violation: string): void => {
    for (let at = 0; at < count; at++) checks.note(what, 'billing', holds ? null : violation)
  }
  note(
    `a request reads ${READ_SHARE * 100} % of the one before it from the cache`,
    shares.length,
    least >= READ_SHARE,
    `${least}`,
  )
  note(
    `a summary's input is at most ${SUMMARY_SHARE} times that of the step before it`,
    summaries.length,
    most <= SUMMARY_SHARE,
    `${most}`,
  )
  note('system and tools are read across a border', borders.length, Math.min(...borders) > 0, borders.join())
  note('each request extends the one before it', answered.length, problems.length === 0, problems[0] ?? '')
  console.log(
    `Read from the cache: at least ${(least * 100).toFixed(2)} % of the request before (${shares.length} requests), and ${Math.min(...borders)} to ${Math.max(...borders)} tokens across a border (${borders.length}). A summary's input: at most ${most.toFixed(3)} times that of the step before (${summaries.length}).`,
  )
}

/** Returns the number of violations. */
export async function soakThreads(plan: ThreadsPlan): Promise<number> {
  const { runs, stepsPerRun, kills, deliveries, seed } = plan
  const checks = new Checks()
  if (runs > 0) {
    console.log(`\nA job of ${runs * stepsPerRun} steps in ${runs} runs, ${kills} kills, seed ${seed}.`)
    const job = new Job(plan)
    await withApi(job, (server, api) => runJob(server, api, job, plan, checks), checks)
  }
  if (deliveries > 0) {
    console.log(`\n${deliveries} deliveries in one thread.`)
    const story = new Deliveries()
    await withApi(story, (server) => runDeliveries(server, story, deliveries, checks), checks)
  }
  return printVerdicts(checks.list(), [], 'Nothing was lost, forgotten or refused.')
}
