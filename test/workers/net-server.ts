// The server of test/workers/net.test.ts: outside of workerd, on this machine.

import { hostname } from 'node:os'
import type { TestProject } from 'vitest/node'

import { hostileServer } from '../fakes/hostile-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly hostile: { readonly port: number; readonly hostname: string }
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await hostileServer()
  provide('hostile', { port: server.port, hostname: hostname() })
  return () => server.close()
}
