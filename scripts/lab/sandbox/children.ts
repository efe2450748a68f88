// The sandbox's children in a workerd of their own, for what measures them: no Satchel around them.

import { startWorkerd } from './workerd.ts'

import type { JobAnswer, JobAsk } from './parent.ts'
import type { GuestLimits } from '../../../src/sandbox/guest.ts'

interface Wanted {
  readonly argv: readonly string[]
  /** A new isolate, which is thrown away. */
  readonly fresh?: boolean
  readonly wallMs?: number
}

export interface Children {
  run(wanted: Wanted): Promise<JobAnswer>
  /** Asks the Worker beside them for nothing. Gives the milliseconds it took. */
  readonly ping: () => Promise<number>
  readonly dispose: () => Promise<void>
}

const LIMITS: GuestLimits = {
  wallMs: 60_000,
  steps: 50_000_000_000,
  outputBytes: 8_388_608,
  fileBytes: 33_554_432,
  files: 5_000,
  heapBytes: 67_108_864,
}

/** Starts them; `runtime` is what jobs are run by. */
export async function startChildren(root: string, runtime: string): Promise<Children> {
  const { ask, ping, dispose } = await startWorkerd(root, 'scripts/lab/sandbox/parent.ts')
  return {
    run: async ({ argv, fresh = false, wallMs = LIMITS.wallMs }) => {
      const limits = { ...LIMITS, wallMs }
      const job = { id: 'job', argv, cwd: '/mnt/user-data/workspace', env: {}, limits }
      const asked: JobAsk = { runtime, isolate: fresh ? null : runtime, job }
      // The cast: parent.ts sends it.
      return (await ask(asked)) as JobAnswer
    },
    ping,
    dispose,
  }
}
