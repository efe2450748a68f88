// Rate limits that add no latency: a request is counted while it is served, so only requests after the limit was reached are refused.

import { systemClock, type Clock } from '../../lib/clock.ts'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { pause } from '../../lib/pause.ts'
import { fail, type Result } from '../../lib/result.ts'
import { RATE_BLOCKED_KEYS_MAX } from '../../limits/requests.ts'
import { RATE_BLOCK_MS, RATE_COUNT_DELAY_MS } from './limits.ts'
import type { HttpContext } from '../route/route.ts'

const blocked = new ExpiringCache<true>(RATE_BLOCKED_KEYS_MAX, RATE_BLOCK_MS)

/** Whether this key is over its limit; if not, counts the request. `later` keeps the counting alive after the response. */
export function isOverLimit(
  limiter: RateLimit,
  key: string,
  now: Clock,
  later: (work: Promise<void>) => void,
): boolean {
  if (blocked.get(key, now())) return true
  later(count(limiter, key, now))
  return false
}

/** Refuses a caller that is over this limit, or returns null. Different limits need different prefixes in their keys. */
export function refuseOverRate(
  c: HttpContext,
  limiter: RateLimit,
  key: string,
  detail: string,
): Result<never> | null {
  const later = (work: Promise<void>): void => c.executionCtx.waitUntil(work)
  return isOverLimit(limiter, key, systemClock, later) ? refusal(detail) : null
}

/** Refuses a caller that blockRate blocked a moment ago, or returns null. */
export function refuseBlocked(key: string, detail: string): Result<never> | null {
  return blocked.get(key, systemClock()) ? refusal(detail) : null
}

/** Refuses this key from now on, for RATE_BLOCK_MS. */
export function blockRate(key: string): void {
  blocked.set(key, true, systemClock())
}

function refusal(detail: string): Result<never> {
  return fail('rate_limited', detail, { retryAfterS: Math.ceil(RATE_BLOCK_MS / 1000) })
}

async function count(limiter: RateLimit, key: string, now: Clock): Promise<void> {
  // The start of the response takes priority.
  await pause(RATE_COUNT_DELAY_MS)
  // A request that cannot be counted is not held against its caller.
  const outcome = await limiter.limit({ key }).catch(() => null)
  if (outcome?.success === false) blocked.set(key, true, now())
}
