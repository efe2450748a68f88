// Waits, with a deadline, until the deployed Worker serves the new build.

import * as z from 'zod'

import { err, ok, type Result } from '../../src/lib/result.ts'
import { READY_DEADLINE_MS, READY_POLL_MS, READY_REQUEST_MS } from './limits.ts'

const Ready = z.object({ build: z.string() })
const Problem = z.object({ code: z.string(), detail: z.string() })

export interface ReadyPorts {
  readonly fetch: (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
  /** Called after each other answer: what it was, and for how long the wait has lasted, in ms. */
  waiting(what: string, ms: number): void
}

/** `address`: without a trailing slash. Fails with the last answer. */
export async function untilReady(
  address: string,
  digest: string,
  ports: ReadyPorts,
): Promise<Result<null, string>> {
  const began = ports.now()
  for (;;) {
    const heard = await askOnce(address, digest, ports)
    if (heard === null) return ok(null)
    const ms = ports.now() - began
    if (ms > READY_DEADLINE_MS) return err(heard)
    ports.waiting(heard, ms)
    await ports.wait(READY_POLL_MS)
  }
}

/** Null if it serves that build. */
async function askOnce(address: string, digest: string, ports: ReadyPorts): Promise<string | null> {
  try {
    const response = await ports.fetch(`${address}/readyz`, { signal: AbortSignal.timeout(READY_REQUEST_MS) })
    const body: unknown = await response.json().catch(() => null)
    const ready = Ready.safeParse(body)
    if (response.ok && ready.success)
      return ready.data.build === digest ? null : 'the version before is still answering'
    const problem = Problem.safeParse(body)
    return problem.success
      ? `${response.status} ${problem.data.code}: ${problem.data.detail}`
      : `it answers ${response.status}`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    return `no answer yet${cause}`
  }
}
