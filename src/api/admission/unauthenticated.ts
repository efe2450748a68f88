// Limits failed authentication and unfinished request bodies per network.

import { systemClock } from '../../lib/clock.ts'
import { ExpiringCache } from '../../lib/expiring-cache.ts'
import { err, fail, type Failure, type Result } from '../../lib/result.ts'
import { RATE_BLOCKED_KEYS_MAX } from '../../limits/requests.ts'
import { RATE_BLOCK_MS } from './limits.ts'
import { callersNetwork } from './address.ts'
import type { HttpContext } from '../route/route.ts'
import { takeUnfinished, type Sender } from './sender.ts'

const TOO_OFTEN = fail(
  'rate_limited',
  'Your network sent too many requests that could not be authenticated. Wait a minute, then send a valid credential.',
  { retryAfterS: 60 },
)

const TOO_OFTEN_UNFINISHED = fail(
  'rate_limited',
  'Your network sent too many request bodies that ended early or arrived too slowly. Wait a moment, then send complete bodies.',
  { retryAfterS: Math.ceil(RATE_BLOCK_MS / 1000) },
)

const blocked = new ExpiringCache<true>(RATE_BLOCKED_KEYS_MAX, RATE_BLOCK_MS)

/** Networks that sent too many unfinished bodies, each combined with the key or hook concerned. */
const unfinished = new ExpiringCache<true>(RATE_BLOCKED_KEYS_MAX, RATE_BLOCK_MS)

function blockOf(c: HttpContext, what: string): string {
  return `${callersNetwork(c)} ${what}`
}

/** Returns this failure, or `rate_limited` after too many failures from this network within a minute. */
export async function refuseUnauthenticated(c: HttpContext, failure: Failure): Promise<Result<never>> {
  const { success } = await c.env.DENIED_RATE.limit({ key: callersNetwork(c) })
  return success ? err(failure) : TOO_OFTEN
}

/**
 * Like refuseUnauthenticated, for credentials that are expensive to verify. Beyond the limit, refuseEarly() refuses this network for
 * a while, but only for the hook or key `what`: hooks share sender machines, so one broken hook must not block the others.
 */
export async function refuseCostly(c: HttpContext, what: string, failure: Failure): Promise<Result<never>> {
  const refusal = await refuseUnauthenticated(c, failure)
  if (refusal === TOO_OFTEN) blocked.set(blockOf(c, what), true, systemClock())
  return refusal
}

/**
 * Refuses a blocked network before anything is read or looked up; null if the request may proceed. `what` is the hook, or the key
 * with its workspace.
 */
export function refuseEarly(c: HttpContext, what: string): Result<never> | null {
  const block = blockOf(c, what)
  if (blocked.get(block, systemClock())) return TOO_OFTEN
  return unfinished.get(block, systemClock()) ? TOO_OFTEN_UNFINISHED : null
}

/** Counts unfinished bodies of this request, and of requests that were cut off, as failures of their networks. */
export function countUnfinished(c: HttpContext): void {
  const senders = takeUnfinished()
  if (senders.length === 0) return
  const count = async ({ path: [, , credential, network] }: Sender): Promise<void> => {
    const key = `${network} ${credential}`
    const { success } = await c.env.DENIED_RATE.limit({ key })
    if (!success) unfinished.set(key, true, systemClock())
  }
  c.executionCtx.waitUntil(Promise.all(senders.map(count)))
}
