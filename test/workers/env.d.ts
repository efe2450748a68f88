// Tells `env` of cloudflare:workers and cloudflare:test which bindings there are.

import type { Env as SatchelEnv } from '../../src/env/env.ts'

declare global {
  namespace Cloudflare {
    interface Env extends SatchelEnv {
      readonly LOADER: WorkerLoader
    }
  }
}
