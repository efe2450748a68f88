// Requests that may be sent again: they wait as long as a busy server asks, and give up after a bound.

import { CLIENT_RETRY_CAP_MS, CLIENT_RETRY_MS, SEND_TRIES, SEND_WAIT_CAP_MS } from '../limits.ts'
import type { Result } from '../lib/result.ts'

import type { ClientFailure } from './types.ts'

/**
 * `send` until it is answered by anything but 429, 503 or nobody, at most SEND_TRIES times. Only for requests that
 * change nothing when they arrive twice.
 */
export async function patiently<T>(
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

/** How long to wait before another try; null when another try would change nothing. */
function waitFor(failure: ClientFailure, tries: number): number | null {
  const backoff = Math.min(CLIENT_RETRY_CAP_MS, CLIENT_RETRY_MS * 2 ** (tries - 1))
  if (failure.kind === 'broken') return null
  if (failure.kind === 'unreachable') return backoff
  const { status } = failure.problem
  if (status !== 429 && status !== 503) return null
  return Math.min(SEND_WAIT_CAP_MS, failure.retryAfterMs ?? backoff)
}
