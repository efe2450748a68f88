// The child that runs JavaScript in an isolate of its own: one QuickJS, one job at a time. What it is given are jobs; it has
// no network, no environment and no bindings.

import { WorkerEntrypoint } from 'cloudflare:workers'

import image from './image.bin'
import module from './quickjs.wasm'
import relay from './relay.wasm'

import { readImage } from '../python/image.ts'
import { beginJob } from './job.ts'
import { Machine } from './machine.ts'

import type { Interpreter, Running } from './job.ts'
import type { Guest, GuestHost, GuestJob, GuestResult } from '../guest.ts'

/** A caller that went away in the middle cannot give the lock back: it is void after so long without a sign of its job. */
const SILENT_MS = 10_000

interface Lock {
  readonly id: string
  readonly running: Running
}

let interpreter: Interpreter | null = null
let lock: Lock | null = null

function interpreterOf(): Interpreter {
  return (interpreter ??= {
    machine: new Machine(module, relay, true),
    image: readImage(new Uint8Array(image)),
    now: () => Date.now(),
    random: (bytes) => void crypto.getRandomValues(bytes),
  })
}

export default class Node extends WorkerEntrypoint implements Guest {
  async run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }> {
    if (lock && Date.now() - lock.running.seenMs() < SILENT_MS) return { busy: true }
    // What is left of a caller that went away shall not come back into a memory that is somebody else's.
    if (lock) interpreter = null
    const running = beginJob(interpreterOf(), job, host)
    const mine: Lock = { id: job.id, running }
    lock = mine
    try {
      return await running.result
    } finally {
      if (lock === mine) lock = null
    }
  }

  async cancel(id: string): Promise<void> {
    if (lock?.id === id) lock.running.cancel()
  }

  async ping(): Promise<void> {}
}
