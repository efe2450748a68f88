// A server whose Worker's memory can be measured. It can be restarted with the same stores.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../../lib/free-port.ts'
import { readWorkerOptions } from '../../workerd/runtime.ts'
import { ROOT } from '../rig/keys.ts'
import { startWorker, type WorkerServer } from '../rig/worker.ts'
import { inspect, type WorkerMemory } from './worker-memory.ts'

export interface InspectedWorkers {
  /** Runs `use` with a new isolate and the data stored by previous runs. */
  run(use: (server: WorkerServer, memory: WorkerMemory) => Promise<void>): Promise<void>
  /** Deletes the stored data. */
  stop(): Promise<void>
}

export async function inspectedWorkers(
  apiUrl: string,
  bindings: Readonly<Record<string, string>>,
): Promise<InspectedWorkers> {
  const { name } = await readWorkerOptions(ROOT)
  const persist = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  return {
    async run(use) {
      const inspectorPort = await freePort()
      const server = await startWorker(apiUrl, { bindings, persist, inspectorPort })
      try {
        const memory = await inspect(inspectorPort, String(name))
        await use(server, memory).finally(() => memory.close())
      } finally {
        await server.stop()
      }
    },
    stop: async () => rmSync(persist, { recursive: true, force: true, maxRetries: 5 }),
  }
}
