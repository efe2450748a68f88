// Retries requests to an overloaded server, after the pause that it asks for, up to a limit.

import { CLIENT_RETRY_FIRST_MS } from '../limits/requests.ts'
import { CLIENT_RETRY_CAP_MS, SEND_TRIES, SEND_WAIT_CAP_MS } from './limits.ts'
import type { Result } from '../lib/result.ts'

import type { ClientFailure } from './types.ts'

/**
 * Calls `send` until the server responds with something other than 429 or 503, at most SEND_TRIES times. Use this only for
 * idempotent requests.
 */
export async function withRetries<T>(
  send: () => Promise<Result<T, ClientFailure>>,
  wait: (ms: number) => Promise<void>,
): Promise<Result<T, ClientFailure>> {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    if (answer.ok || tries >= SEND_TRIES) return answer
    const ms = waitFor(answer.error, tries)
    if (ms === null) return answer
    await wait(ms)
  }
}

/** True for temporary failures: 429, 503 and an unreachable server. */
export function mayPass(failure: ClientFailure): boolean {
  if (failure.kind !== 'problem') return failure.kind === 'unreachable'
  return failure.problem.status === 429 || failure.problem.status === 503
}

/** The pause before a retry in ms, or null if a retry cannot help. */
function waitFor(failure: ClientFailure, tries: number): number | null {
  const backoff = Math.min(CLIENT_RETRY_CAP_MS, CLIENT_RETRY_FIRST_MS * 2 ** (tries - 1))
  if (!mayPass(failure)) return null
  const requested = failure.kind === 'problem' ? failure.retryAfterMs : null
  return Math.min(SEND_WAIT_CAP_MS, requested ?? backoff)
}
