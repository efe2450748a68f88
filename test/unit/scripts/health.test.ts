// Promise: a hung server is told from a slow one, and a server that cannot start is not started for ever.

import { describe, expect, test } from 'vitest'

import {
  HEALTH_POLL_MS,
  HEALTH_SILENCE_MS,
  HEALTH_TIMEOUT_MS,
  RESTART_DEADLINE_MS,
  RESTARTS_AT_ONCE,
  START_DEADLINE_MS,
} from '../../../src/limits.ts'
import { Patience, Pulse, Restarts } from '../../../scripts/start/health.ts'

/**
 * Probes every HEALTH_POLL_MS that all time out, of a server that waits for a processor this share of the time.
 * When it counts as hung (ms after the first one), or null within a minute.
 */
function hungAfter(pulse: Pulse, share: number): number | null {
  for (let began = 0; began < 60_000; began += HEALTH_POLL_MS) {
    const ended = began + HEALTH_TIMEOUT_MS
    const moment = (at: number) => ({ at, starved: at * share })
    if (pulse.missed(moment(began), moment(ended)) !== null) return ended
  }
  return null
}

describe('a hung server', () => {
  test('is known after the second miss in a row, early enough for the promised five seconds', () => {
    expect(hungAfter(new Pulse(), 0)).toBe(HEALTH_TIMEOUT_MS + HEALTH_POLL_MS)
  })

  test('is not one that answers now and then', () => {
    const pulse = new Pulse()
    const still = (at: number) => ({ at, starved: 0 })
    for (let at = 0; at < 60_000; at += 2 * HEALTH_TIMEOUT_MS) {
      expect(pulse.missed(still(at), still(at + HEALTH_TIMEOUT_MS))).toBeNull()
      pulse.answered()
    }
  })

  test('is not one that waits for a processor: its silence counts in its own time', () => {
    expect(hungAfter(new Pulse(), 0.5)).toBe(2 * (HEALTH_TIMEOUT_MS + HEALTH_POLL_MS))
    expect(hungAfter(new Pulse(), 0.99)).toBeNull()
  })

  test('is not one whose prober slept: such a miss neither counts nor clears', () => {
    const pulse = new Pulse()
    const still = (at: number) => ({ at, starved: 0 })
    const asleep = HEALTH_TIMEOUT_MS + HEALTH_POLL_MS + 1
    for (let at = 0; at < 60_000; at += asleep) expect(pulse.missed(still(at), still(at + asleep))).toBeNull()
    expect(pulse.missed(still(60_000), still(60_000 + HEALTH_TIMEOUT_MS))).toBeNull()
    expect(pulse.missed(still(70_000), still(70_000 + asleep))).toBeNull()
    expect(pulse.missed(still(60_500), still(60_500 + HEALTH_TIMEOUT_MS))).toBeGreaterThan(HEALTH_SILENCE_MS)
  })
})

test('a start may take as long as it likes while it is heard of; its silence alone is too long', () => {
  const patience = new Patience(0)
  let now = 0
  for (let words = 0; words < 100; words++) {
    now += START_DEADLINE_MS - 1
    expect(patience.overdue(now, false)).toBeNull()
    patience.heard(now)
  }
  expect(patience.overdue(now + RESTART_DEADLINE_MS, false)).toBeNull()
  expect(patience.overdue(now + RESTART_DEADLINE_MS, true)).toBe(RESTART_DEADLINE_MS)
  expect(patience.overdue(now + START_DEADLINE_MS, false)).toBe(START_DEADLINE_MS)
})

test('waits between deaths double, and five without an answer are the end', () => {
  const restarts = new Restarts()
  const waits = Array.from({ length: RESTARTS_AT_ONCE }, () => restarts.died())
  expect(waits).toEqual([0, 250, 500, 1_000, null])
})

test('a server that answered in between is started again however often it dies', () => {
  const restarts = new Restarts()
  for (let death = 0; death < 50; death++) {
    expect(restarts.died()).toBe(0)
    restarts.answered()
  }
})
