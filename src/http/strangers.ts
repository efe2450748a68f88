// Who cannot prove who they are may try only so often from one address.

import { systemClock } from '../lib/clock.ts'
import { Recent } from '../lib/recent.ts'
import { err, fail, type Failure, type Result } from '../lib/result.ts'
import { RATE_BLOCK_MS, RATE_BLOCKED_KEYS } from '../limits.ts'
import { callersNetwork } from './address.ts'
import type { HttpContext } from './route.ts'

const TOO_OFTEN = fail(
  'rate_limited',
  'Too many requests that could not be authenticated. Wait a minute, then send a valid one.',
  { retryAfterS: 60 },
)

const blocked = new Recent<true>(RATE_BLOCKED_KEYS, RATE_BLOCK_MS)

function blockOf(c: HttpContext, what: string): string {
  return `${callersNetwork(c)} ${what}`
}

/** The refusal, or 429 once this address failed too often in a minute. */
export async function refuseStranger(c: HttpContext, failure: Failure): Promise<Result<never>> {
  const { success } = await c.env.DENIED_RATE.limit({ key: callersNetwork(c) })
  return success ? err(failure) : TOO_OFTEN
}

/**
 * The same where finding out costs: past the limit the address is refused by earlyRefusal() for a while. `what` it failed
 * at, and nothing else: one sender's broken hook must not close the others, which come from the same machines.
 */
export async function refuseCostly(c: HttpContext, what: string, failure: Failure): Promise<Result<never>> {
  const refusal = await refuseStranger(c, failure)
  if (refusal === TOO_OFTEN) blocked.set(blockOf(c, what), true, systemClock())
  return refusal
}

/** Before anything is read or asked; null: it is worth a look. */
export function earlyRefusal(c: HttpContext, what: string): Result<never> | null {
  return blocked.get(blockOf(c, what), systemClock()) ? TOO_OFTEN : null
}
