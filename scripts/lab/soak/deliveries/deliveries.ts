// Many deliveries to one hook whose runs share a thread: thousands in sequence, and a thousand concurrently.

import { loadavg } from 'node:os'

import { Checks, printVerdicts } from '../check-list.ts'
import { startModelApi } from '../../rig/model-api.ts'
import { startSatchel, withModelApi } from '../../rig/satchel.ts'
import { withServers } from '../../rig/worker.ts'
import { startWindowApi, WINDOW_MODEL } from '../threads/window-api.ts'
import { checkBilling } from '../threads/billing.ts'
import { runAtOnce, startPeople } from './at-once.ts'
import { Deliveries, runOneThread, type OneThreadPlan } from './one-thread.ts'

import type { Satchel } from '../../rig/satchel.ts'

const OUTPUT_LINES = 40

export interface DeliveriesPlan extends OneThreadPlan {
  /** Number of concurrent deliveries. */
  readonly atOnce: number
}

/** Prints the server's output if `use` fails. */
async function explained(server: Satchel, use: () => Promise<void>): Promise<void> {
  try {
    await use()
  } catch (error) {
    console.log(server.output().split('\n').slice(-OUTPUT_LINES).join('\n'))
    throw error
  }
}

/** Returns the number of violations. */
export async function soakDeliveries({ count, waiting, atOnce }: DeliveriesPlan): Promise<number> {
  const checks = new Checks()
  const load = (): string => `Load of the machine: ${loadavg()[0]?.toFixed(1)}.`
  if (count > 0)
    await withServers(async (keep) => {
      console.log(`\n${count} deliveries in one thread, at most ${waiting} waiting. ${load()}`)
      const story = new Deliveries()
      const api = await startWindowApi(story)
      await keep(Promise.resolve({ stop: () => api.close() }))
      const server = await keep(startSatchel({ env: { ...withModelApi(api.url), ...WINDOW_MODEL } }))
      await explained(server, async () => {
        console.log(`\n${await runOneThread(server, story, { count, waiting }, checks)} ${load()}`)
        checkBilling(api, checks)
      })
    })
  if (atOnce > 0)
    await withServers(async (keep) => {
      console.log(`\n${atOnce} deliveries at once. ${load()}`)
      const api = await keep(startModelApi(new URL('../load/model-api.ts', import.meta.url)))
      const server = await keep(startSatchel({ env: { ...withModelApi(api.url), ...WINDOW_MODEL } }))
      const people = await keep(startPeople(server))
      await explained(server, () => runAtOnce(server, people, atOnce, checks))
      console.log(load())
    })
  return printVerdicts(checks.list(), [], 'Each delivery was recorded, and nobody else noticed.')
}
