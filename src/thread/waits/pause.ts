// When a server that works on a call is polled again. Pure.

import type { Wait } from '../rows/waits.ts'
import {
  SERVER_POLL_FIRST_MS,
  SERVER_POLL_GROWTH_FRACTION,
  SERVER_POLL_MAX_MS,
  SERVER_POLL_MIN_FRACTION,
  SERVER_POLL_MIN_MS,
} from './limits.ts'

/** `pollAfterMs` is the pause that the server asked for, or null. */
export function nextPollAt(
  { since, until }: Pick<Wait, 'since' | 'until'>,
  now: number,
  pollAfterMs: number | null,
): number {
  const waitedMs = Math.max(0, now - since)
  const grownMs = Math.max(SERVER_POLL_FIRST_MS, waitedMs * SERVER_POLL_GROWTH_FRACTION)
  const pauseMs = pollAfterMs ?? Math.min(grownMs, SERVER_POLL_MAX_MS)
  const leastMs = Math.max(SERVER_POLL_MIN_MS, waitedMs * SERVER_POLL_MIN_FRACTION)
  return Math.min(until, Math.round(now + Math.max(pauseMs, leastMs)))
}
