// A thread that outgrows its window repeatedly under kill -9.

import { withServers } from '../../rig/worker.ts'
import { startSatchel, withModelApi } from '../../rig/satchel.ts'
import { Checks, printVerdicts } from '../check-list.ts'
import { checkBilling } from './billing.ts'
import { Job, runJob, type JobPlan } from './job.ts'
import { startWindowApi, WINDOW_MODEL } from './window-api.ts'

/** Returns the number of violations. */
export async function soakThreads(plan: JobPlan): Promise<number> {
  const { runs, stepsPerRun, kills, seed } = plan
  const checks = new Checks()
  console.log(`\nA job of ${runs * stepsPerRun} steps in ${runs} runs, ${kills} kills, seed ${seed}.`)
  await withServers(async (keep) => {
    const job = new Job(plan)
    const api = await startWindowApi(job)
    await keep(Promise.resolve({ stop: () => api.close() }))
    const server = await keep(startSatchel({ env: { ...withModelApi(api.url), ...WINDOW_MODEL } }))
    console.log(`\n${await runJob(server, api, job, plan, checks)}`)
    checkBilling(api, checks)
  })
  return printVerdicts(checks.list(), [], 'Nothing was lost or forgotten.')
}
