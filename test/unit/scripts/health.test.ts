// Promise: a hung server is told from a slow one, and a server that cannot start is not started for ever.

import { expect, test } from 'vitest'

import { HEALTH_MISSES, RESTARTS_AT_ONCE } from '../../../src/limits.ts'
import { Pulse, Restarts } from '../../../scripts/start/health.ts'

test('only misses in a row make a server hung', () => {
  const pulse = new Pulse()
  const probes = ['missed', 'answered', 'missed', 'answered', 'missed', 'missed'] as const
  expect(probes.map((probe) => pulse.record(probe))).toEqual([false, false, false, false, false, true])
  expect(HEALTH_MISSES).toBe(2)
})

test('a probe during which this process slept neither counts nor clears', () => {
  const pulse = new Pulse()
  pulse.record('missed')
  expect(pulse.record('stalled')).toBe(false)
  expect(pulse.record('missed')).toBe(true)
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
