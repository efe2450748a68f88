// Promise: a hung server is distinguished from a busy one, and a server that can answer is restarted however often it
// dies.

import { describe, expect, test } from 'vitest'

import {
  HEALTH_BUSY_SILENCE_MS,
  HEALTH_IDLE_SILENCE_MS,
  HEALTH_LATE_MS,
  HEALTH_POLL_MS,
  RESTART_BACKOFF_MAX_MS,
  RESTART_DEADLINE_MS,
  START_DEADLINE_MS,
  START_ENDS_MAX,
} from '../../../scripts/start/limits.ts'
import { SilenceLimit, HangDetector, Restarts, type Hang, type Times } from '../../../scripts/start/health.ts'

const IDLE: Times = { starvedMs: 0, cpuMs: 0, waitsForDisk: false }

/** The shares of its time that a server waits for a processor, and that it runs, as functions of the time in ms. */
interface Life {
  starved?: (at: number) => number
  cpu?: (at: number) => number
  waitsForDisk?: boolean
}

/**
 * Polls a server that never answers every HEALTH_POLL_MS. Returns when it counts as hung, or null if not within ten
 * minutes.
 */
function hungAfter({
  starved = () => 0,
  cpu = () => 0,
  waitsForDisk = false,
}: Life): (Hang & { at: number }) | null {
  const pulse = new HangDetector()
  const so = { starvedMs: 0, cpuMs: 0, waitsForDisk }
  pulse.onRequest(0, so)
  for (let at = 0; at < 600_000;) {
    so.starvedMs += starved(at) * HEALTH_POLL_MS
    so.cpuMs += cpu(at) * HEALTH_POLL_MS
    at += HEALTH_POLL_MS
    const hang = pulse.check(at, so)
    if (hang) return { at, ...hang }
    pulse.onRequest(at, so)
  }
  return null
}

describe('a server that has not answered', () => {
  test('and does nothing is hung after three seconds: deadlocked or stopped', () => {
    const hang = { at: HEALTH_IDLE_SILENCE_MS, ms: HEALTH_IDLE_SILENCE_MS, isBusy: false }
    expect(hungAfter({})).toEqual(hang)
    expect(hungAfter({ cpu: () => 0.02 })).toEqual(hang)
  })

  test('and computes has twenty seconds', () => {
    const hang = { at: HEALTH_BUSY_SILENCE_MS, ms: HEALTH_BUSY_SILENCE_MS, isBusy: true }
    expect(hungAfter({ cpu: () => 1 })).toEqual(hang)
    // Works now and then, but never for three seconds in a row.
    expect(hungAfter({ cpu: (at) => (at % 2_500 < HEALTH_POLL_MS ? 0.3 : 0) })).toEqual(hang)
  })

  test('and waits for a slow disk has as long as one that computes', () => {
    expect(hungAfter({ waitsForDisk: true })).toMatchObject({ at: HEALTH_BUSY_SILENCE_MS, isBusy: true })
  })

  test('and stops computing is hung three seconds later', () => {
    const hang = hungAfter({ cpu: (at) => (at < 8_000 ? 1 : 0) })
    expect(hang).toMatchObject({ at: 8_000 + HEALTH_IDLE_SILENCE_MS, isBusy: false })
  })

  test('and waits for a processor is not hung: its silence is measured in its own time', () => {
    expect(hungAfter({ starved: () => 0.5 })?.at).toBe(2 * HEALTH_IDLE_SILENCE_MS)
    expect(hungAfter({ starved: () => 0.5, cpu: () => 0.5 })?.at).toBe(2 * HEALTH_BUSY_SILENCE_MS)
    expect(hungAfter({ starved: () => 1 })).toBeNull()
    // It uses the little time that it gets, which counts as computing.
    expect(hungAfter({ starved: () => 0.9, cpu: () => 0.1 })).toMatchObject({ isBusy: true })
  })

  test('is alive with each answer, however late', () => {
    const pulse = new HangDetector()
    for (let at = 0; at < 600_000; at += HEALTH_POLL_MS) {
      if (at % 2_500 === 0) pulse.onResponse()
      expect(pulse.check(at, IDLE)).toBeNull()
      pulse.onRequest(at, IDLE)
    }
  })

  test('is not judged by a supervisor that was suspended: that time neither counts nor clears', () => {
    const pulse = new HangDetector()
    pulse.onRequest(0, IDLE)
    let at = 0
    const after = (ms: number): Hang | null => pulse.check((at += ms), IDLE)
    for (let sleeps = 0; sleeps < 1_000; sleeps++) expect(after(HEALTH_LATE_MS + 1)).toBeNull()
    expect(after(HEALTH_LATE_MS)).toBeNull()
    expect(after(HEALTH_LATE_MS + 1)).toBeNull()
    expect(after(HEALTH_LATE_MS)).toEqual({ ms: 2 * HEALTH_LATE_MS, isBusy: false })
  })
})

