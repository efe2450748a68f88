// A lid on requests a minute that costs the request nothing: it is counted while it is served, and only what comes
// after the lid was reached is refused.

import type { Clock } from '../lib/clock.ts'
import { RATE_BLOCK_MS, RATE_BLOCKED_KEYS, RATE_COUNT_DELAY_MS } from '../limits.ts'

const blockedUntil = new Map<string, number>()

/** True when this key is over its lid. `later` keeps the counting alive beyond the answer. */
export function overLimit(
  limiter: RateLimit,
  key: string,
  now: Clock,
  later: (work: Promise<void>) => void,
): boolean {
  const until = blockedUntil.get(key)
  if (until !== undefined && until > now()) return true
  if (until !== undefined) blockedUntil.delete(key)
  later(count(limiter, key, now))
  return false
}

async function count(limiter: RateLimit, key: string, now: Clock): Promise<void> {
  // The first words of the answer have the right of way.
  await new Promise((resolve) => setTimeout(resolve, RATE_COUNT_DELAY_MS))
  const { success } = await limiter.limit({ key })
  if (success) return
  if (blockedUntil.size >= RATE_BLOCKED_KEYS) blockedUntil.delete(blockedUntil.keys().next().value ?? '')
  blockedUntil.set(key, now() + RATE_BLOCK_MS)
}
