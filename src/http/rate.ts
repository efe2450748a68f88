// A limit on requests a minute that costs the request nothing: it is counted while it is served, and only what comes
// after the limit was reached is refused.

import type { Clock } from '../lib/clock.ts'
import { Recent } from '../lib/recent.ts'
import { RATE_BLOCK_MS, RATE_BLOCKED_KEYS, RATE_COUNT_DELAY_MS } from '../limits.ts'

const blocked = new Recent<true>(RATE_BLOCKED_KEYS, RATE_BLOCK_MS)

/** True when this key is over its limit. `later` keeps the counting alive beyond the answer. */
export function overLimit(
  limiter: RateLimit,
  key: string,
  now: Clock,
  later: (work: Promise<void>) => void,
): boolean {
  if (blocked.get(key, now())) return true
  later(count(limiter, key, now))
  return false
}

async function count(limiter: RateLimit, key: string, now: Clock): Promise<void> {
  // The first words of the answer have the right of way.
  await new Promise((resolve) => setTimeout(resolve, RATE_COUNT_DELAY_MS))
  const { success } = await limiter.limit({ key })
  if (!success) blocked.set(key, true, now())
}
