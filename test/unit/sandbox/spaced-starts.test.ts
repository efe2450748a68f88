// Guards that isolates started together on a local server start one after another, so that chats stay responsive.

import { expect, it } from 'vitest'

import { ISOLATE_START_SPACING_MS } from '../../../src/sandbox/limits.ts'
import { spacedStarts } from '../../../src/sandbox/spaced-starts.ts'

function starts() {
  const waits: number[] = []
  let nowMs = 1_000
  const mayStart = spacedStarts(
    () => nowMs,
    async (ms) => void waits.push(ms),
  )
  return { mayStart, waits, pass: (ms: number) => (nowMs += ms) }
}

it('isolates that start at once wait for each other', async () => {
  const { mayStart, waits } = starts()
  await Promise.all([mayStart(), mayStart(), mayStart()])
  expect(waits).toEqual([ISOLATE_START_SPACING_MS, 2 * ISOLATE_START_SPACING_MS])
})

it('an isolate that starts after a pause does not wait', async () => {
  const { mayStart, waits, pass } = starts()
  await mayStart()
  pass(ISOLATE_START_SPACING_MS)
  await mayStart()
  pass(ISOLATE_START_SPACING_MS - 10)
  await mayStart()
  expect(waits).toEqual([10])
})
