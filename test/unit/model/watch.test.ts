// A silent stream is noticed once, in time, and never while somebody on our side is busy.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watch } from '../../../src/model/watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('tells of silence once, between one and one and a quarter of the idle time', () => {
  let told = 0
  watch(1_000, () => (told += 1))
  vi.advanceTimersByTime(1_000)
  expect(told).toBe(0)
  vi.advanceTimersByTime(10_000)
  expect(told).toBe(1)
})

it('begins anew with each sign of life', () => {
  let told = 0
  const idle = watch(1_000, () => (told += 1))
  for (let at = 0; at < 20; at++) {
    vi.advanceTimersByTime(999)
    idle.alive()
  }
  expect(told).toBe(0)
  vi.advanceTimersByTime(1_250)
  expect(told).toBe(1)
})

it('waits while it is held, and leaves no timer behind when stopped', () => {
  let told = 0
  const idle = watch(1_000, () => (told += 1))
  idle.hold()
  vi.advanceTimersByTime(60_000)
  expect(told).toBe(0)
  idle.stop()
  expect(vi.getTimerCount()).toBe(0)
})
