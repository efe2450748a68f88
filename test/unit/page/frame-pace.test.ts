// Guards the pace of updates: key presses never wait for more than one of them, and a fast device is not slowed down.

import { expect, it } from 'vitest'

import { createFramePace } from '../../../src/page/lib/frame-pace.ts'
import { UPDATE_PAUSE_MAX_MS } from '../../../src/page/lib/limits.ts'

/**
 * A device whose time passes only with its work: each update and its frame take `updateMs`. Returns when updates ran.
 */
function updatesOn(updateMs: number, count: number, keysAt: readonly number[] = []): readonly number[] {
  let now = 0
  let press = (): void => undefined
  let frames: (() => void)[] = []
  const timers: { readonly at: number; readonly run: () => void }[] = []
  const startedAt: number[] = []
  const pace = createFramePace({
    now: () => now,
    requestFrame: (run) => void frames.push(run),
    setTimer: (run, ms) => void timers.push({ at: now + ms, run }),
    onKey: (run) => (press = run),
  })
  const update = (): void => {
    startedAt.push(now)
    now += updateMs
  }
  pace(update)
  while (startedAt.length < count) {
    const ready = timers.findIndex(({ at }) => at <= now)
    if (ready >= 0) {
      const [timer] = timers.splice(ready, 1)
      timer?.run()
      if (frames.length === 0 && timers.length === 0) pace(update)
    } else if (frames.length > 0) {
      const due = frames
      frames = []
      if (keysAt.includes(startedAt.length)) press()
      const before = startedAt.length
      for (const run of due) run()
      if (startedAt.length === before) now += 16
    } else now += 1
  }
  return startedAt
}

it('after an update the browser is free for as long as the update took', () => {
  expect(updatesOn(30, 3)).toEqual([0, 60, 120])
})

it('an update that takes no time delays nothing', () => {
  expect(updatesOn(0, 3)).toEqual([0, 0, 0])
})

it('the frame after a key press has no update, the next one has', () => {
  // The key is held: each frame has a press.
  expect(updatesOn(30, 3, [0, 1, 2])).toEqual([16, 92, 168])
})

it('even a very slow device shows new text again after the maximum pause', () => {
  expect(updatesOn(1_000, 2)).toEqual([0, 1_000 + UPDATE_PAUSE_MAX_MS])
})
