// What is killed: `npm start` over a faulty model API, and clients of it.

import { startModelApi, type ModelApi } from '../rig/model-api.ts'
import { startSatchel, withModelApi, type Satchel } from '../rig/satchel.ts'
import { withServers } from '../rig/worker.ts'

const FAULTY_API = new URL('./faulty-api.ts', import.meta.url)

export interface KillPlan {
  readonly kills: number
  /** Clients, or what each kill meets at once. */
  readonly threads: number
  readonly seed: number
}

/**
 * Ends both whatever happens. `allow`: `host:port` that tools may reach though private. Gives the number of violations that
 * `play` found; where there are some it says how to have them again.
 */
export async function onField(
  seed: number,
  allow: readonly string[],
  play: (server: Satchel, api: ModelApi) => Promise<number>,
): Promise<number> {
  return withServers(async (keep) => {
    const api = await keep(startModelApi(FAULTY_API, String(seed)))
    const args = allow.flatMap((place) => ['--allow-host', place])
    const server = await keep(startSatchel({ args, env: withModelApi(api.url) }))
    const violations = await play(server, api)
    if (violations > 0) console.log(`\nSeed ${seed}. The server said:\n${server.output().slice(-4_000)}`)
    return violations
  })
}
