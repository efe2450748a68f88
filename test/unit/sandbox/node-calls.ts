// The host calls of a Node job without QuickJS: what a script passes arrives as it is.

import { handleCalls } from '../../../src/sandbox/node/calls.ts'
import { addDevices } from '../../../src/sandbox/wasm/devices.ts'
import { Packages } from '../../../src/sandbox/wasm/packages.ts'
import { startRun } from '../../../src/sandbox/wasm/run.ts'

import type { GuestJob } from '../../../src/sandbox/guest.ts'
import type { NodeRun } from '../../../src/sandbox/node/call/node-run.ts'
import type { Value } from '../../../src/sandbox/node/call/values.ts'

export const WORK = '/mnt/user-data/workspace'
/** A file of a package, which all jobs of an isolate share. */
export const PACKAGE_FILE = '/node_modules/one/index.js'

export interface CalledRun {
  readonly run: NodeRun
  /** The answer of a call; the code of its error as text if it failed. */
  readonly call: (operation: string, ...args: readonly Value[]) => Promise<Value>
}

/** A job that may write 1,000 bytes. */
export function nodeRun({ steps = 1e12 } = {}): CalledRun {
  const packs = [{ source: '/packs/one', folder: '/node_modules', files: [['one/index.js', 4]] }]
  const packages = new Packages(new TextEncoder().encode(JSON.stringify({ packs })).buffer)
  const limits = { wallMs: 1e6, steps, outputBytes: 1e6, fileBytes: 1_000, files: 10, heapBytes: 1e6 }
  const stdin = new Uint8Array(0)
  const job: GuestJob = { id: '1', argv: [], cwd: WORK, env: {}, stdin, files: [], overlay: [], limits }
  const started = startRun(
    { machine: { fuel: { value: 0 } }, now: Date.now, random: () => {} },
    job,
    { read: async () => new Uint8Array(4), progress: () => {} },
    1e6,
    (tree) => {
      addDevices(tree)
      packages.mount(tree)
    },
  )
  const run: NodeRun = { ...started, packages, stdin, usedBytes: () => 0 }
  const handle = handleCalls(run)
  return {
    run,
    call: async (operation, ...args) => {
      const answer = await handle(operation, args)
      // The cast is safe: the host created this JSON.
      return answer === null
        ? (JSON.parse(String(await handle('failure', []))) as { code: string }).code
        : answer
    },
  }
}
