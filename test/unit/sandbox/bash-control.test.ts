// Guards "a shell is stopped only for its own computing": a shell that waited while others used the thread continues,
// and one that occupies the thread through the work that it starts yields to others.
import { expect, test } from 'vitest'
import { BASH_STRETCH_MS } from '../../../src/limits/sandbox.ts'
import {
  BASH_BLOCKED_MAX_MS,
  BASH_SLICE_MAX_MS,
  BASH_YIELD_EVERY_MS,
} from '../../../src/sandbox/bash/limits.ts'
import { Control } from '../../../src/sandbox/bash/control.ts'

/** A shell whose steps and clock a test advances. */
function shell(): { control: Control; step: () => void; later: (ms: number) => void } {
  let now = 1_000
  let slice = (): number => 0
  const steps = {
    arm: (_: number, next: () => number) => void (slice = next),
    left: () => 0,
    due: () => {},
  }
  const control = new Control(
    steps,
    { wallMs: 60_000, steps: 1_000_000_000 },
    () => now,
    () => {},
  )
  return { control, step: () => void slice(), later: (ms) => void (now += ms) }
}

test('stops a command that computes for too long without a pause', () => {
  const { control, step, later } = shell()
  const steps = Math.floor(BASH_STRETCH_MS / BASH_SLICE_MAX_MS)
  for (let count = 0; count < steps; count++) {
    later(BASH_SLICE_MAX_MS)
    step()
  }
  later(1)
  expect(step).toThrow('The job was stopped.')
  expect(control.stopReason).toBe('stall')
  control.close(true)
})

test('continues a command delayed by a busy machine, unless it blocks its isolate for seconds', () => {
  const { control, step, later } = shell()
  later(BASH_BLOCKED_MAX_MS)
  step()
  expect(control.stopReason).toBeNull()
  later(1)
  expect(step).toThrow('The job was stopped.')
  expect(control.stopReason).toBe('stall')
  control.close(true)
})

test('continues a command that waited for the host while others computed', async () => {
  const { control, step, later } = shell()
  step()
  const answer = control.callHost(async () => {
    later(BASH_STRETCH_MS * 10)
    return 'the answer'
  })
  expect(await answer).toBe('the answer')
  step()
  const gone = control.callHost(async () => {
    later(5_000)
    throw new Error('gone')
  })
  await expect(gone).rejects.toThrow('gone')
  step()
  expect(control.stopReason).toBeNull()
  control.close(false)
})

test('a loop that only calls its host yields to others as often as one that computes', async () => {
  const { control, later } = shell()
  const happened: string[] = []
  setTimeout(() => happened.push('another was served'), 0)
  await control.callHost(async () => void happened.push('asked'))
  // The host answers at once, within the same process, so nobody else ran in between.
  later(BASH_YIELD_EVERY_MS)
  await control.callHost(async () => void happened.push('asked again'))
  expect(happened).toEqual(['asked', 'another was served', 'asked again'])
  control.close(false)
})
