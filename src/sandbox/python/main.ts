// The Worker that runs Python in a separate isolate, one job at a time. It has no network, environment or
// bindings.

import { WorkerEntrypoint } from 'cloudflare:workers'

import stdlib from './stdlib.zip'
import image from './image.bin'
import packages from './packages.bin'
import module from './python.wasm'

import { readImage } from '../wasm/image.ts'
import { JobLock } from '../wasm/lock.ts'
import { Packages } from '../wasm/packages.ts'
import { beginJob } from './job.ts'
import { Machine } from './machine.ts'

import type { Interpreter } from './job.ts'
import type { Guest, GuestHost, GuestJob, GuestResult } from '../guest.ts'

const lock = new JobLock<Interpreter>(
  () => ({
    machine: new Machine(module, true),
    image: readImage(new Uint8Array(image)),
    stdlib: new Uint8Array(stdlib),
    packages: new Packages(packages),
    loadSqlite: async () => ({
      sqlite: (await import('./sqlite.wasm')).default,
      relay: (await import('./relay.wasm')).default,
    }),
    now: () => Date.now(),
    random: (bytes) => void crypto.getRandomValues(bytes),
  }),
  beginJob,
)

export default class Python extends WorkerEntrypoint implements Guest {
  async run(job: GuestJob, host: GuestHost): Promise<GuestResult | { readonly busy: true }> {
    return lock.run(job, host)
  }

  async cancel(id: string): Promise<void> {
    lock.cancel(id)
  }

  async ping(): Promise<void> {}
}
