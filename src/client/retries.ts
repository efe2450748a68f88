// Retries requests to an overloaded server. Waits as long as the server asks, up to a limit.

import { CLIENT_RETRY_FIRST_MS } from '../limits/requests.ts'
import { CLIENT_RETRY_MAX_MS, SEND_ATTEMPTS_MAX, SEND_RETRY_MAX_MS } from './limits.ts'
import type { Result } from '../lib/result.ts'

import type { ClientFailure } from './types.ts'

/**
 * Calls `send` until the server responds with something other than 429 or 503, at most SEND_ATTEMPTS_MAX times. Use this only for
 * idempotent requests.
 */
export async function withRetries<T>(
  send: () => Promise<Result<T, ClientFailure>>,
  wait: (ms: number) => Promise<void>,
): Promise<Result<T, ClientFailure>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send()
    if (answer.ok || attempt >= SEND_ATTEMPTS_MAX) return answer
    const ms = retryDelayMs(answer.error, attempt)
    if (ms === null) return answer
    await wait(ms)
  }
}

/** True for temporary failures: 429, 503 and an unreachable server. */
export function isTemporary(failure: ClientFailure): boolean {
  if (failure.kind !== 'problem') return failure.kind === 'unreachable'
  return failure.problem.status === 429 || failure.problem.status === 503
}

/** The pause before a retry in ms, or null if a retry cannot help. */
function retryDelayMs(failure: ClientFailure, attempt: number): number | null {
  const backoff = Math.min(CLIENT_RETRY_MAX_MS, CLIENT_RETRY_FIRST_MS * 2 ** (attempt - 1))
  if (!isTemporary(failure)) return null
  const requested = failure.kind === 'problem' ? failure.retryAfterMs : null
  return Math.min(SEND_RETRY_MAX_MS, requested ?? backoff)
}
