// Guards pauses: they end in time, or with their signal, and leave nothing behind.

import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from '../../../src/lib/pause.ts'

const NEVER_MS = 2_000_000_000

test('ends in time, and leaves no listener on its signal', async () => {
  const { signal } = new AbortController()
  const paused = pause(1, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await paused
  await pause(1)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('ends when its signal is aborted, and at once if it already is', async () => {
  const stop = new AbortController()
  const paused = pause(NEVER_MS, stop.signal)
  stop.abort()
  await paused
  await pause(NEVER_MS, stop.signal)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})
