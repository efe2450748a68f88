// Declares the bindings in `env` of cloudflare:workers and cloudflare:test.

import type { Env as SatchelEnv } from '../../src/env/env.ts'

declare global {
  namespace Cloudflare {
    interface Env extends SatchelEnv {
      readonly LOADER: WorkerLoader
    }
  }
}
