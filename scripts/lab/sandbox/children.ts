// Runs the sandbox's isolates in a separate workerd, without Satchel, for measurements.

import { startWorkerd } from './workerd.ts'

import type { JobAnswer, JobAsk } from './parent.ts'
import type { GuestLimits } from '../../../src/sandbox/guest.ts'

interface ChildRequest {
  readonly argv: readonly string[]
  /** Whether to use a new, temporary isolate. */
  readonly fresh?: boolean
  readonly wallMs?: number
}

export interface Children {
  run(wanted: ChildRequest): Promise<JobAnswer>
  /** Sends a trivial request to the parent Worker. Returns its duration in ms. */
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

/** Starts workerd; `runtime` runs the jobs. */
export async function startChildren(root: string, runtime: string): Promise<Children> {
  const { ask, ping, dispose } = await startWorkerd(root, 'scripts/lab/sandbox/parent.ts')
  return {
    run: async ({ argv, fresh = false, wallMs = LIMITS.wallMs }) => {
      const limits = { ...LIMITS, wallMs }
      const job = { id: 'job', argv, cwd: '/mnt/user-data/workspace', env: {}, limits }
      const request: JobAsk = { runtime, isolate: fresh ? null : runtime, job }
      // The cast is safe: parent.ts sends this message.
      return (await ask(request)) as JobAnswer
    },
    ping,
    dispose,
  }
}
