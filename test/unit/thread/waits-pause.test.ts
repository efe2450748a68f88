// Guards how often a server that works on a call is polled: soon at first, rarely later, as it asks for, and never
// endlessly.

import { describe, expect, it } from 'vitest'
import { SERVER_POLL_MAX_MS, SERVER_WAIT_MAX_MS } from '../../../src/thread/waits/limits.ts'
import { nextPollAt } from '../../../src/thread/waits/pause.ts'

const WAIT = { since: 0, until: SERVER_WAIT_MAX_MS }

/** The times at which a server is asked that always gives this pause. */
function times(pollAfterMs: number | null): readonly number[] {
  const all: number[] = []
  for (let at = nextPollAt(WAIT, 0, pollAfterMs); at < WAIT.until; at = nextPollAt(WAIT, at, pollAfterMs))
    all.push(at)
  return all
}

describe('a server that names no pause', () => {
  it('is polled after two seconds, and then with pauses that grow by half to half an hour', () => {
    const all = times(null)
    expect(all.slice(0, 5)).toEqual([2_000, 4_000, 6_000, 9_000, 13_500])
    const pauses = all.slice(1).map((at, index) => at - (all[index] ?? 0))
    expect(Math.max(...pauses)).toBe(SERVER_POLL_MAX_MS)
    expect(all.length).toBeLessThan(70)
  })
})

describe('a server that names a pause', () => {
  it('is polled after it, even if it is longer than half an hour', () => {
    expect(times(10_000).slice(0, 3)).toEqual([10_000, 20_000, 30_000])
    expect(nextPollAt(WAIT, 0, 2 * 3_600_000)).toBe(2 * 3_600_000)
  })

  it('of zero is polled at most once a second, and a thousand times in all', () => {
    const all = times(0)
    expect(all.slice(0, 2)).toEqual([1_000, 2_000])
    expect(all.length).toBeLessThan(1_000)
  })

  it('of a week is not polled again, and the wait ends', () => {
    expect(nextPollAt(WAIT, 5_000, 7 * 24 * 3_600_000)).toBe(WAIT.until)
  })
})
