// When a server that works on a call is asked again. Pure.

import type { Wait } from '../rows/waits.ts'
import {
  SERVER_ASK_FIRST_MS,
  SERVER_ASK_GROWTH_FRACTION,
  SERVER_ASK_MAX_MS,
  SERVER_ASK_MIN_FRACTION,
  SERVER_ASK_MIN_MS,
} from './limits.ts'

/** `askAfterMs` is the pause that the server asked for, or null. */
export function nextAskAt(
  { since, until }: Pick<Wait, 'since' | 'until'>,
  now: number,
  askAfterMs: number | null,
): number {
  const waitedMs = Math.max(0, now - since)
  const grownMs = Math.max(SERVER_ASK_FIRST_MS, waitedMs * SERVER_ASK_GROWTH_FRACTION)
  const pauseMs = askAfterMs ?? Math.min(grownMs, SERVER_ASK_MAX_MS)
  const leastMs = Math.max(SERVER_ASK_MIN_MS, waitedMs * SERVER_ASK_MIN_FRACTION)
  return Math.min(until, Math.round(now + Math.max(pauseMs, leastMs)))
}
