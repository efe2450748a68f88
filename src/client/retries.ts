// Requests that may be sent again: they wait as long as a busy server asks, and give up after a bound.

import { CLIENT_RETRY_MS } from '../limits/requests.ts'
import { CLIENT_RETRY_CAP_MS, SEND_TRIES, SEND_WAIT_CAP_MS } from './limits.ts'
import type { Result } from '../lib/result.ts'

import type { ClientFailure } from './types.ts'

/**
 * `send` until it is answered by anything but 429, 503 or nobody, at most SEND_TRIES times. Only for requests that
 * change nothing when they arrive twice.
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

/** True for 429, 503 and nobody there: what another try may not meet again. */
export function mayPass(failure: ClientFailure): boolean {
  if (failure.kind !== 'problem') return failure.kind === 'unreachable'
  return failure.problem.status === 429 || failure.problem.status === 503
}

/** How long to wait before another try; null when another try would change nothing. */
function waitFor(failure: ClientFailure, tries: number): number | null {
  const backoff = Math.min(CLIENT_RETRY_CAP_MS, CLIENT_RETRY_MS * 2 ** (tries - 1))
  if (!mayPass(failure)) return null
  const asked = failure.kind === 'problem' ? failure.retryAfterMs : null
  return Math.min(SEND_WAIT_CAP_MS, asked ?? backoff)
}
