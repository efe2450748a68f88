// Who cannot prove who they are may try only so often from one address.

import type { Failure } from '../lib/result.ts'
import { callersNetwork } from './address.ts'
import { refuse, type HttpContext } from './route.ts'

/** The refusal, or 429 once this address failed too often in a minute. */
export async function refuseStranger(c: HttpContext, failure: Failure): Promise<Response> {
  const { success } = await c.env.DENIED_RATE.limit({ key: callersNetwork(c) })
  if (success) return refuse(c, failure)
  return refuse(c, {
    code: 'rate_limited',
    detail: 'Too many requests that could not be authenticated. Wait a minute, then send a valid one.',
    retryAfterS: 60,
  })
}