test('a start may take any time while it shows progress; only silence is limited', () => {
  const timeout = new SilenceLimit(0)
  let now = 0
  for (let message = 0; message < 100; message++) {
    now += START_DEADLINE_MS - 1
    expect(timeout.overdueMs(now, false, 0)).toBeNull()
    timeout.onMessage(now)
  }
  expect(timeout.overdueMs(now + RESTART_DEADLINE_MS, false, 0)).toBeNull()
  expect(timeout.overdueMs(now + RESTART_DEADLINE_MS, true, 0)).toBe(RESTART_DEADLINE_MS)
  expect(timeout.overdueMs(now + START_DEADLINE_MS, false, 0)).toBe(START_DEADLINE_MS)
})

test('a start has twice the time of the failed one before, up to four minutes, so that a slow machine completes one', () => {
  const limitAfter = (failures: number): number | undefined =>
    [15_000, 30_000, 60_000, 120_000, 240_000].find((at) => new SilenceLimit(0).overdueMs(at, true, failures))
  expect([0, 1, 2, 3, 4, 100].map(limitAfter)).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 240_000])
  const restarts = new Restarts()
  restarts.onEnd('killed')
  restarts.onEnd('killed')
  expect(restarts.failures).toBe(2)
  restarts.onResponse()
  expect(restarts.failures).toBe(0)
})

describe('a restart', () => {
  test('is never given up while others kill the server, even if it never answered; the pauses double up to half a minute', () => {
    const restarts = new Restarts()
    const waits = Array.from({ length: 1_000 }, () => restarts.onEnd('killed'))
    expect(waits.slice(0, 9)).toEqual([
      0,
      250,
      500,
      1_000,
      2_000,
      4_000,
      8_000,
      16_000,
      RESTART_BACKOFF_MAX_MS,
    ])
    expect(new Set(waits.slice(8))).toEqual(new Set([RESTART_BACKOFF_MAX_MS]))
  })

  test('is immediate for a server that answered in between, however often it dies', () => {
    const restarts = new Restarts()
    for (let death = 0; death < 50; death++) {
      expect(restarts.onEnd('killed')).toBe(0)
      restarts.onResponse()
    }
  })

  test('is not attempted for a server that says why it cannot start, until it answered once', () => {
    expect(new Restarts().onEnd('failed')).toBeNull()
    const restarts = new Restarts()
    restarts.onEnd('killed')
    expect(restarts.onEnd('failed')).toBeNull()
    restarts.onResponse()
    expect(Array.from({ length: 3 }, () => restarts.onEnd('failed'))).toEqual([0, 250, 500])
  })

  test('is attempted a few times for a server that ends without a message', () => {
    const restarts = new Restarts()
    for (let end = 1; end < START_ENDS_MAX; end++) {
      expect(restarts.onEnd('ended')).not.toBeNull()
      expect(restarts.onEnd('killed')).not.toBeNull()
    }
    expect(restarts.onEnd('ended')).toBeNull()
    const answered = new Restarts()
    answered.onResponse()
    for (let end = 0; end < 3 * START_ENDS_MAX; end++) expect(answered.onEnd('ended')).not.toBeNull()
  })
})
