// The sandbox's children in a workerd of their own, for what measures or compares them: no Satchel around them.

import { startWorkerd } from './workerd.ts'

import type { JobAnswer, JobAsk } from './parent.ts'
import type { GuestLimits } from '../../../src/sandbox/guest.ts'

interface Wanted {
  readonly argv: readonly string[]
  readonly stdin?: Uint8Array
  readonly files?: Readonly<Record<string, Uint8Array>>
  readonly env?: Readonly<Record<string, string>>
  readonly isolate?: string | null
  readonly limits?: Partial<GuestLimits>
}

interface Result {
  readonly exitCode: number
  readonly stdout: Uint8Array
  readonly stderr: string
  readonly changes: Readonly<Record<string, Uint8Array | null>>
  readonly stopped: string | null
  readonly steps: number
  readonly ms: number
}

export interface Children {
  run(wanted: Wanted): Promise<Result>
  /** Asks the Worker beside them for nothing. Gives the milliseconds it took. */
  ping(): Promise<number>
  dispose(): Promise<void>
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
  const workerd = await startWorkerd(root, 'scripts/lab/sandbox/parent.ts')
  return {
    run: async (wanted) => {
      const asked: JobAsk = {
        runtime,
        isolate: wanted.isolate === undefined ? runtime : wanted.isolate,
        job: {
          id: 'job',
          argv: wanted.argv,
          cwd: '/mnt/user-data/workspace',
          env: wanted.env ?? {},
          limits: { ...LIMITS, ...wanted.limits },
        },
        stdin: Buffer.from(wanted.stdin ?? []).toString('base64'),
        files: mapped(wanted.files ?? {}, (bytes) => Buffer.from(bytes).toString('base64')),
      }
      // The cast: parent.ts sends it.
      const answered = (await workerd.ask(asked)) as JobAnswer
      return {
        ...answered,
        stdout: Buffer.from(answered.stdout, 'base64'),
        stderr: Buffer.from(answered.stderr, 'base64').toString(),
        changes: mapped(answered.changes, (text) => (text === null ? null : Buffer.from(text, 'base64'))),
      }
    },
    ping: () => workerd.ping(),
    dispose: () => workerd.dispose(),
  }
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
}
