// Guards the pace of updates: a key press waits for at most one of them, a fast device is not slowed down, and neither a slow device
// nor a held key stops an answer.

import { expect, it } from 'vitest'

import { createFramePace } from '../../../src/page/lib/frame-pace.ts'
import { TYPING_PAUSE_MS, UPDATE_PAUSE_MAX_MS } from '../../../src/page/lib/limits.ts'

const FRAME_MS = 16
const ONCE = 1_000_000

interface Device {
  /** Time that an update and its frame take. */
  readonly updateMs: number
  readonly untilMs: number
  readonly firstKeyMs?: number
  /** Time between keys. */
  readonly keyMs?: number
}

/** A device that draws a frame every 16 ms, with an answer that always has new text. Returns when updates started. */
function updatesOn({ updateMs, untilMs, firstKeyMs = Infinity, keyMs = ONCE }: Device): readonly number[] {
  let now = 0
  let press = (): void => undefined
  let frames: (() => void)[] = []
  let timers: { readonly at: number; readonly run: () => void }[] = []
  const startedAt: number[] = []
  const pace = createFramePace({
    now: () => now,
    requestFrame: (run) => void frames.push(run),
    setTimer: (run, ms) => void timers.push({ at: now + ms, run }),
    onKey: (run) => (press = run),
    onHidden: () => undefined,
  })
  const update = (): void => {
    startedAt.push(now)
    now += updateMs
    pace(update)
  }
  pace(update)
  for (let nextKey = firstKeyMs; now < untilMs;) {
    for (; nextKey <= now; nextKey += keyMs) press()
    const due = timers.filter(({ at }) => at <= now)
    timers = timers.filter((timer) => !due.includes(timer))
    for (const { run } of due) run()
    if (due.length === 0 && now % FRAME_MS === 0 && frames.length > 0) {
      const drawn = frames
      frames = []
      for (const run of drawn) run()
      if (now % FRAME_MS === 0) timers.push({ at: now, run: () => (now += 1) })
    } else if (due.length === 0) now += 1
  }
  return startedAt
}

it('after an update the browser is free for as long as the update took', () => {
  expect(updatesOn({ updateMs: 32, untilMs: 200 })).toEqual([0, 64, 128, 192])
})

it('an update that fits into half a frame delays nothing', () => {
  expect(updatesOn({ updateMs: 7, untilMs: 60 })).toEqual([0, 16, 32, 48])
})

it('after a key press, two frames show the key, the third has an update, and the next one comes after a pause', () => {
  const updates = updatesOn({ updateMs: 8, untilMs: 400, firstKeyMs: 100 })
  expect(updates.filter((at) => at >= 100).slice(0, 3)).toEqual([144, 256, 272])
  expect(100 + TYPING_PAUSE_MS).toBeLessThan(256)
})

it('updates end before the next key of somebody who types, however fast the answer comes', () => {
  const updates = updatesOn({ updateMs: 40, untilMs: 2_000, firstKeyMs: 100, keyMs: 112 })
  const typing = updates.filter((at) => at >= 100)
  expect(typing.length).toBeGreaterThan(14)
  for (const at of typing) expect(((at - 100) % 112) + 40).toBeLessThan(112)
})

it('a held key does not stop the answer', () => {
  expect(updatesOn({ updateMs: 10, untilMs: 1_000, firstKeyMs: 0, keyMs: 33 }).length).toBeGreaterThan(10)
})

it('an update that fails does not stop the others, and is reported', () => {
  const frames: (() => void)[] = []
  const timers: (() => void)[] = []
  const ran: string[] = []
  const pace = createFramePace({
    now: () => 0,
    requestFrame: (run) => void frames.push(run),
    setTimer: (run) => void timers.push(run),
    onKey: () => undefined,
    onHidden: () => undefined,
  })
  pace(() => {
    throw new Error('no text')
  })
  pace(() => void ran.push('second'))
  frames.shift()?.()
  expect(ran).toEqual(['second'])
  expect(() => timers.shift()?.()).toThrow('no text')
})

it('waiting updates run when the page is hidden', () => {
  const ran: string[] = []
  let hide = (): void => undefined
  const pace = createFramePace({
    now: () => 0,
    requestFrame: () => undefined,
    setTimer: () => undefined,
    onKey: () => undefined,
    onHidden: (run) => (hide = run),
  })
  pace(() => void ran.push('first'))
  hide()
  hide()
  expect(ran).toEqual(['first'])
})

it('even a very slow device shows new text again after the maximum pause', () => {
  const [, second] = updatesOn({ updateMs: 1_000, untilMs: 2_000 })
  expect(second).toBeGreaterThanOrEqual(1_000 + UPDATE_PAUSE_MAX_MS)
  expect(second).toBeLessThan(1_000 + UPDATE_PAUSE_MAX_MS + 2 * FRAME_MS)
})
