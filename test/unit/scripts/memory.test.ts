// Promise: workerd is restarted before its memory is full, between calls if possible.

import { expect, test } from 'vitest'

import { HEALTH_POLL_MS, MEMORY_RESTART_DELAY_MS, WORKERD_MEMORY_MB } from '../../../scripts/start/limits.ts'
import { MemoryWatch } from '../../../scripts/start/memory.ts'

const FULL = 'workerd holds 3.0 GB of memory'

test('continues below the limit, however long calls take', () => {
  const memory = new MemoryWatch()
  for (let at = 0; at < 60_000; at += HEALTH_POLL_MS)
    expect(memory.check(at, WORKERD_MEMORY_MB - 1, true)).toBeNull()
})

test('restarts at once at the limit when no call is in progress', () => {
  expect(new MemoryWatch().check(0, WORKERD_MEMORY_MB, false)).toBe(FULL)
})

test('restarts at the limit with the last call, and without waiting for one that continues', () => {
  const memory = new MemoryWatch()
  expect(memory.check(0, WORKERD_MEMORY_MB, true)).toBeNull()
  expect(memory.check(HEALTH_POLL_MS, WORKERD_MEMORY_MB, false)).toBe(FULL)
  expect(memory.check(20_000, WORKERD_MEMORY_MB, true)).toBeNull()
  expect(memory.check(20_000 + MEMORY_RESTART_DELAY_MS - 1, WORKERD_MEMORY_MB, true)).toBeNull()
  expect(memory.check(20_000 + MEMORY_RESTART_DELAY_MS, WORKERD_MEMORY_MB, true)).toBe(FULL)
})

test('gets its full time again when the memory falls below the limit', () => {
  const memory = new MemoryWatch()
  memory.check(0, WORKERD_MEMORY_MB, true)
  memory.check(1_000, 500, true)
  expect(memory.check(MEMORY_RESTART_DELAY_MS, WORKERD_MEMORY_MB, true)).toBeNull()
})
