// The system under test: `npm start` with a faulty model API.

import { startModelApi, type ModelApi } from '../rig/model-api.ts'
import { startSatchel, withModelApi, type Satchel } from '../rig/satchel.ts'
import { withServers } from '../rig/worker.ts'

const FAULTY_API = new URL('./faulty-api.ts', import.meta.url)

export interface KillPlan {
  readonly kills: number
  /** The number of clients, or of calls at each kill. */
  readonly threads: number
  readonly seed: number
}

/**
 * Runs `scenario`, and always stops both processes. `allow` lists private `host:port` that tools may contact. Returns
 * the number of violations; if there are any, prints how to repeat them.
 */
export async function withFaultyServer(
  seed: number,
  allow: readonly string[],
  scenario: (server: Satchel, api: ModelApi) => Promise<number>,
): Promise<number> {
  return withServers(async (keep) => {
    const api = await keep(startModelApi(FAULTY_API, String(seed)))
    const args = allow.flatMap((host) => ['--allow-host', host])
    const server = await keep(startSatchel({ args, env: withModelApi(api.url) }))
    const violations = await scenario(server, api)
    if (violations > 0) console.log(`\nSeed ${seed}. The server said:\n${server.output().slice(-4_000)}`)
    return violations
  })
}
