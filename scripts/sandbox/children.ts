// The sandbox's children in a workerd of their own, for what measures or compares them: no Satchel around them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { buildRuntimes } from '../runtimes/build.ts'
import { bundleChild } from '../runtimes/bundle.ts'
import { RUNTIMES } from '../runtimes/store.ts'
import { miniflareOf } from '../start/miniflare.ts'

import type { Answered, Asked } from './parent.ts'
import type { GuestLimits } from '../../src/sandbox/guest.ts'

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
  await buildRuntimes(root, false, console.log)
  const { code } = await bundleChild(root, 'scripts/sandbox/parent.ts', [])
  const miniflare = miniflareOf(root, {
    modules: true,
    script: new TextDecoder().decode(code),
    compatibilityDate: '2026-11-01',
    workerLoaders: { LOADER: {} },
    serviceBindings: {
      RUNTIMES: async (request: Request) =>
        new Response(await readFile(join(root, RUNTIMES, new URL(request.url).pathname))),
    },
  })
  const url = await miniflare.ready
  return {
    run: async (wanted) => {
      const asked: Asked = {
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
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(asked) })
      if (!response.ok) throw new Error(await response.text())
      // The cast: parent.ts sends it.
      const answered = (await response.json()) as Answered
      return {
        ...answered,
        stdout: Buffer.from(answered.stdout, 'base64'),
        stderr: Buffer.from(answered.stderr, 'base64').toString(),
        changes: mapped(answered.changes, (text) => (text === null ? null : Buffer.from(text, 'base64'))),
      }
    },
    ping: async () => {
      const began = performance.now()
      await (await fetch(url)).text()
      return performance.now() - began
    },
    dispose: () => miniflare.dispose(),
  }
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  to: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
}
