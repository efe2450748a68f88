// Who cannot prove who they are may try only so often from one address.

import { systemClock } from '../lib/clock.ts'
import type { Failure } from '../lib/result.ts'
import { callersNetwork } from './address.ts'
import { Blocked } from './blocked.ts'
import { refuse, type HttpContext } from './route.ts'

const TOO_OFTEN: Failure = {
  code: 'rate_limited',
  detail: 'Too many requests that could not be authenticated. Wait a minute, then send a valid one.',
  retryAfterS: 60,
}

const blocked = new Blocked()

function blockOf(c: HttpContext, what: string): string {
  return `${callersNetwork(c)} ${what}`
}

/** The refusal, or 429 once this address failed too often in a minute. */
export async function refuseStranger(c: HttpContext, failure: Failure): Promise<Response> {
  const { success } = await c.env.DENIED_RATE.limit({ key: callersNetwork(c) })
  return refuse(c, success ? failure : TOO_OFTEN)
}

/**
 * The same where finding out costs: past the limit the address is refused by earlyRefusal() for a while. `what` it failed
 * at, and nothing else: one sender's broken hook must not close the others, which come from the same machines.
 */
export async function refuseCostly(c: HttpContext, what: string, failure: Failure): Promise<Response> {
  const refusal = await refuseStranger(c, failure)
  if (refusal.status === 429) blocked.add(blockOf(c, what), systemClock)
  return refusal
}

/** Before anything is read or asked; null: it is worth a look. */
export function earlyRefusal(c: HttpContext, what: string): Response | null {
  return blocked.has(blockOf(c, what), systemClock) ? refuse(c, TOO_OFTEN) : null
}
