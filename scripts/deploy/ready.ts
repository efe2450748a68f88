// Waits until the deployed Worker serves the new build, up to a deadline.

import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { READY_DEADLINE_MS, READY_POLL_MS, READY_REQUEST_MS } from './limits.ts'

const Ready = z.object({ build: z.string() })
const Problem = z.object({ code: z.string(), detail: z.string() })

export interface ReadyPorts {
  readonly fetch: (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
  /** Called after each unsuccessful attempt, with the reason and how long the wait has lasted in ms. */
  waiting(reason: string, ms: number): void
}

/** Waits until the Worker at `address` (without a trailing slash) serves a build. Fails with the last reason. */
export async function waitUntilServed(
  address: string,
  digest: string,
  ports: ReadyPorts,
): Promise<Result<null, string>> {
  const startedMs = ports.now()
  for (;;) {
    const notReadyReason = await checkReady(address, digest, ports)
    if (notReadyReason === null) return ok(null)
    const ms = ports.now() - startedMs
    if (ms > READY_DEADLINE_MS) return err(notReadyReason)
    ports.waiting(notReadyReason, ms)
    await ports.wait(READY_POLL_MS)
  }
}

/** Why the Worker does not serve the build yet; null if it does. */
async function checkReady(address: string, digest: string, ports: ReadyPorts): Promise<string | null> {
  try {
    const response = await ports.fetch(`${address}/readyz`, { signal: AbortSignal.timeout(READY_REQUEST_MS) })
    const body: unknown = await response.json().catch(() => null)
    const ready = Ready.safeParse(body)
    if (response.ok && ready.success)
      return ready.data.build === digest ? null : 'the previous version is still live'
    const problem = Problem.safeParse(body)
    return problem.success
      ? `${response.status} ${problem.data.code}: ${problem.data.detail}`
      : `it responds with ${response.status}`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return `no response yet${cause}`
  }
}
