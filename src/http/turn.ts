// Heavy work that anybody may cause, one at a time in an isolate: its memory is everybody's.

import type { Clock } from '../lib/clock.ts'
import { fail, type Result } from '../lib/result.ts'
import { TURN_HELD_MS, TURN_LOOK_MS, TURN_WAIT_MS } from '../limits.ts'

type InTurn = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>

/**
 * Runs `work` when no other runs. Waits by looking: what another request promises is never settled where that one was cut
 * off. For the same reason a turn ends by itself after TURN_HELD_MS. Failure: `overloaded` after TURN_WAIT_MS.
 */
export function turns(now: Clock, sleep: (ms: number) => Promise<void>): InTurn {
  let held: { readonly until: number } | null = null
  return async (work) => {
    const patience = now() + TURN_WAIT_MS
    while (held !== null && held.until > now()) {
      if (now() >= patience)
        return fail('overloaded', 'Others are being served first. Try again.', { retryAfterS: 2 })
      await sleep(TURN_LOOK_MS)
    }
    const mine = { until: now() + TURN_HELD_MS }
    held = mine
    try {
      return await work()
    } finally {
      if (held === mine) held = null
    }
  }
}
