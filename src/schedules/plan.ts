// Decides which planned times of a schedule are due: which one runs, and which ones were missed. Pure; times are epoch
// milliseconds.

import { DAY_MS } from '../lib/clock.ts'
import { SCHEDULE_JITTER_MAX_MS, SCHEDULE_MISSED_AFTER_MS, SCHEDULE_MISSED_COUNTED_MAX } from './limits.ts'
import type { NextTime } from './times.ts'

/** Planned times that do not run. */
export interface Missed {
  readonly count: number
  /** True if there were more than `count`. */
  readonly isMore: boolean
  readonly first: number
}

export interface DuePlan {
  /** The planned time that runs now, or null. */
  readonly run: number | null
  readonly missed: Missed | null
  /** The next planned time, or null if there is none. */
  readonly next: number | null
}

/**
 * What to do at `now` if `planned` is the first planned time that was not handled. Of several that are due, at most the
 * newest runs. If it was missed, too, it runs only under the policy `once`. If the clock was set back, times come again;
 * the caller recognizes those that ran.
 */
export function planAt(
  next: NextTime,
  planned: number | null,
  now: number,
  policy: 'skip' | 'once',
): DuePlan {
  if (planned === null) return { run: null, missed: null, next: null }
  const after = next(now)
  if (planned > now)
    return { run: null, missed: null, next: after !== null && after < planned ? after : planned }
  const due = dueTimes(next, planned, now)
  const isMissed = now - due.last > SCHEDULE_MISSED_AFTER_MS
  const { count, isMore, last } = due
  if (isMissed && policy === 'skip')
    return { run: null, missed: { count, isMore, first: planned }, next: after }
  const missed = count === 1 ? null : { count: count - 1, isMore, first: planned }
  return { run: last, missed, next: after }
}

/** How long after a planned time its run starts. The same for all times of a schedule. */
export function jitterMs(scheduleId: string): number {
  // FNV-1a: a few operations, and similar IDs differ.
  let hash = 0x811c9dc5
  for (let at = 0; at < scheduleId.length; at++)
    hash = Math.imul(hash ^ scheduleId.charCodeAt(at), 0x01000193) >>> 0
  return hash % SCHEDULE_JITTER_MAX_MS
}

interface Due {
  readonly count: number
  readonly isMore: boolean
  readonly last: number
}

/** The planned times from `first` to `now`. Counts at most SCHEDULE_MISSED_COUNTED_MAX of them. */
function dueTimes(next: NextTime, first: number, now: number): Due {
  const counted = walk(next, first, now, SCHEDULE_MISSED_COUNTED_MAX)
  if (!counted.isMore) return counted
  // There may be very many, so the newest ones are looked for from the other end.
  for (let back = DAY_MS; ; back *= 2) {
    const start = Math.max(counted.last, now - back)
    const time = start === counted.last ? start : next(start)
    if (time !== null && time <= now)
      return { ...counted, last: walk(next, time, now, Number.POSITIVE_INFINITY).last }
  }
}

function walk(next: NextTime, first: number, now: number, max: number): Due {
  let [count, last] = [1, first]
  for (;;) {
    const time = next(last)
    if (time === null || time > now) return { count, isMore: false, last }
    if (count >= max) return { count, isMore: true, last }
    last = time
    count++
  }
}
